"""What the locals of code hold, and the lists, dictionaries, arrays of objects and objects among them; how code writes each: x[0],
params[w], body.x.
"""

from dis import get_instructions
from functools import cache
from inspect import CO_OPTIMIZED, CO_VARARGS, CO_VARKEYWORDS
from itertools import islice, product
from types import FunctionType, ModuleType, NoneType

MOST_ITEMS = 1000  # of a local, with the items of its items; one that holds more gives none of them a name
DEEPEST = 8  # lists in lists, objects in lists in objects: model.layers[0].neurons[0].w[1] is the sixth
RECORDS = ("scalargrad.", "tensorgrad.", "viz.")  # of objects of ours only the attributes: a record of a graph holds all its variables
GENERIC = {"other", "_"}
STORES, REORDERS = ("STORE_FAST", "STORE_DEREF", "STORE_NAME", "STORE_GLOBAL"), ("UNPACK_", "SWAP")
LISTS = list | tuple | dict
PLAIN = {bool, int, float, complex, str, NoneType, FunctionType}  # the kinds of most items; none is a variable, and none holds any


class Item(str):
    """What code calls an item: for the key w of the dictionary params that is w, and its `path` params[w], as others may have this key."""

    __slots__ = ("path",)
    path: str

    def __new__(cls, text, path):
        name = super().__new__(cls, text)
        name.path = path
        return name


def path_of(name):
    """Return a name with the containers around it; the name itself if it is that of a variable."""
    return getattr(name, "path", name)


def container_of(path):
    """Return the outermost container of an item, params of params[w]; the name itself of a variable."""
    return path.replace(".", "[").partition("[")[0]


def alike(held):
    """Return the names of those dictionaries in [(name, object)] of which others hold something else under a key, or as a variable.

    >>> sorted(alike([("weight", {"age": 0.5}), ("house", {"age": 3, "rooms": 4}), ("rates", {"k": 0.1}), ("size", {"b": 2}), ("b", 7)]))
    ['house', 'size', 'weight']
    """
    found: dict = {}
    for name, x in held:
        found.setdefault(name, {}).setdefault(id(x), [])
        for key, item in x.items() if isinstance(x, dict) and len(x) <= MOST_ITEMS else ():
            if type(key) is str:
                found.setdefault(key, {}).setdefault(id(item), []).append(name)
    return {name for different in found.values() if len(different) > 1 for names in different.values() for name in names}


@cache
def is_record(kind):
    return kind.__module__.startswith(RECORDS)


@cache
def may_hold_items(kind):
    return issubclass(kind, LISTS) or kind.__name__ == "ndarray"


def holds_items(held):
    """Return whether this is a list, a tuple, a dictionary, or an array of objects that is not too long."""
    if not may_hold_items(type(held)):
        return False
    return len(held) <= MOST_ITEMS if isinstance(held, LISTS) else held.dtype == object and held.size <= MOST_ITEMS


@cache
def has_attributes(kind):
    """Return whether objects of a class have attributes that may be variables; those of variables, classes and functions are not."""
    others = LISTS | type | ModuleType
    return kind.__dictoffset__ != 0 and not issubclass(kind, others) and not hasattr(kind, "__get__") and not hasattr(kind, "inputs")


def items_of(held):
    """Return (key, object) for each item, or each attribute."""
    if isinstance(held, list | tuple):
        return enumerate(held)
    if isinstance(held, dict):
        return held.items()
    if may_hold_items(type(held)):
        return ((place, held[place]) for place in product(*map(range, held.shape)))
    return ((key, x) for key, x in getattr(held, "__dict__", {}).items() if not key.startswith("_"))


def item_of(name, held, key):
    """Return how code writes an item, or an attribute, of what it calls `name`."""
    if may_hold_items(type(held)):
        text = ",".join(map(str, key)) if type(key) is tuple else str(key)
        path = f"{path_of(name)}[{text}]"
        return Item(key if type(key) is str else f"{name}[{text}]", path)
    own, path = ("", "") if name == "self" else (f"{name}.", f"{path_of(name)}.")
    return Item(own + key, path + key)


def within(name, held, is_wanted):
    """Return [(how code writes it, object)] for what is wanted of what a list, an array, a dictionary or an object holds.

    Code calls this one `name`. The items of the items follow the outer ones, unless there are more than MOST_ITEMS. Texts are written
    last, since most of what is looked at is not wanted.
    """
    found: list = []
    level: list = [(held, None, None)] if has_attributes(type(held)) or holds_items(held) else []  # (object, its key in another, the other)
    seen, met = 0, {id(held)}  # met: an object that knows the one around it leads back
    for _ in range(DEEPEST):
        inner, wanted = [], []
        for place in level:
            for key, x in islice(items_of(place[0]), MOST_ITEMS + 1 - seen):
                seen += 1
                kind = type(x)
                if kind in PLAIN:
                    continue
                if is_wanted(x):
                    wanted.append((x, key, place))
                if (has_attributes(kind) or may_hold_items(kind) and holds_items(x)) and id(x) not in met and not is_record(type(place[0])):
                    met.add(id(x))
                    inner.append((x, key, place))
        if seen > MOST_ITEMS:
            break
        found += wanted
        level = inner
    written = lambda x, key, outer: item_of(written(*outer), outer[0], key) if outer else name
    return [(written(*place), place[0]) for place in found]


# The locals of code


def is_a_name(text):
    """Return whether code calls a variable so, and not Python or a test's own machinery."""
    return text.isidentifier() and not text.startswith("__") and text not in GENERIC


@cache
def names_in(code):
    """Return {name: whether it only walks over what others hold} for the locals that code assigns, in the order of their assignments.

    The variable of a loop walks, that of a comprehension too, and what is only assigned an item: xi = x[i]. A module has all its names.
    """
    if code.co_flags & CO_OPTIMIZED:
        flags = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
        given, all_names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + flags], (*code.co_varnames, *code.co_cellvars)
    else:
        given, all_names = (), code.co_names
    found, walks = dict.fromkeys(given, False), False
    for instruction in get_instructions(code):
        if instruction.opname.startswith(STORES):
            stored = instruction.argval if type(instruction.argval) is tuple else (instruction.argval,)
            found |= {name: walks and found.get(name, True) for name in stored}
        elif not instruction.opname.startswith(REORDERS):
            walks = instruction.opname in {"FOR_ITER", "BINARY_SUBSCR"} or instruction.argrepr == "[]"  # the latter since Python 3.14
    return {name: found.get(name, False) for name in dict.fromkeys((*found, *all_names)) if name in all_names and is_a_name(name)}


def locals_of(frame):
    """Return [(name, object)] for the locals of a frame, in the order of their assignments."""
    held = frame.f_locals
    if frame.f_code.co_flags & CO_OPTIMIZED:
        held = {name: held[name] for name in names_in(frame.f_code) if name in held} | held
    return list(held.items())


def written_in(held, is_wanted):
    """Yield (how code writes it, object) for [(name, object)]: names with the items of lists first, then attributes of objects.

    Of items and attributes it yields those that are wanted.
    """
    results = dict(held).get("_oh", held)  # of a notebook's cells, which IPython also calls Out
    held = [(n, x) for n, x in held if is_a_name(n) and x is not results]
    several = alike(held)
    for n, x in held:
        if n != "self":
            yield n, x
            if n[0] != "_" and holds_items(x):
                yield from ((path_of(name) if n in several else name, item) for name, item in within(n, x, is_wanted))
    for n, x in held:
        if n[0] != "_" and has_attributes(type(x)):
            yield from within(n, x, is_wanted)
