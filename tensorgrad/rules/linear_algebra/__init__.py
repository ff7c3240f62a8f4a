"""Rules of matrices."""
