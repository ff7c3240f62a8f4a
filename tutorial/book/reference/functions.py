"""A page for each public function: of arrays, written from the tables: formula, partials, kinks, graph, example, other libraries."""

import hashlib
import re
import sys
from base64 import b64encode
from functools import cache
from importlib import resources
from inspect import signature
from pathlib import Path

import numpy

from scalargrad.formulas.symbols import Name, Ratio
from tensorgrad.errors import numpy_meanings
from tensorgrad.errors.torch_names import in_torch
from tensorgrad.families import FAMILIES, PUBLIC
from tensorgrad.inspection.memory import memory
from tensorgrad.numpy_dispatch import DISPATCH
from tutorial.book.reference import rooms, tools
from tutorial.book.reference.drawings import at_example, contributions, drawing
from tutorial.book.reference.examples import ROWS, cells, shown_as_cells
from tutorial.book.reference.markdown import ORPHAN, as_markdown, display, escaped, first_sentence, index_entry, paragraphs, signature_block
from tutorial.book.reference.typeset import displayed

OF_ROWS = ("With y = ", "Where the derivative is a choice: ")  # paragraphs of a docstring that the table says too
STAMP = "functions/digest.txt"


def pages(book, folder):
    """Give the page of each function, those of the other public names, and the index of all of them: names and Markdown.

    The pages that are in `folder` are given again, if nothing has changed that they are computed from.
    """
    stamp = digest(book)
    if (folder / STAMP).exists() and (folder / STAMP).read_text(encoding="utf-8") == stamp:
        yield from ((path.relative_to(folder), path.read_bytes()) for path in sorted((folder / "functions").glob("*.md")))
    else:
        for family in FAMILIES:
            yield from ((f"functions/{name}.md", function_page(name, PUBLIC[name], family, book)) for name in family.__all__)
        yield from tools.pages()
        yield from rooms.pages()
        yield "functions/index.md", index()
    yield STAMP, stamp


def digest(book):
    """Return a digest of all that pages are computed from: the packages, the versions of Python and NumPy, who uses what in `book`."""
    found = hashlib.sha256(f"{sys.version} {numpy.__version__}".encode())
    for package in ("scalargrad", "tensorgrad", "viz", "tutorial"):
        for path in sorted(Path(str(resources.files(package))).rglob("*.py")):
            found.update(path.read_bytes())
    found.update(repr(uses(Path(book)) if book else "").encode())
    return found.hexdigest()


def function_page(name, function, family, book=None):
    about, *more = paragraphs(function.__doc__)
    parts = [
        f"{ORPHAN}# {name}\n\n{index_entry(name)}",
        as_markdown(about),
        signature_block(name, function),
        *(shown(part, function) for part in more if not part.startswith(OF_ROWS)),
        *(formulas(ROWS[name]) if name in ROWS else []),
        f"## Example\n\n{shown_as_cells(cells(name, function))}",
        *graph(name, function),
        elsewhere(name, function),
        *onward(name, family, book),
        f"Family: [{title(family)}](#{anchor(family)}). Source: `{path(family)}`"
        + (" and the row in `scalargrad/rules.py`." if name in ROWS else "."),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def onward(name, family, book):
    """Return the section on where to go on: related functions, and the chapters that use this one."""
    lines = [f"- [{other}]({other}.md): {escaped(first_sentence(PUBLIC[other].__doc__))}" for other in beside(name, family)]
    most = uses(Path(book)).get(name, [])[:MOST_CHAPTERS] if book else []  # the chapter that uses it most often first
    chapters = ", ".join(f"[](../chapters/{chapter}.md)" for chapter, _ in most)
    said = [f"In the book: {chapters}."] if chapters else []
    return ["## Related", "\n".join(lines), *said] if lines else said


def shown(part, function):
    """Return a paragraph of a docstring as Markdown. Indented lines that are equations are typeset."""
    said, *lines = part.split("\n")
    if lines and all(line.startswith("    ") and "=" in line for line in lines):
        return "\n\n".join([escaped(said), "\n".join(displayed(line.strip(), signature(function).parameters) for line in lines)])
    return as_markdown(part)


def formulas(row):
    """Return the sections on the formula of a row, its partials and its kinks. The engine computes with these partials."""
    args, y, parts = [Name(n) for n in row.parameters], Name("y"), []
    if "dz/d" not in row.formula:  # with it the docstring says both, without what keeps a program from overflow
        parts += ["## Formula", value] if (value := formula(row, args)) else []
        called = f"{row.name}({', '.join(row.parameters)})".replace("_", "\\_")
        parts += ["## Partial derivatives", f"With y = {called}:"]
        parts += [display(Ratio("∂", "y", n), row.partial(k, args, y)) for k, n in enumerate(row.parameters)]
    return parts + (["## Where the derivative is a choice", as_markdown(row.kinks[0].upper() + row.kinks[1:] + ".")] if row.kinks else [])


def formula(row, args):
    """Return the value of a row as a formula, or None if it is not composed of other rows."""
    try:
        return display(row.value(*args))
    except TypeError:  # such as BranchOnSymbol: Python computes it
        return None


def graph(name, function):
    """Return the sections with the backward pass and with the graph at the numbers of the example, if there is one."""
    found = at_example(name, function)
    if found is None:
        return []
    y = found.y
    said = "\n\n".join(paragraphs(function.__doc__))
    formulas = [] if "dz/d" in said or name in ROWS else contributions(y)
    names = signature(function).parameters
    backward = ["## Backward pass\n", *(displayed(formula, names) for formula in formulas)] if formulas else []
    words = "At the numbers of an example, with the partial derivatives at the arrows." if name in ROWS else "At the arrays of the example."
    image = f'<img alt="graph of {name}" src="data:image/svg+xml;base64,{b64encode(drawing(y).svg.encode()).decode()}">'
    return ["\n".join(backward), "## Graph", words, f'<div class="drawing">{image}</div>', *shapes(found)]


def shapes(found):
    """Return the table of the arrays of an example: their shapes, and which of them the function keeps for the backward pass."""
    if not found.leaves:
        return []
    saved = {kept for row in memory(found.y).rows for kept in row.saved}
    shape = lambda x: " × ".join(map(str, x.shape)) or "a number"
    rows = [f"| {escaped(x.name)} | {shape(x)} | {'yes' if x.name in saved else 'no'} |" for x in (*found.leaves, found.y) if x.name]
    said = "The gradient of each array has its shape. What is kept is released when the backward pass has used it."
    return ["## Shapes in the example", "\n".join(["| array | shape | kept for the backward pass |", "|---|---|---|", *rows]), said]


def elsewhere(name, function):
    """Return the section on other libraries. NumPy's functions are those that call ours when they get a tensor."""
    theirs = [f"`{module(np_function)}.{np_function.__name__}`" for np_function in numpy_functions().get(id(function), [])]
    same = getattr(numpy, name, None)
    numpy_names = ", ".join(theirs) or (f"`numpy.{name}`, which does not accept tensors" if callable(same) else "no such function")
    torch = in_torch(name)
    renamed = [
        f"`{ours}` is `{name_in_torch}` there"
        for ours, name_in_torch in RENAMED.items()
        if torch and ours in signature(function).parameters
    ]
    lines = [
        f"- NumPy: {numpy_names}.",
        f"- PyTorch: {f'`{torch}`' if torch else 'no such function'}.{' '.join(['', *renamed])}{'.' * bool(renamed)}",
        *[f"- {said}" for said in numpy_meanings.said_of(name)],
    ]
    return "\n".join(["## In NumPy and PyTorch", "", *lines])


RENAMED = {"axis": "dim", "keepdims": "keepdim"}


@cache
def numpy_functions():
    found = {}
    for theirs, ours in DISPATCH.items():
        found.setdefault(id(ours), []).append(theirs)
    return found


def module(function):
    return getattr(function, "__module__", None) or "numpy"


def index():
    """Return the page that lists all functions by family, and the modules, optimisers and data sets by package."""
    about = (
        "Each public name has its place here. The page of a function of arrays is written from the table of rules that the engine "
        "computes with; the other pages are written from what Python's `help` shows."
    )
    parts = ["# Functions and modules", about, tools.section(), *rooms.index(), "## Functions of arrays", *numpys()]
    return "\n\n".join([*parts, *map(section, FAMILIES)]) + "\n"


def numpys():
    """Return the part of the index on names that mean NumPy's function."""
    about = f"{as_markdown(numpy_meanings.ABOUT)} The last column gives PyTorch's result here."
    return ["### Names of NumPy and PyTorch", about, numpy_meanings.markdown()]


def section(family):
    lines = [f"- [{name}]({name}.md): {escaped(first_sentence(PUBLIC[name].__doc__))}" for name in family.__all__]
    return "\n\n".join([f"({anchor(family)})=", f"### {title(family)}", escaped(first_sentence(family.__doc__)), "\n".join(lines)])


def title(family):
    return family.__name__.rpartition(".")[2].replace("_", " ").capitalize()


def anchor(family):
    return "family-" + family.__name__.rpartition(".")[2].replace("_", "-")


def path(family):
    return family.__name__.replace(".", "/") + ".py"


MOST_CHAPTERS, MOST_FUNCTIONS = 4, 6
USE = re.compile(r"\b(?:tg|tensorgrad|np|F)\.([a-z]\w*)\(|`(?:tg\.|np\.)?([a-z]\w*)(?:\([^`]*\))?`|(?:^|[ (=\[])([a-z]\w*)\(", re.M)
PYTHON = {"sum", "max", "min", "abs", "round", "sorted", "all", "any", "pow"}  # as calls they are Python's, without a prefix


@cache
def uses(book):
    """Return {function: [(chapter, how often)]} of the chapters in a book."""
    found: dict = {}
    for path in sorted((book / "chapters").glob("*.md")):
        for match in USE.finditer(path.read_text(encoding="utf-8")):
            name = match[1] or match[2] or match[3]
            if name in PUBLIC and not (match[3] and name in PYTHON):
                count = found.setdefault(name, {})
                count[path.stem] = count.get(path.stem, 0) + 1
    return {name: sorted(count.items(), key=lambda item: -item[1]) for name, count in found.items()}


def beside(name, family):
    """Return the names of related functions: those that the docstring names, then the next ones in the family.

    >>> from tensorgrad.functions import activations
    >>> beside("selu", activations)[:2]
    ['prelu', 'celu']
    """
    said = [word for word in re.findall(r"`(\w+)`", PUBLIC[name].__doc__ or "") if word in PUBLIC]
    names = list(family.__all__)
    at = names.index(name)
    near = sorted(names, key=lambda other: abs(names.index(other) - at))
    found = dict.fromkeys([*said, *near])
    return [other for other in found if PUBLIC[other] is not PUBLIC[name]][:MOST_FUNCTIONS]
