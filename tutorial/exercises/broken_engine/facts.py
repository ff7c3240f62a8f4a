"""The fields of the sentences in `tutorial.misconceptions`: the names and numbers of the graph on which an engine differs."""

from viz.text.formatter import UNICODE


def facts(found):
    """Return {field: text} for a difference: its first wrong variable, its children, and the variables that the sentences speak of."""
    numbers, row = found.numbers, found.first
    fields = {"z_value": number_text(numbers.values[numbers.z]), "changed": found.changed} | key_of(found.error)
    if row is None:
        return fields
    dead = [name for name in numbers.made if name not in numbers.children]
    with_dead = [x for y in dead for x in numbers.inputs[y] if x in numbers.children]
    return fields | {
        "x": row.name,
        "got": number_text(row.got),
        "expected": number_text(row.expected),
        "twice": number_text(found.program.calls * numbers.totals[row.name]),
        "terms": terms(numbers, row.name),
        "shared": next(iter(shared(numbers)), row.name),
        "dead": next(iter(with_dead), row.name),
    }


def shared(numbers):
    """Return the variables that are used more than once, those that a function made first."""
    found = [x for x in numbers.order if len(numbers.children[x]) > 1]
    return sorted(found, key=lambda x: not numbers.inputs[x])


def key_of(error):
    """Return the fields of a KeyError: the key, or its two parts."""
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    if isinstance(key, tuple) and len(key) == 2:
        return {"y": str(key[0]), "x": str(key[1])}
    return {"x": str(key)} if key is not None else {}


def terms(numbers, x):
    """Return the terms of equation (1) for x, in numbers: y gives 2 · 3 = 6, z gives 1 · 5 = 5."""
    found = []
    for y, slot in numbers.children.get(x, ()):
        upstream, partial = numbers.totals[y], numbers.partials[y][slot]
        found.append(f"{y} gives {number_text(upstream)} · {factor(partial)} = {number_text(upstream * partial)}")
    return ", ".join(found) or "none"


def factor(x):
    return f"({number_text(x)})" if x < 0 else number_text(x)


def number_text(x):
    """Return a number as the page writes it; `nothing` for None; words as they are."""
    return "nothing" if x is None else x if isinstance(x, str) else UNICODE.number(x)
