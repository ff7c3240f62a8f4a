"""The parameters of a network

A network is a `Module`. Its attributes hold a `Parameter`, a `Buffer` (numbers that are not trained, as a running mean), another `Module`,
a list of these, or anything else. The classes `Module`, `Parameter` and `Buffer` are given, though they do not stand in this file.

`parameters(module)` returns the list of all parameters, for an optimiser. A parameter that several modules share stands in the list once.
The list follows the attributes, as `vars(module)` gives them, and what is inside a module or a list stands at its place. So the list is
the same at each call.

For a module with `a = Parameter(…)` and `layers = [one, two]`, whose modules `one` and `two` share the parameter `w`, the list is `[a,
w]`.
"""
# meta: unit=E minutes=12 difficulty=2 chapter=modules-and-optimisers call=parameters_of


def parameters(module):
    # BEGIN SOLUTION
    found = []

    def collect(x):
        if isinstance(x, Parameter):
            # ~ buffers M49: if isinstance(x, (Parameter, Buffer)):
            if not any(x is other for other in found):
                # ~ tied-twice M43: if True:
                # ~ equal-numbers M43: if not any(x.data == other.data for other in found):
                found.append(x)
        elif isinstance(x, list):
            # ~ no-lists M32: elif False:
            for part in x:
                # ~ first-of-list M32: for part in x[:1]:
                collect(part)
        elif isinstance(x, Module):
            for part in vars(x).values():
                # ~ by-name M44: for part in (vars(x)[name] for name in sorted(vars(x))):
                collect(part)

    collect(module)
    return found
    # ~ set M44: return list(set(found))
    # END SOLUTION


# BEGIN MUTANT one-level M32
#     found = []
#     for part in vars(module).values():
#         for x in part if isinstance(part, list) else [part]:
#             if isinstance(x, Parameter) and x not in found:
#                 found.append(x)
#     return found
# END MUTANT
# BEGIN MUTANT own-first M44
#     found = [x for x in vars(module).values() if isinstance(x, Parameter)]
#     parts = [y for x in vars(module).values() for y in (x if isinstance(x, list) else [x])]
#     for x in parts:
#         more = [x] if isinstance(x, Parameter) else parameters(x) if isinstance(x, Module) else []
#         found += [p for p in more if p not in found]
#     return found
# END MUTANT
# BEGIN FRAME
class Module:
    """A part of a network."""


class Tensor:
    """A number with a name. In a set, such objects stand in an order that is not theirs."""

    def __init__(self, name, data, place):
        self.name, self.data, self.place = name, data, place

    def __hash__(self):
        return 1_000 - self.place

    def __eq__(self, other):
        return self is other


class Parameter(Tensor):
    """A number that is trained."""


class Buffer(Tensor):
    """A number that is not trained."""


def parameters_of(network):
    """Return the names of the parameters; `network` is {attribute: (kind, name, number), a network, a list of these, or anything else}."""
    found = parameters(built(network))
    return [x.name for x in found] if isinstance(found, list) else found


def built(network):
    """Return the Module. Its numbers are made in the order of their names, so that this order does not tell the answer."""
    kinds = {"parameter": Parameter, "buffer": Buffer}
    made = {name: kinds[kind](name, number, k) for k, (name, kind, number) in enumerate(sorted(numbers_in(network)))}

    def build(x):
        if isinstance(x, tuple):
            return made[x[1]]
        if isinstance(x, list):
            return [build(part) for part in x]
        if not isinstance(x, dict):
            return x
        module = Module()
        vars(module).update({name: build(part) for name, part in x.items()})
        return module

    return build(network)


def numbers_in(x):
    """Return the set of all (name, kind, number) in a network."""
    if isinstance(x, tuple):
        kind, name, number = x
        return {(name, kind, number)}
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
    return {found for part in parts for found in numbers_in(part)}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.probe import Probe

HINTS = (
    "A network is a tree: modules and lists hold other modules and lists. Which walk comes to each of its leaves?",
    "Write a function for one object, which asks what it is: a parameter is noted, and the parts of a list or of a module are visited.",
    "Let the function call itself for each part of a list, and for each value of vars of a module. Before it notes a parameter, it "
    "asks "
    "with `is` whether this very object was noted. Everything else is passed over.",
)
PREDICT = ("A network has 3 layers with a weight and a bias each. Two layers share their weight. How many arrays are in the list?", 5)
WAS = "The list was {got}, expected the {many} parameters {expected}. "
SAID = {
    "buffers": WAS + "A buffer is not trained.",
    "tied-twice": WAS + "{tied} stands there twice: the optimiser would move it twice in each step. Two names may stand for one parameter.",
    "equal-numbers": WAS + "Two parameters with equal numbers are two. Ask with `is` for the object.",
    "no-lists": WAS + "You passed over lists. Layers often stand in one, and then they are not trained.",
    "first-of-list": WAS + "You took the first entry of a list alone.",
    "by-name": WAS + "You sorted the attributes by their names. The list follows vars of the module.",
    "set": WAS + "A set has no order. An optimiser finds its numbers for a parameter by the place in the list.",
    "one-level": WAS + "You looked one level deep. A module may hold a module.",
    "own-first": WAS + "You took a module's own parameters first. A part stands at the place of its attribute.",
}
ASKED = {
    "buffers": "Which of these does an optimiser change?",
    "tied-twice": "How often does an optimiser step {tied} then?",
    "equal-numbers": "Are two zeros one parameter?",
    "no-lists": "What is the type of each attribute?",
    "first-of-list": "How long are the lists of the network?",
    "by-name": "In which order were the attributes made?",
    "set": "Is the order of a set that in which you have put things in?",
    "one-level": "How deep is the network?",
    "own-first": "Which attribute comes first?",
}


def probes(random):
    """Yield one parameter, several, a buffer, nested modules, lists, shared parameters, equal numbers, and all of it."""
    number = lambda: random.randint(2, 99)
    p = {name: ("parameter", name, number() + 100 * k) for k, name in enumerate("abcdefgh")}
    mean = ("buffer", "mean", number())
    layer = {"weight": p["c"], "bias": p["b"]}
    yield probe({"w": p["a"], "rate": number(), "name": "net"}, "one parameter")
    yield probe({"w": p["b"], "a": p["a"]}, "two parameters")
    yield probe({"w": p["a"], "mean": mean, "b": p["b"]}, "a parameter, a buffer, a parameter")
    yield probe({"layer": layer, "scale": p["a"]}, "a module in a module")
    yield probe({"layers": [p["a"], p["b"], p["c"]]}, "a list of parameters")
    yield probe({"inner": {"layers": [layer, {"w": p["d"]}], "a": p["a"]}}, "a list of modules in a module")
    yield probe({"encoder": {"w": p["a"], "b": p["b"]}, "decoder": {"w": p["a"], "c": p["c"]}}, "two modules share a parameter", "a")
    yield probe({"one": ("parameter", "one", 0), "two": ("parameter", "two", 0)}, "two parameters with the number 0")
    names = random.sample("abcdefgh", 8)
    x = [p[name] for name in names]
    deep = {"z": [{"k": x[0], "a": [x[1], {"m": mean, "b": x[2]}]}, {"k": x[0]}], "y": {"d": x[3], "c": {"q": x[4], "o": x[1]}}, "x": x[5]}
    yield probe(deep, "a network with all of it", names[0])
    yield probe({"v": [[x[7], x[6]], [x[5], [x[7]]]], "u": deep}, "lists in lists", names[7])


def probe(network, about, tied="no parameter"):
    shown = f"net = {described(network)}\nparameters(net)"
    return Probe((network,), {"tied": tied, "many": len(names_in(network))}, about=about, shown=shown)


def described(x):
    """Return a network as text: Module(w=Parameter a, layers=[Parameter b])."""
    if isinstance(x, tuple):
        return f"{x[0].capitalize()} {x[1]}"
    if isinstance(x, list):
        return f"[{', '.join(map(described, x))}]"
    return f"Module({', '.join(f'{name}={described(part)}' for name, part in x.items())})" if isinstance(x, dict) else repr(x)


def names_in(x):
    """Return the set of the names of the parameters in a network."""
    if isinstance(x, tuple):
        return {x[1]} if x[0] == "parameter" else set()
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
    return {name for part in parts for name in names_in(part)}


# END CHECK
