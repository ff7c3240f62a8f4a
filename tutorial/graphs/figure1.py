"""The tutorial's Figure 1: y1 = x1 + x2 + x3 + x4, y2 = x4², z = x1·y1 + y2. Each line is one function of the graph."""

from scalargrad import Value, function


@function
def f1(x1, x2, x3, x4):
    return x1 + x2 + x3 + x4


@function
def f2(x4):
    return x4**2


@function
def f3(x1, y1, y2):
    return x1 * y1 + y2


def figure1(x1=3, x2=1, x3=-2, x4=4):
    """Return z of Figure 1, and the order in which the tutorial visits its variables: z, y2, y1, x2, x1, x3, x4.

    >>> z, order = figure1(); z.data, [v.name for v in order]
    (34, ['z', 'y2', 'y1', 'x2', 'x1', 'x3', 'x4'])
    """
    x1, x2, x3, x4 = Value(x1, name="x1"), Value(x2, name="x2"), Value(x3, name="x3"), Value(x4, name="x4")
    y1 = f1(x1, x2, x3, x4)
    y2 = f2(x4)
    z = f3(x1, y1, y2)
    y1.name, y2.name, z.name = "y1", "y2", "z"
    return z, [z, y2, y1, x2, x1, x3, x4]
