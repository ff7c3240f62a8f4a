"""The arrays that a node keeps alive, under their names in the program, and those that the fast kernel of its rule made."""

from scalargrad.user_names.names import called
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.arrays.memory import own
from tensorgrad.kernels.scatter import Distinct
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor


def saved_for_backward(y, name):
    """Return {name: array} of what y's rule saved for its vjps; arrays of a fast kernel are `kernel1`, ...

    `name` returns the name of a variable of the graph, or of a constant tensor.
    """
    known = program_names(y, name)
    place = {letter: i for i, letter in enumerate([*known, *y.rule.option_names])}
    found = NamedArrays()
    for letter, array in sorted(y.rule.saved(y).items(), key=lambda item: place.get(item[0], len(place))):
        found.add(known.get(letter, letter), array)
    made = [a for a in arrays_in(y.aux) if id(memory_owner(a)) not in found.blocks]
    for i, array in enumerate({id(memory_owner(a)): a for a in made}.values(), start=1):
        found.add(f"kernel{i}", array)
    return found


def held_by(y, name):
    """Return {name: array} of all that the node y keeps alive: what it saved, and constants and options that are arrays."""
    found = saved_for_backward(y, name)
    others = [(name(a) if isinstance(a, Tensor) else "array", a) for a in y.arguments]
    for what, thing in [*others, *zip(y.rule.option_names, y.options)]:
        for array in arrays_in(thing):
            if id(memory_owner(array)) not in found.blocks:
                found.add(what, array)
    return found


class NamedArrays(dict):
    """{name: array}. Adding an array twice has no effect; a second array under the same name gets a number."""

    def __init__(self):
        self.named, self.blocks = {}, set()  # {name: the ids of its arrays}, and the ids of all memory blocks

    def add(self, name, array):
        same = self.named.setdefault(name, set())
        if id(array) not in same:
            same.add(id(array))
            self.blocks.add(id(memory_owner(array)))
            self[f"{name} ({len(same)})" if len(same) > 1 else name] = array


def program_names(y, name):
    """Return {letter of the rule for an input or the output of y: its name in the program}."""
    named = lambda a: name(a) if isinstance(a, Node | Tensor) else "array"
    return {n: named(a) for n, a in zip(letters(y), y.arguments)} | {"y": name(y)}


def letters(y):
    """Return the letters of the rule for y's arguments."""
    return y.rule.input_names or [f"x{i}" for i in range(len(y.arguments))]


def saved_variables(y):
    """Return (variable, its array) for y and those of its inputs whose arrays the rule of y has saved."""
    if not y.rule or y.released:
        return []
    variables = {**dict(zip(letters(y), y.arguments)), "y": y}
    return [(variables[n], array) for n, array in y.rule.saved(y).items() if isinstance(variables.get(n), Node)]


def names_of_constants(variables):
    """Return {id of a constant tensor among the arguments of these nodes: its name in the program}."""
    found = {id(a): a for y in variables if isinstance(y, Node) for a in y.constants}
    return {id(a): name for a, name in called(*found.values()).items()}


def name_of(v, names, constants):
    """Return the name of a variable of the graph, or of a constant tensor."""
    return names[v] if isinstance(v, Node) else v.name or constants.get(id(v)) or "constant"


def arrays_in(thing):
    """Return the arrays in a tensor, an array, or nested tuples, lists and dictionaries of them; not those that calls share."""
    found, stack = [], [thing]
    while stack:
        x = stack.pop()
        if type(x) is Tensor:
            found.append(x._data)
        elif isinstance(x, ARRAY):
            found.append(x)
        elif isinstance(x, (tuple, list)) and type(x) is not Distinct:
            stack.extend(reversed(x))
        elif isinstance(x, dict):
            stack.extend(reversed(x.values()))
    return found


def memory_owner(array):
    """Return the array that owns the memory of a view."""
    while not own(array) and isinstance(array.base, ARRAY):
        array = array.base
    return array
