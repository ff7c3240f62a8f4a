"""The letters of general formulas, such as dz/dx = Σ dz/dy · ∂y/∂x over y ∈ c(x): letters that the graph itself does not use."""

from scalargrad.formulas.text import look

PAIRS = ("x", "y"), ("u", "v"), ("p", "q"), ("s", "t"), ("a", "b"), ("ξ", "η")
SETS = "c", "C", "children"


def letters_of(names):
    """Return {"x", "y", "c"}: the letters for any variable, for a child of it, and for the set of its children.

    `names` is {variable: name}. If a variable is called x or y, another pair stands for both.

    >>> letters_of({1: "x1", 2: "z"}), letters_of({1: "x", 2: "c"})
    ({'x': 'x', 'y': 'y', 'c': 'c'}, {'x': 'u', 'y': 'v', 'c': 'C'})
    """
    taken = {look(name) for name in names.values()}
    free = lambda *letters: not any(look(letter) in taken for letter in letters)
    x, y = next((pair for pair in PAIRS if free(*pair)), PAIRS[-1])
    return {"x": x, "y": y, "c": next((letter for letter in SETS if free(letter)), SETS[-1])}
