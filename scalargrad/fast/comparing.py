"""Added: comparisons of numbers. Refused: a conversion to a plain number, which would lose its derivative."""

from scalargrad.fast.edges import Edges
from scalargrad.user_names import names


class Comparing:
    """Compare variables by their numbers. The hash is that of the object, so two variables with equal numbers are two keys."""

    __slots__ = ()

    # fmt: off
    def __lt__(self, other): return self._data < number_of(other)
    def __le__(self, other): return self._data <= number_of(other)
    def __gt__(self, other): return self._data > number_of(other)
    def __ge__(self, other): return self._data >= number_of(other)
    def __eq__(self, other): return self._data == number_of(other)
    def __bool__(self):      return bool(self._data)
    # fmt: on

    __hash__ = object.__hash__

    def _cut(self):
        x = names.called_one(self)
        raise TypeError(
            f"cannot convert {x} to a plain number: its derivative would be lost; use the method or scalargrad's function "
            f"(x.exp(), scalargrad.exp(x)) instead of math's, or write {x}.data for its number"
        )

    __float__ = __int__ = __complex__ = __index__ = __trunc__ = __floor__ = __ceil__ = _cut


def number_of(x):
    """Return the number of a Value, and anything else as it is."""
    return x._data if isinstance(x, Edges) else x
