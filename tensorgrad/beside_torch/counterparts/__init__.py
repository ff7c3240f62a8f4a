"""For each function of PyTorch, the same function of ours under PyTorch's signature. One file for each family; `table` finds them."""
