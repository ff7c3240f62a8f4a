"""For each function of PyTorch, the same function of ours under PyTorch's signature. One file for each family; `table` finds them.

A counterpart takes over PyTorch's choices: which of equal entries gets the derivative, what it is at a kink, signs, pivots, random
numbers. Where ours cannot follow, it raises Unsupported, and PyTorch computes the derivative. `python -m benchmarks.torch_coverage`
counts what is covered.
"""
