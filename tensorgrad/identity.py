"""The same array as another variable, for functions whose result equals their input. Users do not call this rule."""

from tensorgrad.rule import rule


def identity_pull(G):
    """dz/dx = dz/dy"""
    return G


@rule(identity_pull)
def identity(x):
    """Return x as another variable."""
    return x.view()
