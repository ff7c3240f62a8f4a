"""Fast kernels for plain arrays of floats. A rule says what is computed; its kernel computes the same faster."""
