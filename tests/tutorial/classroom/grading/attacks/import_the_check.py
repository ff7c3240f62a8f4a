"""Import the module that compares."""
# title: The program raised (ModuleNotFoundError|ImportError)


def figure1(x1, x2, x3, x4):
    from tutorial.exercises.authored import find

    names = {}
    exec(find("02").solution, names)
    return names["figure1"](x1, x2, x3, x4)
