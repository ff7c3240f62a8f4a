"""Draw the memory of a forward and a backward pass: which array exists when."""
