"""Added: a function that frees the variables of a deep graph one by one, where Python's stack is small.

When the last reference to z goes, z takes its inputs with it, these take theirs, and so on: one C call within the other. Python on a PC
ends this nesting by itself. The Python in a browser does not: a chain of 1,000 links overflows its stack.
"""

from scalargrad.graph import inputs_first


class Root:
    """Stands for a variable that is computed from all variables in a list."""

    def __init__(self, inputs):
        self.inputs = tuple(inputs)


def free(variables: list) -> None:
    """Empty the list, and free its variables and their ancestors, each before its inputs.

    A variable that is referenced elsewhere stays, with its ancestors. Raises CycleError if the variables form a cycle.

    >>> from scalargrad import Value
    >>> z = Value(1)
    >>> for _ in range(10_000):
    ...     z = -z
    >>> mine = [z]
    >>> del z
    >>> free(mine)
    >>> mine
    []
    """
    order = inputs_first(Root(variables))
    variables.clear()
    while order:
        order.pop()
