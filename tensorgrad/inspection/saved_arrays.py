"""What a node keeps alive, array by array, in the words of the program: inputs and output by their names, what its kernel made."""

from scalargrad.names import called
from tensorgrad.node import Node
from tensorgrad.rule import ARRAY
from tensorgrad.tensor import Tensor


def saved_for_backward(y, name):
    """{what it is called: array} of what y's rule saved for its vjps, and `kernel1`, ... for what a fast kernel made besides.

    `name` names a variable of the graph, or a constant tensor.
    """
    known = words(y, name)
    place = {letter: i for i, letter in enumerate([*known, *y.rule.option_names])}
    found = Found()
    for letter, array in sorted(y.rule.saved(y).items(), key=lambda item: place.get(item[0], len(place))):
        found.add(known.get(letter, letter), array)
    made = [a for a in arrays_in(y.aux) if id(owner(a)) not in found.blocks]
    for i, array in enumerate({id(owner(a)): a for a in made}.values(), start=1):
        found.add(f"kernel{i}", array)
    return found


def held_by(y, name):
    """{what it is called: array} of all that the node y keeps alive: that, and constants and options that are arrays."""
    found = saved_for_backward(y, name)
    others = [(name(a) if isinstance(a, Tensor) else "array", a) for a in y.arguments]
    for what, thing in [*others, *zip(y.rule.option_names, y.options)]:
        for array in arrays_in(thing):
            if id(owner(array)) not in found.blocks:
                found.add(what, array)
    return found


class Found(dict):
    """Arrays by their names; a second one of a name is told apart by a number, the same one is there once."""

    def __init__(self):
        self.named, self.blocks = {}, set()  # {name: the ids of its arrays}; the ids of the blocks of all

    def add(self, name, array):
        same = self.named.setdefault(name, set())
        if id(array) not in same:
            same.add(id(array))
            self.blocks.add(id(owner(array)))
            self[f"{name} ({len(same)})" if len(same) > 1 else name] = array


def words(y, name):
    """{the rule's letter for an input or the output of y: what the program calls it}."""
    letters = y.rule.input_names or [f"x{i}" for i in range(len(y.arguments))]
    named = lambda a: name(a) if isinstance(a, Node | Tensor) else "array"
    return {n: named(a) for n, a in zip(letters, y.arguments)} | {"y": name(y)}


def names_of_constants(variables):
    """{id of a constant tensor among the arguments of these nodes: what the program calls it}."""
    found = {id(a): a for y in variables if isinstance(y, Node) for a in y.constants}
    return {id(a): name for a, name in called(*found.values()).items()}


def name_of(v, names, constants):
    """The name of a variable of the graph, or of a constant tensor."""
    return names[v] if isinstance(v, Node) else v.name or constants.get(id(v)) or "constant"


def arrays_in(thing):
    """The arrays in a tensor, an array, or nested tuples, lists and dictionaries of them."""
    found, stack = [], [thing]
    while stack:
        x = stack.pop()
        if type(x) is Tensor:
            found.append(x._data)
        elif isinstance(x, ARRAY):
            found.append(x)
        elif isinstance(x, (tuple, list)):
            stack.extend(reversed(x))
        elif isinstance(x, dict):
            stack.extend(reversed(x.values()))
    return found


def owner(array):
    """The array that owns the memory of a view."""
    while isinstance(array.base, ARRAY):
        array = array.base
    return array
