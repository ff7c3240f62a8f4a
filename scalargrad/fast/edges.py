"""Faster: the edges of a variable, its inputs and its partial derivatives, in flat slots; the topological sort by marks in them.

With flat slots a variable is one object. With a tuple of inputs and a tuple of partials it would be three: slower to make, larger,
and more work for Python's garbage collector.
"""

from scalargrad.graph import inputs_first


class Edges:
    """The inputs of the function that made a variable, and the partial derivatives in them.

    One input is in `_x1`, a second in `_x2`, and their partials are in `_d1` and `_d2`. Three or more inputs are a tuple in `_x1`,
    with the tuple of their partials in `_d1`. A slot that is not needed is None. In a leaf all four are None.
    """

    __slots__ = ("_x1", "_d1", "_x2", "_d2", "_mark")

    @property
    def inputs(self):
        """The variables that the function took, in its order; () for a leaf."""
        return together(self._x1, self._x2)

    @inputs.setter
    def inputs(self, inputs):
        self._x1, self._x2 = flat(inputs)

    @property
    def partials(self):
        """The partial derivative in each input, at the point at which the function was called."""
        return together(self._d1, self._d2)

    @partials.setter
    def partials(self, partials):
        self._d1, self._d2 = flat(partials)


def flat(many):
    """Return the contents of the two slots that hold a sequence."""
    n = len(many)
    if n == 2:
        return many
    return (many[0], None) if n == 1 else (tuple(many), None) if n else (None, None)


def together(first, second):
    """Return the sequence that two slots hold, as a tuple."""
    if second is not None:
        return first, second
    return () if first is None else first if type(first) is tuple else (first,)


def computed_in_order(z):
    """Return z and the intermediate variables that it depends on, in topological order: z first, children before their inputs.

    This is a depth-first search. It marks a variable `opened` when it meets it, and `done` when all its inputs are done. The marks
    are new objects for each search. So a search ignores the marks of an earlier one, even of one that Ctrl-C stopped.
    """
    opened, done = object(), object()
    order, stack, y = [], [], z
    put, take, add = stack.append, stack.pop, order.append
    while True:
        y._mark = opened
        put(y)  # below its inputs: when it is taken, they are done
        x, other = y._x1, y._x2
        if other is not None:
            if other._x1 is not None and other._mark is not done:
                if other._mark is opened:
                    inputs_first(z)
                put(other)
        elif type(x) is tuple:
            x, *others = x
            for other in reversed(others):
                if other._x1 is not None and other._mark is not done:
                    if other._mark is opened:
                        inputs_first(z)
                    put(other)
        if x._x1 is not None and x._mark is not done:
            if x._mark is opened:
                inputs_first(z)
            y = x
            continue
        while True:
            if not stack:
                order.reverse()
                return order
            y = take()
            if y._mark is opened:
                y._mark = done
                add(y)
            elif y._mark is not done:
                break
