"""Import the engine that the learner builds anew."""
# title: The program raised (ModuleNotFoundError|ImportError)


def figure1(x1, x2, x3, x4):
    from scalargrad import Value, backpropagation

    names = ("x1", "x2", "x3", "x4")
    x1, x2, x3, x4 = variables = [Value(x) for x in (x1, x2, x3, x4)]
    y1, y2 = x1 + x2 + x3 + x4, x4 * x4
    computed = backpropagation(x1 * y1 + y2)
    return {name: computed[v] for name, v in zip((*names, "y1", "y2"), (*variables, y1, y2))}
