"""Functions of plain arrays that rules and optimisers compute with. `running()` says which set they are of, `using(set)` chooses one."""

from tensorgrad.kernels.registry import running, using

__all__ = ["running", "using"]
