"""The same array as another variable, for functions whose result equals their input. Users do not call this rule."""

from tensorgrad.rule import rule
from tensorgrad.vjp import vjp


@rule(vjp("dz/dx = dz/dy", lambda G: G))
def identity(x):
    """Return x as another variable."""
    return x.view()
