"""What takes a Python function of tensors: its derivatives, the function as one node, its recomputation."""
