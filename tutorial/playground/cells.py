"""Run the cells of a chapter in the page's Python, in one namespace: what a cell prints, its error, and what its last expression shows."""

from contextlib import redirect_stderr

from scalargrad import Graph, Trace
from scalargrad.fast.freeing import free
from tutorial.playground import variables
from tutorial.playground.runner import Prints, cut, no_keyboard, picture, with_advice
from tutorial.program_error import described
from tutorial.text.program import Program
from viz import notebook

program = Program("page")
program.names["input"] = no_keyboard
files: set[str] = set()  # the names of the cells that have run
ran: dict = {}  # {a cell: its text, and what the names that it changed held before}, in the order of the page
NOTHING = object()  # what a name holds that is not there


def run(source, name, shows, say):
    """Run a cell and return {error, shown}; say(text) is called with what it prints, and errors call the cell by its name.

    error   {text, line, numpy: whether NumPy is missing} or None; shown: {"html": ...}, {"svg": ...} or {"text": ...} for the value of
    the last expression, if there is one and `shows` asks for it.

    >>> prints = []
    >>> run("from scalargrad import Value\\nx = Value(3)", "cell 1", True, prints.append)
    {'error': None, 'shown': {}}
    >>> run("print('hello')\\nx.data + 1", "cell 2", True, prints.append), prints
    ({'error': None, 'shown': {'text': '4'}}, ['hello\\n'])
    """
    alive = variables.alive()  # a graph that the cell drops is freed below, not all at once
    files.add(name)
    cell = name if name.startswith("cell ") else source  # cells that are not shown have one name, and their text never changes
    if cell in ran and ran[cell][0] != source:
        undo(cell)
    before, names = dict(program.names), program.names
    prints, error, shown = Prints(say), None, {}
    with redirect_stderr(prints):
        try:
            value = program.run(source, prints, name).value
            if shows and value is not None:
                shown = shown_by(value)
        except BaseException as wrong:  # SystemExit ends the cell, not the page
            error = described(with_advice(wrong), name, files) | {"numpy": getattr(wrong, "name", None) == "numpy"}
    prints.close()
    changed = {key: before.get(key, NOTHING) for key in before | names if before.get(key, NOTHING) is not names.get(key, NOTHING)}
    ran[cell] = source, changed | ran.get(cell, ("", {}))[1]
    del before, changed
    free(alive)
    return {"error": error, "shown": shown}


def undo(cell):
    """Let names hold what they held before a cell, whose text is another now. What later cells have made stays: a reader may use it."""
    cells = list(ran)
    for later in reversed(cells[cells.index(cell) :]):
        text, before = ran[later]
        made = {key: value for key, value in before.items() if value is NOTHING and later != cell}
        program.names.update({key: value for key, value in before.items() if key not in made})
        ran[later] = text, made
    for key in [key for key, value in program.names.items() if value is NOTHING]:
        del program.names[key]


def shown_by(value):
    """Return {kind: text}: how a notebook shows a value."""
    if isinstance(value, Trace) and (page := notebook.html(value)) is not None:
        return {"html": page}
    if isinstance(value, (Graph, Trace, *variables.types())) and (drawing := notebook.svg(value, program.names)) is not None:
        return {"svg": drawing}
    return picture(value) or {"text": cut(repr(value))}
