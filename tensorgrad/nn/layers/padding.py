"""Padding as modules: borders of zeros, of a constant, mirrored, repeated, or taken from the opposite side.

`padding` is a number of entries, or two of them for each axis: (left, right, top, bottom, front, back), the last axis first, as in
PyTorch. A negative number removes entries.
"""

from math import inf

import numpy as np

from scalargrad.messages.errors import number
from tensorgrad.nn.by_axes import ByAxes
from tensorgrad.nn.module import Module
from tensorgrad.nn.sizes import on_each_axis
from tensorgrad.rules.moving import pad

# fmt: off
__all__ = [
    "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d", "ReflectionPad2d",
    "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "CircularPad1d", "CircularPad2d", "CircularPad3d",
]
# fmt: on


def must_fill(kind, padding, mode, size, widths):
    """Raise ValueError if x of shape `size` has too few entries to mirror or to take from the opposite side, once each.

    `widths` are (before, behind) of its last axes. NumPy's pad would go round again.
    """
    most = [n - 1 if mode == "reflect" else n for n in size[-len(widths) :]]
    if mode in ("reflect", "wrap") and any(max(width) > n for width, n in zip(widths, most)):
        raise ValueError(f"{kind}: padding={padding} is wider than x of shape {size} can fill")


class Padding(ByAxes, Module):
    """What all these layers share: the last `axes` axes of x get a border; x has one or two axes more."""

    mode, value = "constant", 0.0
    _given = ""  # an argument of the example behind its padding
    _padded: tuple[float, ...] = ()  # 1, 2, 3 in the example

    def __init__(self, padding):
        super().__init__()
        (self.padding,) = on_each_axis(type(self).__name__, 2 * self.axes, -inf, padding=padding)

    def forward(self, x):
        """Return x with its border. Raises ValueError if x has another number of axes, or too few entries to fill the border from."""
        kind, size, d = type(self).__name__, np.shape(x), self.axes
        if len(size) not in (d + 1, d + 2):
            raise ValueError(f"{kind}: x has shape {size}; a batch of {d + 2} axes or a sample of {d + 1} is needed")
        widths = [*zip(self.padding[::2], self.padding[1::2])][::-1]
        must_fill(kind, self.padding, self.mode, size, widths)
        return pad(x, [(0, 0)] * (len(size) - d) + widths, self.mode, **({"constant_values": self.value} if self.value else {}))

    def extra_repr(self):
        return f"padding={self.padding}"

    @classmethod
    def _shown_example(cls):
        """Return an example that pads the last axis."""
        x, padding = np.array([1.0, 2.0, 3.0]).reshape((1,) * (cls.axes + 1) + (3,)).tolist(), (1, 1) + (0, 0) * (cls.axes - 1)
        call = f"nn.{cls.__name__}({padding}{cls._given})(np.array({x})).ravel().tolist()"
        return f">>> import numpy as np; from tensorgrad import nn\n>>> {call}\n{[*cls._padded]}"


class ZeroPad(Padding):
    _summary, _padded = "Return x, of shape {x}, with a border of zeros.", (0.0, 1.0, 2.0, 3.0, 0.0)


class ConstantPad(Padding):
    _summary, _padded = "Return x, of shape {x}, with a border of the number `value`.", (9.0, 1.0, 2.0, 3.0, 9.0)
    _given = ", 9.0"

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = number(type(self).__name__, "value", value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ReflectionPad(Padding):
    mode, _padded = "reflect", (2.0, 1.0, 2.0, 3.0, 2.0)
    _summary = "Return x, of shape {x}, mirrored about its outermost entries."


class ReplicationPad(Padding):
    mode, _padded = "edge", (1.0, 1.0, 2.0, 3.0, 3.0)
    _summary = "Return x, of shape {x}, with its outermost entries repeated."


class CircularPad(Padding):
    mode, _padded = "wrap", (3.0, 1.0, 2.0, 3.0, 1.0)
    _summary = "Return x, of shape {x}, continued with the entries from the opposite side."


# fmt: off
class ZeroPad1d(ZeroPad, axes=1): ...
class ZeroPad2d(ZeroPad, axes=2): ...
class ZeroPad3d(ZeroPad, axes=3): ...
class ConstantPad1d(ConstantPad, axes=1): ...
class ConstantPad2d(ConstantPad, axes=2): ...
class ConstantPad3d(ConstantPad, axes=3): ...
class ReflectionPad1d(ReflectionPad, axes=1): ...
class ReflectionPad2d(ReflectionPad, axes=2): ...
class ReflectionPad3d(ReflectionPad, axes=3): ...
class ReplicationPad1d(ReplicationPad, axes=1): ...
class ReplicationPad2d(ReplicationPad, axes=2): ...
class ReplicationPad3d(ReplicationPad, axes=3): ...
class CircularPad1d(CircularPad, axes=1): ...
class CircularPad2d(CircularPad, axes=2): ...
class CircularPad3d(CircularPad, axes=3): ...
# fmt: on
