"""Layers over 1, 2 and 3 axes. The docstring of the one over two axes explains its family; the help of the others is made here."""

SIZES = ("length", "height, width", "depth, height, width")


class ByAxes:
    """A family of layers: `class Conv1d(Convolution, axes=1)`. One without a docstring gets the family's, with an example."""

    axes = 0
    layout = ""  # the shapes that x may have
    _summary = ""  # of the family; {x} is the shape of a batch
    _example = ("", 4, 4)  # arguments; entries along each axis of an input of ones, and of the output

    def __init_subclass__(cls, axes=0, **options):
        if axes:
            cls.axes, own, size = axes, cls.__dict__.get("layout"), SIZES[axes - 1]
            cls.layout = own or f"(n, c, {size}) or (c, {size})"
            if cls.__doc__ is None:
                cls.__doc__ = f"{cls._summary.format(x=own or f'(n, c, {size})')}\n\n{cls._shown_example()}\n"
        super().__init_subclass__(**options)

    @classmethod
    def _shown_example(cls):
        arguments, before, after = cls._example
        x, y = [(1, 2) + (size,) * cls.axes for size in (before, after)]
        return f">>> import numpy as np; from tensorgrad import nn\n>>> nn.{cls.__name__}({arguments})(np.ones({x})).shape\n{y}"
