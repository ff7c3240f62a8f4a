"""What a recorded program did: where gradients stop, vanish or are not finite, and what the backward pass keeps. Begin with report.py."""
