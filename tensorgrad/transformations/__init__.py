"""What makes a new graph: the derivatives of a function of tensors, a function as one node, its recomputation, and copies."""
