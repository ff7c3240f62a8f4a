"""Rules of windows that move over an array."""
