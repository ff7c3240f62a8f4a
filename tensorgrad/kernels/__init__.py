"""Fast kernels for plain arrays of floats. The rules say what is computed; these say how to do it quickly."""
