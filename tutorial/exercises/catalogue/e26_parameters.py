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
                # ~ lists-one-deep M32: for part in (part for part in x if not isinstance(part, list)):
                collect(part)
        elif isinstance(x, Module):
            for part in vars(x).values():
                # ~ by-name M44: for part in (vars(x)[name] for name in sorted(vars(x))):
                # ~ backwards M44: for part in list(vars(x).values())[::-1]:
                collect(part)

    collect(module)
    return found
    # ~ another-order M44: return list(set(found))
    # ~ missing M32: return found[:1]
    # ~ kept M40: last, parameters.last = getattr(parameters, "last", []), found; return [x for x in found if x not in last]
    # ~ not-a-list M44: return {x.name: x for x in found}
    # ~ not-parameters M49: return [x.data for x in found]
    # END SOLUTION


# MUTANT one-level M32
#     found = []
#     for part in vars(module).values():
#         for x in part if isinstance(part, list) else [part]:
#             if isinstance(x, Parameter) and x not in found:
#                 found.append(x)
#     return found
# MUTANT own-first M44
#     found = [x for x in vars(module).values() if isinstance(x, Parameter)]
#     parts = [y for x in vars(module).values() for y in (x if isinstance(x, list) else [x])]
#     for x in parts:
#         more = [x] if isinstance(x, Parameter) else parameters(x) if isinstance(x, Module) else []
#         found += [p for p in more if p not in found]
#     return found
# MUTANT same-name M43
#     found = {}
#
#     def collect(name, x):
#         if isinstance(x, Parameter):
#             found.setdefault(name, x)
#         elif isinstance(x, (list, Module)):
#             for name, part in enumerate(x) if isinstance(x, list) else vars(x).items():
#                 collect(name, part)
#
#     collect("", module)
#     return list(dict.fromkeys(found.values()))
# MUTANT modules-of-lists M32
#     found = []
#     for part in vars(module).values():
#         if isinstance(part, Parameter):
#             found += [part] * (part not in found)
#         for x in part if isinstance(part, list) else [part]:
#             found += [p for p in (parameters(x) if isinstance(x, Module) else []) if p not in found]
#     return found
# FRAME
class Module:
    """A part of a network."""


class Tensor:
    """A number with a name. In a set, such objects stand in an order that is not theirs."""

    def __init__(self, name, data, place):
        self.name, self.data, self.place = name, data, place

    def __hash__(self):
        return self.place

    def __eq__(self, other):
        return self is other


class Parameter(Tensor):
    """A number that is trained."""


class Buffer(Tensor):
    """A number that is not trained."""


def parameters_of(network):
    """Return the names of the parameters, of two calls; `network` is {attribute: (kind, name, number), a network, a list, or another}."""
    made_of_it = built(network)
    return listed(parameters(made_of_it)), listed(parameters(made_of_it))


def listed(found):
    """Return the names in a list, and the type of what has no name there; of what is not a list, its type."""
    if not isinstance(found, list):
        return type(found).__name__
    return [x.name if isinstance(x, Tensor) else type(x).__name__ for x in found]


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


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "A network is a tree: modules and lists hold other modules and lists. Which walk comes to each of its leaves?",
    "Write a function for one object, which asks what it is: a parameter is noted, and the parts of a list or of a module are visited.",
    "Let the function call itself for each part of a list, and for each value of vars of a module. Before it notes a parameter, it asks "
    "with `is` whether this very object was noted. Everything else is passed over.",
)
PREDICT = (
    "A network has 3 layers with a weight and a bias each. Two layers share their weight. How many arrays are in the list?",
    5,
    {
        6: "You counted the shared weight twice.",
        4: "The two layers share their weight. Each has a bias of its own.",
        3: "You counted layers, or weights with a shared one. Each layer has two arrays, and one weight counts once.",
    },
)
TITLE = "The list is not that of the parameters"
SAID = {
    "not-a-list": "{judged} An optimiser goes through a list.",
    "not-parameters": "{judged} Only parameters belong there, as they are: an optimiser changes them.",
    "buffers": "{judged} A buffer is not trained.",
    "tied-twice": "{judged} An optimiser would move it twice in each step. Two names may stand for one parameter.",
    "equal-numbers": "{judged} Two parameters with equal numbers are two. Ask with `is` for the object.",
    "no-lists": "{judged} It stands in a list. Layers often stand in one, and then they are not trained.",
    "first-of-list": "{judged} It stands in a list behind the first entry, which you have.",
    "lists-one-deep": "{judged} It stands in a list that stands in a list.",
    "modules-of-lists": "{judged} It stands in a list itself. A list holds parameters, or modules, or both.",
    "one-level": "{judged} It stands in a module inside a module, which may hold more of them.",
    "same-name": "{judged} Another module has an attribute of the same name. The name of an attribute does not say which parameter it is.",
    "missing": "{judged} A network holds it, so it is trained.",
    "by-name": "{judged} That is the order of the names of the attributes. The list follows vars of the module.",
    "backwards": "{judged} That is the order of vars from its end. The list follows vars from its beginning.",
    "own-first": "{judged} That takes a module's own parameters first, and what is inside its parts later. A part stands at the place "
    "of its attribute.",
    "another-order": "{judged} A set has no order. An optimiser finds its numbers for a parameter by the place in the list.",
    "kept": "{judged} The second call must not know of the first. A global name, a default argument, or a mark on an object outlives a "
    "call.",
}
ASKED = {
    "not-a-list": "What does your function return?",
    "not-parameters": "What is each entry of your list?",
    "buffers": "Which of these does an optimiser change?",
    "tied-twice": "Before a parameter is noted, who asks whether it was noted elsewhere in the network?",
    "equal-numbers": "Are two zeros one parameter?",
    "no-lists": "What is the type of each attribute?",
    "first-of-list": "How long are the lists of the network?",
    "lists-one-deep modules-of-lists": "What may an entry of a list be?",
    "one-level": "How deep is the network?",
    "same-name": "How many parameters of the network are called weight?",
    "missing": "Which way leads from the network to it?",
    "by-name": "In which order were the attributes made?",
    "backwards": "Which attribute was made first?",
    "own-first": "Which attribute comes first?",
    "another-order": "Is the order of a set that in which you have put things in?",
    "kept": "What is left of the first call when the second one begins?",
}


def probes(random):
    """Yield one parameter, several, a buffer, nested modules, lists, shared parameters, equal numbers, and all of it."""
    number = lambda: random.randint(2, 99)
    p = {name: ("parameter", name, number() + 100 * k) for k, name in enumerate("abcdefgh")}
    mean = ("buffer", "mean", number())
    layer = {"weight": p["c"], "bias": p["b"]}
    yield probe({"w": p["a"], "rate": number(), "name": "net"}, "one parameter")
    yield probe({"w": p["b"], "a": p["a"], "k": p["c"]}, "three parameters")
    yield probe({"w": p["a"], "mean": mean, "b": p["b"]}, "a parameter, a buffer, a parameter")
    yield probe({"layer": layer, "scale": p["a"]}, "a module in a module")
    yield probe({"layers": [layer, {"w": p["d"]}], "a": p["a"]}, "a list of modules")
    yield probe({"layers": [p["a"], p["b"], p["c"]]}, "a list of parameters")
    yield probe({"inner": {"layers": [layer, {"w": p["d"]}], "a": p["a"]}}, "a list of modules in a module")
    yield probe({"one": {"w": p["b"], "b": p["a"]}, "two": {"w": p["d"], "b": p["c"]}}, "two modules with the same attributes")
    yield probe({"encoder": {"w": p["a"], "b": p["b"]}, "decoder": {"w": p["a"], "c": p["c"]}}, "two modules share a parameter")
    yield probe({"one": ("parameter", "one", 0), "two": ("parameter", "two", 0)}, "two parameters with the number 0")
    names = random.sample("abcdefgh", 8)
    x = [p[name] for name in names]
    deep = {"z": [{"k": x[0], "a": [x[1], {"m": mean, "b": x[2]}]}, {"k": x[0]}], "y": {"d": x[3], "c": {"q": x[4], "o": x[1]}}, "x": x[5]}
    yield probe(deep, "a network with all of it")
    yield probe({"v": [[x[7], x[6]], [x[5], [x[7]]]], "u": deep}, "lists in lists")


def probe(network, about):
    return Probe((network,), about=about, shown=f"net = {described(network)}\nparameters(net)")


# The verdict


def judge(got, probe):
    """Return what is wrong with the list of the first call, or with that of the second, or None."""
    (network,) = probe.arguments
    right, (first, second) = wanted(network), of_two_calls(got)
    if first == second == right:
        return None
    name = fault(first, network)
    was = f"The list is {first}." if isinstance(first, list) else f"The answer is of the type {first}."
    if name is None:
        return f"A second call for the same network gives {second}, and the first one gave {first}."
    if name in ("not-a-list", "not-parameters", "buffers"):
        return was
    if name == "tied-twice":
        return f"{was} {next(x for x in first if first.count(x) > 1)} stands there more than once."
    lost = next((x for x in right if x not in first), None)
    return f"{was} {lost} is missing." if lost else f"{was} It should be {right}."


CALLS = 2  # of parameters, for each network


def of_two_calls(got):
    """Return what two calls gave, lists of names or the names of types; of what is not a pair, twice its type: anything may be sent."""
    pair = got if isinstance(got, (list, tuple)) and len(got) == CALLS else (got, got)
    return [x if isinstance(x, str) or isinstance(x, list) and all(isinstance(name, str) for name in x) else type(x).__name__ for x in pair]


def named(got, probe):
    return fault(of_two_calls(got)[0], *probe.arguments) or "kept"


def fault(found, network):
    """Return the name of what is wrong with the list of a network, or None."""
    right, places = wanted(network), list(places_in(network))
    if not isinstance(found, list):
        return "not-a-list"
    if any(x not in [name for name, *_ in places] for x in found):
        return "not-parameters"
    if any(x not in right for x in found):
        return "buffers"
    lost = [path for name, _, path in places if name in right and name not in found]
    if lost:
        return reason(lost, [(name, number, path) for name, number, path in places if name in found], right, places)
    if len(found) > len(set(found)):
        return "tied-twice"
    return None if found == right else next((name for name, order in ORDERS if found == order(network)), "another-order")


def reason(lost, kept, right, places):
    """Return why parameters may be missing that stand at the places `lost`: ("M", "w") is attribute w of a module, ("L", 2) entry 2 of a "
    "list."""
    kinds = lambda path: "".join(kind for kind, _ in path)
    numbers = [number for _, number, _ in places]
    if len(set(numbers)) < len(right):
        return "equal-numbers"
    if all("LL" in kinds(path) for path in lost):
        return "lists-one-deep"
    if all("L" in kinds(path) for path in lost):
        first = lambda path: next(k for kind, k in path if kind == "L") == 0
        if any("L" in kinds(path) for _, _, path in kept) and not any(map(first, lost)):
            return "first-of-list"
        return "no-lists" if any("LM" in kinds(path) for _, _, path in places) else "modules-of-lists"
    if all(path[-1] in [other[-1] for _, _, other in kept] for path in lost):
        return "same-name"
    return "one-level" if all(len(path) > 1 for path in lost) else "missing"


def wanted(network):
    """Return the names of the parameters of a network, each once."""
    return once(name for name, _, _ in places_in(network, ("parameter",)))


def places_in(x, kinds=("parameter", "buffer"), path=()):
    """Yield (name, number, path) of each place at which a network holds a parameter or a buffer."""
    if isinstance(x, tuple):
        if x[0] in kinds:
            yield x[1], x[2], path
    elif isinstance(x, (dict, list)):
        for k, part in x.items() if isinstance(x, dict) else enumerate(x):
            yield from places_in(part, kinds, (*path, ("M" if isinstance(x, dict) else "L", k)))


def once(names):
    return list(dict.fromkeys(names))


def by_level(network, kinds="ML"):
    """Return the names level after level; of modules alone, or of lists, too."""
    level = lambda place: sum(kind in kinds for kind, _ in place[2])
    return once(name for name, _, _ in sorted(places_in(network, ("parameter",)), key=level))


def sorted_by_name(x, key=lambda item: item[0]):
    if isinstance(x, dict):
        return {name: sorted_by_name(part, key) for name, part in sorted(x.items(), key=key)}
    return [sorted_by_name(part, key) for part in x] if isinstance(x, list) else x


def turned(x):
    if isinstance(x, dict):
        return {name: turned(part) for name, part in reversed(x.items())}
    return [turned(part) for part in x] if isinstance(x, list) else x


def own_first(x):
    """Return the names of a module: those of its own parameters first, then those of its parts."""
    parts = [y for part in x.values() for y in (part if isinstance(part, list) else [part])]
    own = [part[1] for part in x.values() if isinstance(part, tuple) and part[0] == "parameter"]
    return once(own + [name for part in parts for name in (own_first(part) if isinstance(part, dict) else wanted(part))])


ORDERS = (
    ("by-name", lambda network: wanted(sorted_by_name(network))),
    ("backwards", lambda network: wanted(turned(network))),
    ("own-first", own_first),
    ("own-first", by_level),
    ("own-first", lambda network: by_level(network, "M")),
)


def described(x):
    """Return a network as text: Module(w=Parameter a, layers=[Parameter b])."""
    if isinstance(x, tuple):
        return f"{x[0].capitalize()} {x[1]}"
    if isinstance(x, list):
        return f"[{', '.join(map(described, x))}]"
    return f"Module({', '.join(f'{name}={described(part)}' for name, part in x.items())})" if isinstance(x, dict) else repr(x)
