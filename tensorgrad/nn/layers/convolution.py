"""Convolutions and transposed convolutions over one, two and three axes."""

from collections.abc import Callable

from scalargrad.messages.errors import must_be_integers, must_be_one_of, wrong_type
from tensorgrad.arrays.windows import Window
from tensorgrad.nn.by_axes import ByAxes
from tensorgrad.nn.initial import by_fan_in, fans
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.layers.padding import must_fill
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.random import generator_or_default
from tensorgrad.nn.sizes import float_dtype, on_each_axis
from tensorgrad.rules.images.convolution import conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, conv_transpose3d
from tensorgrad.rules.moving import pad

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]

PADDINGS = {"zeros": None, "reflect": "reflect", "replicate": "edge", "circular": "wrap"}  # PyTorch's name: NumPy's mode


class Kernels(ByAxes, Module):
    """What convolutions share: the settings, a weight and a bias that start uniform within ±1/√fan_in."""

    _convolve: Callable

    def __init_subclass__(cls, axes=0, convolve=None):
        super().__init_subclass__(axes)
        if convolve:
            cls._convolve = staticmethod(convolve)

    def _set_up(self, in_channels, out_channels, groups, **on_axes):
        kind = type(self).__name__
        must_be_integers(kind, 1, in_channels=in_channels, out_channels=out_channels, groups=groups)
        if in_channels % groups or out_channels % groups:
            raise ValueError(f"{kind}: groups={groups} must divide in_channels={in_channels} and out_channels={out_channels}")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        for name, given in on_axes.items():
            least = 0 if name in ("padding", "output_padding") else 1
            setattr(self, name, on_each_axis(kind, self.axes, least, **{name: given})[0])

    def _draw(self, shape, bias, dtype, generator):
        dtype, generator = float_dtype(type(self).__name__, dtype), generator_or_default(type(self).__name__, generator)
        fan_in = fans(shape)[0]
        self.weight = Parameter(by_fan_in(shape, fan_in, dtype, generator))
        self.bias = Parameter(by_fan_in((self.out_channels,), fan_in, dtype, generator)) if bias else None

    def extra_repr(self):
        shown = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"]
        usual = {"padding": (0,) * self.axes, "output_padding": (0,) * self.axes, "dilation": (1,) * self.axes, "groups": 1}
        usual |= {"padding_mode": "zeros"}
        for name, default in usual.items():
            if getattr(self, name, default) != default:
                shown.append(f"{name}={getattr(self, name)!r}")
        return ", ".join(shown + ["bias=False"] * (self.bias is None))


class Convolution(Kernels):
    """A convolution over `axes` axes: Conv1d, Conv2d and Conv3d."""

    _summary = "Return the convolution of x, of shape {x}, with learnt kernels; c is in_channels. See Conv2d."
    _example = "2, 2, 3", 4, 2

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        *,
        dtype=None,
        generator=None,
    ):
        super().__init__()
        kind = type(self).__name__
        self._set_up(in_channels, out_channels, groups, kernel_size=kernel_size, stride=stride, dilation=dilation)
        if isinstance(padding, str):
            must_be_one_of(kind, ("same", "valid"), padding=padding)
            if padding == "same" and max(self.stride) > 1:
                raise ValueError(f"{kind}: padding='same' needs stride 1, got stride={stride}")
            self.padding = padding
        else:
            (self.padding,) = on_each_axis(kind, self.axes, 0, padding=padding)
        must_be_one_of(kind, PADDINGS, padding_mode=padding_mode)
        self.padding_mode = padding_mode
        self._draw((out_channels, in_channels // groups, *self.kernel_size), bias, dtype, generator)

    def forward(self, x):
        weight = self.weight
        x, padding = of_dtype(x, weight._data.dtype), self.padding
        if self.padding_mode != "zeros":
            x, padding = self._padded(x), 0
        return self._convolve(x, weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _padded(self, x):
        """Return x with margins that are filled as padding_mode says. Raises ValueError if x has too few entries to fill them from."""
        kind, mode = type(self).__name__, PADDINGS[self.padding_mode]
        margins = Window.of(kind, self.kernel_size, self.stride, self.padding, self.dilation).padding
        must_fill(kind, self.padding, mode, x.shape, margins)
        return pad(x, [(0, 0)] * (x.ndim - self.axes) + [*margins], mode)


class Conv2d(Convolution, axes=2, convolve=conv2d):
    """Return the convolution of images x, of shape (n, in_channels, height, width), with learnt kernels.

    `weight` has shape (out_channels, in_channels / groups, *kernel_size), `bias` (out_channels,). Both start uniform within
    ±1/√(in_channels / groups · entries of the kernel). Raises ValueError if sizes do not fit.

    - kernel_size, stride, padding, dilation: an integer, or one for each axis; padding may be "same" or "valid"
    - groups: each group of input channels makes its own group of output channels
    - padding_mode: "zeros", "reflect", "replicate" or "circular"

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Conv2d(3, 8, 3, stride=2, padding=1)(np.ones((1, 3, 32, 32))).shape
    (1, 8, 16, 16)
    """


class TransposedConvolution(Kernels):
    """A transposed convolution over `axes` axes: ConvTranspose1d, ConvTranspose2d and ConvTranspose3d."""

    _summary = "Return the transposed convolution of x, of shape {x}, with learnt kernels; c is in_channels. See ConvTranspose2d."
    _example = "2, 2, 3", 2, 4

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        *,
        dtype=None,
        generator=None,
    ):
        super().__init__()
        sizes = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}
        self._set_up(in_channels, out_channels, groups, **sizes)
        self._draw((in_channels, out_channels // groups, *self.kernel_size), bias, dtype, generator)

    def forward(self, x, output_size=None):
        weight = self.weight
        x = of_dtype(x, weight._data.dtype)
        more = self.output_padding if output_size is None else self._more(x, output_size)
        return self._convolve(x, weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)

    def _more(self, x, output_size):
        """Return the output padding that makes the output as large as output_size says."""
        if not isinstance(output_size, (tuple, list)):
            raise wrong_type(type(self).__name__, "output_size", output_size, "a tuple of integers")
        wanted = tuple(output_size)[-self.axes :]
        steps = zip(x.shape[-self.axes :], self.stride, self.padding, self.dilation, self.kernel_size)
        least = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in steps]
        more = tuple(int(want - n) for want, n in zip(wanted, least))
        if len(wanted) != self.axes or any(not 0 <= m < max(s, d) for m, s, d in zip(more, self.stride, self.dilation)):
            most = tuple(n + max(s, d) - 1 for n, s, d in zip(least, self.stride, self.dilation))
            raise ValueError(f"output_size={output_size} is out of range for x of shape {x.shape}; use {tuple(least)} to {most}")
        return more


class ConvTranspose2d(TransposedConvolution, axes=2, convolve=conv_transpose2d):
    """Return the transposed convolution of images x, of shape (n, in_channels, height, width): it makes them larger.

    `weight` has shape (in_channels, out_channels / groups, *kernel_size), `bias` (out_channels,). Both start uniform within
    ±1/√(out_channels / groups · entries of the kernel), as in PyTorch. `output_size` of a call chooses among the sizes that the
    stride leaves open. Raises ValueError if sizes do not fit.

    >>> import numpy as np; from tensorgrad import nn
    >>> up = nn.ConvTranspose2d(3, 8, 3, stride=2, padding=1)
    >>> up(np.ones((1, 3, 4, 4))).shape, up(np.ones((1, 3, 4, 4)), output_size=(8, 8)).shape
    ((1, 8, 7, 7), (1, 8, 8, 8))
    """


# fmt: off
class Conv1d(Convolution, axes=1, convolve=conv1d): ...
class Conv3d(Convolution, axes=3, convolve=conv3d): ...
class ConvTranspose1d(TransposedConvolution, axes=1, convolve=conv_transpose1d): ...
class ConvTranspose3d(TransposedConvolution, axes=3, convolve=conv_transpose3d): ...
# fmt: on
