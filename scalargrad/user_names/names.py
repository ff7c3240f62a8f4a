"""Find the names that variables have in the user's code."""

from collections import Counter
from functools import cache
from itertools import accumulate, chain, count

from scalargrad.callers import callers
from scalargrad.formulas.text import look
from scalargrad.graph import by_key, node_of, scopes_of
from scalargrad.user_names.held_items import container_of, locals_of, path_of, written_in
from scalargrad.user_names.local_names import Local
from scalargrad.user_names.made_at import returned_by

USUAL = "z"  # what a picture calls a result without a name; if the caller calls it so, its name in the function that made it says more


class Numbered(str):
    """The name v1, v2, … of a variable that has none in the program."""

    __slots__ = ()


def called(*variables):
    """Return {variable: its name in the user's code}. If several frames have a name, the innermost frame's is used."""
    wanted, found, looked_at = {id(node_of(v)): v for v in variables}, {}, set()
    kinds = {type(v) for v in variables}
    is_wanted = lambda x: (type(x) in kinds or has_node(type(x))) and id(node_of(x)) in wanted
    for frame in callers() if wanted else ():
        held = locals_of(frame)
        if id(frame.f_globals) not in looked_at:  # several functions on the stack may be of one module
            looked_at.add(id(frame.f_globals))
            held += frame.f_globals.items()
        for name, x in written_in(held, is_wanted):
            v = wanted.get(id(node_of(x)))
            if v is not None and v not in found:
                found[v] = name
        if len(found) == len(wanted) or frame.f_code.co_name == "<module>":
            break
    return found


@cache
def has_node(kind):
    return hasattr(kind, "node")


def called_one(variable):
    """Return a variable as messages write it: its own name, its name in the user's code, or its repr."""
    return getattr(variable, "name", None) or called(variable).get(variable) or repr(variable)


def name_all(graph, given=None):
    """Return {variable: name} for a graph, where no two names look alike, as x2 and x_2 do.

    A name is the variable's own, the one in `given`, the one in the caller's code, the one that it had where it was made
    (see `named`), that of the function that returned it with a number, or v1, v2, … in order; z, or `result` beside another z, for the
    last variable. If variables in different scopes have the name w, they become layer1.w and layer2.w. Otherwise the later ones get the
    first free names of w_2, w_3, …; those of a local, which a loop assigns, are w_1, w_2, …, and w_0 is the leaf from which they are made.
    """
    wishes = wishes_of(graph, given or {})
    alike = by_key((look(wish), v) for v, wish in wishes.items() if wish)
    better = told_apart(alike, wishes, graph.variables)
    taken, names = set(), {}
    for v, wish in wishes.items():
        if wish:
            others = (name for name in (f"{wish}_{i}" for i in count(2)) if look(name) not in alike)
            names[v] = _first_free(chain([better.get(v, wish), wish], others), taken)
    numbered, nameless = (Numbered(f"v{i}") for i in count(1)), [v for v in graph.variables if v not in names]
    results = Counter(filter(None, map(returned_by, nameless)))
    for v in nameless:
        function = returned_by(v)
        of_function = (f"{function}_{i}" for i in count(1)) if results[function] > 1 else filter(None, [function])
        names[v] = _first_free(chain(["z", "result"] if v is graph.z else of_function, numbered), taken)
    return names


def wishes_of(graph, given):
    """Return {variable: the name that it has, which others may have too; None if it has none}."""
    unnamed = [v for v in graph.variables if not own_name(v) and v not in given]
    found = called(*unnamed) if unnamed else {}
    own = lambda v: v.name and found.get(v) in (v.name, USUAL)  # a local knows its place: h_1, h_2, … of a loop
    of_caller = lambda v: v.name if own(v) else found.get(v)
    return with_paths({v: own_name(v) or given.get(v) or of_caller(v) or v.name for v in graph.variables})


def with_paths(wishes):
    """Return the names; all items of containers of which several have one key have their container before it: start[rain], emit[rain]."""
    paths: dict = {}
    for wish in filter(None, wishes.values()):
        paths.setdefault(look(wish), set()).add(path_of(wish))
    shared = {container_of(path) for found in paths.values() if len(found) > 1 for path in found}
    longer = lambda wish: Local(path_of(wish), wish.place, wish.number) if type(wish) is Local else path_of(wish)
    return {v: longer(wish) if wish and container_of(path_of(wish)) in shared else wish for v, wish in wishes.items()}


def own_name(v):
    """Return the name that the user gave a variable; None if it has none, or only that of a local."""
    return None if type(v.name) is Local else v.name


def told_apart(alike, wishes, variables):
    """Return {v: a better name} where several variables have one name: with the scope that tells them apart, or numbers for locals.

    `alike` is {(name, index): variables}. If a scope stands before w11, it also stands before w12.
    """
    groups = {key: group for key, group in alike.items() if len(group) > 1}
    scopes, better, levels = scopes_of(variables) if groups else {}, {}, {}
    for (base, _), group in groups.items():
        if all(type(wishes[v]) is Local for v in group):
            places, given = {v: wishes[v].place for v in group}, [wishes[v].number for v in group]
            if None not in given and len({*given}) == len(group):
                better |= {v: f"{wishes[v]}_{number}" for v, number in zip(group, given)}
                continue
            group = sorted(group, key=lambda v: (bool(v.inputs), all(places.values()) and places[v]))
            begins = not group[0].inputs and group[1].inputs  # with x_0, of which a loop makes x_1, x_2, …
            free = (name for name in (f"{wishes[group[0]]}_{i}" for i in count(0 if begins else 1)) if look(name) not in alike)
            better |= {v: next(free) for v in group}
        elif found := telling_levels([scopes[v] for v in group]):
            levels[base] = found
        else:  # a scope that holds several of them tells those in other scopes apart
            alone = Counter(scopes[v] for v in group)
            better |= {v: ".".join((*scopes[v], wishes[v])) for v in group if alone[scopes[v]] == 1}
    for (base, _), group in alike.items():
        if base in levels:
            better |= {v: ".".join((*scopes[v][levels[base]], wishes[v])) for v in group if v not in better}
    return better


# The rule of names in pictures: a name has the part of its path that the picture around it does not show. A frame fc3 has a weight; a
# function outside of the frame takes fc3.weight. A page has no frames. It shows the end of the path that no other array has: fc3.weight.


def within_scopes(names):
    """Return {variable: its name within its scope}: w11 instead of layer1.w11, where a picture has frames around scopes.

    Two variables of one formula keep their names if they would look alike: z = a.w·b.w, not w·w.
    """
    scopes = scopes_of(names)
    prefixes = {v: (".".join(path), *path) for v, path in scopes.items()}
    short = {v: next((name[len(s) + 1 :] for s in prefixes[v] if s and name.startswith(f"{s}.")), name) for v, name in names.items()}
    for y in names:
        formula = {v for v in (y, *y.inputs) if v in names}
        alike = Counter(look(short[v]) for v in formula)
        short |= {v: names[v] for v in formula if alike[look(short[v])] > 1}
    return short


def without_frames(names):
    """Return {variable: its name where no frames are around scopes}: that within its scope, if no other variable has it.

    An array then has the shortest end of its name that no other array has: fc1.weight and fc2.weight. A network of numbers has too many.
    """
    short = within_scopes(names)
    arrays = {v: name for v, name in names.items() if getattr(v, "shape", ())}
    often = Counter(end for name in set(arrays.values()) for end in ends_of(name))
    alike = Counter(look(short[v]) for v in arrays)
    unique = lambda name: next((end for end in ends_of(name) if often[end] == 1), name)
    return short | {
        v: max(unique(name), short[v], key=len) for v, name in arrays.items() if max(alike[look(short[v])], often[short[v]]) > 1
    }


def ends_of(name):
    """Return the ends of a dotted name, the shortest first: weight, fc1.weight, net.fc1.weight."""
    return list(accumulate(name.split(".")[::-1], lambda end, part: f"{part}.{end}"))


def telling_levels(paths):
    """Return the first level, as a slice, at which all paths of scopes differ; all levels if none does; None if two paths are the same.

    Before a bare number stands the scope around it: layers.0.
    """
    levels = [slice(k, k + 1) for k in range(max(map(len, paths)))]
    found = next((k for k in (*levels, slice(None)) if len({path[k] for path in paths}) == len(paths)), None)
    if found and found.start and any("".join(path[found]).isdigit() for path in paths):
        return slice(found.start - 1, found.stop)
    return found


def _first_free(candidates, taken):
    """Return the first candidate that does not look like a name that is taken."""
    name = next(name for name in candidates if look(name) not in taken)
    taken.add(look(name))
    return name
