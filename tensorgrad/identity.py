"""The same array as another variable, for every function that has nothing to do. A rule that no user calls."""

from tensorgrad.rule import rule


def identity_pull(G):
    """dz/dx = dz/dy"""
    return G


@rule(identity_pull)
def identity(x):
    """x as another variable: what a function gives that has nothing to do."""
    return x.view()
