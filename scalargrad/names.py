"""Find the names that variables have in the user's code."""

from itertools import chain, count

from scalargrad.callers import callers
from scalargrad.formulas.text import split_name
from scalargrad.graph import node_of

_GENERIC = {"self", "other", "_"}


def called(*variables):
    """Return {variable: its name in the user's code}. If several frames have a name, the innermost frame's is used."""
    wanted, found = {id(node_of(v)): v for v in variables}, {}
    for frame in callers():
        for name, held in [*frame.f_locals.items(), *frame.f_globals.items()]:
            x = node_of(held)
            if id(x) in wanted and wanted[id(x)] not in found and not name.startswith("__") and name not in _GENERIC:
                found[wanted[id(x)]] = name
            elif type(x) in (list, tuple) and len(x) <= 1000 and not name.startswith("_"):
                for i, item in enumerate(map(node_of, x)):
                    if id(item) in wanted and wanted[id(item)] not in found:
                        found[wanted[id(item)]] = f"{name}[{i}]"
        if len(found) == len(wanted) or frame.f_code.co_name == "<module>":
            break
    return found


def called_one(variable):
    """Return a variable as messages write it: its own name, its name in the user's code, or its repr."""
    return getattr(variable, "name", None) or called(variable).get(variable) or repr(variable)


def name_all(graph, given=None):
    """Return {variable: name} for a graph, where no two names look alike, as x2 and x_2 do.

    A name is the variable's own, the one in `given`, the one in the user's code, or v1, v2, … in order. If two variables have the
    name x, the later one gets the first free name of x_2, x_3, ….
    """
    given = given or {}
    unnamed = [v for v in graph.variables if not v.name and v not in given]
    found = called(*unnamed) if unnamed else {}
    wishes = {v: v.name or given.get(v) or found.get(v) for v in graph.variables}
    wanted, taken, names = {split_name(wish) for wish in wishes.values() if wish}, set(), {}
    for v, wish in wishes.items():
        if wish:
            others = (name for name in (f"{wish}_{i}" for i in count(2)) if split_name(name) not in wanted)
            names[v] = _first_free(chain([wish], others), taken)
    numbered = (f"v{i}" for i in count(1))
    for v in graph.variables:
        if v not in names:
            names[v] = _first_free(chain(["z"] if v is graph.z else [], numbered), taken)
    return names


def _first_free(candidates, taken):
    """Return the first candidate that does not look like a name that is taken."""
    name = next(name for name in candidates if split_name(name) not in taken)
    taken.add(split_name(name))
    return name
