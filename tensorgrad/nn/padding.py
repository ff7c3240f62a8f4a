"""Padding as modules: borders of zeros, of a constant, mirrored, repeated, or taken from the opposite side.

`padding` is a number of entries, or two of them for each axis: (left, right, top, bottom, front, back), the last axis first, as in
PyTorch. A negative number removes entries.
"""

from numbers import Integral, Real

import numpy as np

from scalargrad.errors import wrong_type
from tensorgrad.nn.module import Module
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


class Padding(Module):
    """What all these layers share: the last `axes` axes of x get a border; x has one or two axes more."""

    axes, mode = 0, "constant"
    value: float = 0.0

    def __init__(self, padding):
        super().__init__()
        kind, several = type(self).__name__, padding if isinstance(padding, (tuple, list)) else (padding,) * 2 * self.axes
        if len(several) != 2 * self.axes or not all(isinstance(n, Integral) and not isinstance(n, bool) for n in several):
            raise wrong_type(kind, "padding", padding, f"an integer or a tuple of {2 * self.axes}")
        self.padding = tuple(map(int, several))

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


class Constant(Padding):
    """A border of one number."""

    def __init__(self, padding, value):
        super().__init__(padding)
        if not isinstance(value, Real):
            raise wrong_type(type(self).__name__, "value", value, "a number")
        self.value = value

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ZeroPad1d(Padding):
    """Return x, of shape (n, c, length), with a border of zeros.

    >>> from tensorgrad import Tensor, nn
    >>> nn.ZeroPad1d(1)(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
    [[[0.0, 1.0, 2.0, 3.0, 0.0]]]
    """

    axes = 1


class ZeroPad2d(Padding):
    """Return x, of shape (n, c, height, width), with a border of zeros.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ZeroPad2d(1)(np.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 5)
    """

    axes = 2


class ZeroPad3d(Padding):
    """Return x, of shape (n, c, depth, height, width), with a border of zeros.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ZeroPad3d(1)(np.ones((1, 1, 2, 2, 3))).shape
    (1, 1, 4, 4, 5)
    """

    axes = 3


class ConstantPad1d(Constant):
    """Return x, of shape (n, c, length), with a border of the number `value`.

    >>> from tensorgrad import Tensor, nn
    >>> nn.ConstantPad1d(1, 9.0)(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
    [[[9.0, 1.0, 2.0, 3.0, 9.0]]]
    """

    axes = 1


class ConstantPad2d(Constant):
    """Return x, of shape (n, c, height, width), with a border of the number `value`.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ConstantPad2d(1, 9.0)(np.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 5)
    """

    axes = 2


class ConstantPad3d(Constant):
    """Return x, of shape (n, c, depth, height, width), with a border of the number `value`.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ConstantPad3d(1, 9.0)(np.ones((1, 1, 2, 2, 3))).shape
    (1, 1, 4, 4, 5)
    """

    axes = 3


class ReflectionPad1d(Padding):
    """Return x, of shape (n, c, length), mirrored about its outermost entries.

    >>> from tensorgrad import Tensor, nn
    >>> nn.ReflectionPad1d(1)(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
    [[[2.0, 1.0, 2.0, 3.0, 2.0]]]
    """

    axes, mode = 1, "reflect"


class ReflectionPad2d(Padding):
    """Return x, of shape (n, c, height, width), mirrored about its outermost entries.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ReflectionPad2d(1)(np.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 5)
    """

    axes, mode = 2, "reflect"


class ReflectionPad3d(Padding):
    """Return x, of shape (n, c, depth, height, width), mirrored about its outermost entries.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ReflectionPad3d(1)(np.ones((1, 1, 2, 2, 3))).shape
    (1, 1, 4, 4, 5)
    """

    axes, mode = 3, "reflect"


class ReplicationPad1d(Padding):
    """Return x, of shape (n, c, length), with its outermost entries repeated.

    >>> from tensorgrad import Tensor, nn
    >>> nn.ReplicationPad1d(1)(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
    [[[1.0, 1.0, 2.0, 3.0, 3.0]]]
    """

    axes, mode = 1, "edge"


class ReplicationPad2d(Padding):
    """Return x, of shape (n, c, height, width), with its outermost entries repeated.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ReplicationPad2d(1)(np.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 5)
    """

    axes, mode = 2, "edge"


class ReplicationPad3d(Padding):
    """Return x, of shape (n, c, depth, height, width), with its outermost entries repeated.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.ReplicationPad3d(1)(np.ones((1, 1, 2, 2, 3))).shape
    (1, 1, 4, 4, 5)
    """

    axes, mode = 3, "edge"


class CircularPad1d(Padding):
    """Return x, of shape (n, c, length), continued with the entries from the opposite side.

    >>> from tensorgrad import Tensor, nn
    >>> nn.CircularPad1d(1)(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
    [[[3.0, 1.0, 2.0, 3.0, 1.0]]]
    """

    axes, mode = 1, "wrap"


class CircularPad2d(Padding):
    """Return x, of shape (n, c, height, width), continued with the entries from the opposite side.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.CircularPad2d(1)(np.ones((1, 1, 2, 3))).shape
    (1, 1, 4, 5)
    """

    axes, mode = 2, "wrap"


class CircularPad3d(Padding):
    """Return x, of shape (n, c, depth, height, width), continued with the entries from the opposite side.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.CircularPad3d(1)(np.ones((1, 1, 2, 2, 3))).shape
    (1, 1, 4, 4, 5)
    """

    axes, mode = 3, "wrap"
