"""Run a learner's program: its prints, its result, its error with the learner's own line and advice, and the graphs that it has made.

The page's Python calls `run` and `page_of`. They work in any Python, and are tested there.
"""

import ast
import gc
import linecache
from contextlib import redirect_stderr, redirect_stdout

from scalargrad.fast.freeing import free
from scalargrad.graph import ancestors
from scalargrad.user_names.local_names import named
from tutorial.playground import variables
from tutorial.program_error import described
from tutorial.text.encodable import overprinted
from viz.document import Animation, Picture
from viz.page.play import play

FILE = "program.py"
MOST_LINES, LAST_LINES = 1000, 20  # of prints: beyond them only the last are shown
LONGEST = 5_000  # characters of a line, and of the text of a value
MOST_NAMED = 1000  # variables that look for their names
MOST_PLAYED = 300  # variables of a graph

graphs: dict = {}  # {name: variable} of the last program, the one to show first
pages: dict = {}  # {name: function that makes the page} of the last comparison
last: dict = {}  # all names of the last program


def run(source, say):
    """Run a program and return {error, value, picture, graphs, checked}; say(text) is called with what it prints.

    error    {text, line} or None; value: the text of the last expression, if the program ends with one; picture: {"html": ...} or
    {"svg": ...} in its place, of a drawing or a player; graphs: the names of the variables that functions have made, the last
    expression first; checked: a sentence on the first of them.

    >>> prints = []
    >>> found = run("from scalargrad import *\\nx = Value(3)\\nprint('x is', x.data)\\nx * x", prints.append)
    >>> prints, found["value"], found["graphs"], found["checked"]
    (['x is 3\\n'], 'Value(9)', ['x * x'], 'all 4 derivatives agree')
    """
    namespace, prints = begin(source), Prints(say)
    value, written, error, drawn, text = None, "", None, {}, None
    with redirect_stdout(prints), redirect_stderr(prints):
        try:
            value, written = executed(source, namespace)
            if value is not None:
                drawn = picture(value)
                text = None if drawn else cut(repr(value))
        except BaseException as wrong:  # SystemExit and KeyboardInterrupt end the program, not the page
            error = described(with_advice(wrong), FILE)
    prints.close()
    if error is None:
        graphs.update(graphs_in(namespace, value, written))
    first = next(iter(graphs.values()), None)
    return {
        "error": error,
        "value": text,
        "picture": drawn,
        "graphs": list(graphs),
        "checked": None if first is None else variables.checked(first),
    }


def begin(source):
    """Release the last program, and return the names with which the next one begins. Its lines can be shown in errors."""
    release()
    linecache.cache[FILE] = (len(source), None, source.splitlines(True), FILE)
    last.update({"__name__": "__main__", "input": no_keyboard})
    return last


def executed(source, namespace):
    """Run a program and return the value of its last statement, if that is an expression, and its text."""
    tree = ast.parse(source, FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with named(MOST_NAMED):
        exec(compile(tree, FILE, "exec"), namespace)
        if last is None:
            return None, ""
        return eval(compile(ast.Expression(last.value), FILE, "eval"), namespace), ast.get_source_segment(source, last)


def no_keyboard(prompt=""):
    """What a program here gets for `input`."""
    raise EOFError("input() cannot ask anybody here; write the value into the program")


def graphs_in(namespace, value, written):
    """Return {name: variable} of what functions have made: the last expression, then the program's variables, the newest first."""
    known = variables.types()
    made = {name: v for name, v in reversed(namespace.items()) if isinstance(v, known) and v.inputs and not name.startswith("_")}
    if isinstance(value, known) and value.inputs:
        name = next((name for name, v in made.items() if v is value), written)
        made = {name: value} | made
    return made


def page_of(name):
    """Return {html, why}: a page of the last comparison, or one that plays the graph of a variable, or why there is none."""
    if name in pages:
        return {"html": pages[name]().html, "why": None}
    z = graphs[name]
    size = len(ancestors(z)) + 1
    if size > MOST_PLAYED:
        return {"html": None, "why": f"{name} has {size:,} variables. A graph of up to {MOST_PLAYED} is played here; make a smaller one."}
    return {"html": play(z, title=name, names={z: name} if name.isidentifier() else {}).html, "why": None}


def release():
    """Free the last program's variables one by one: a Python in a browser has a small stack."""
    alive = variables.alive()
    graphs.clear()
    pages.clear()
    last.clear()
    gc.collect()
    free(alive)


def cut(line):
    """Return a line, or its beginning and how long the rest is: a window needs minutes for a line of a million characters.

    >>> cut("a short line"), cut("x" * 12_000)[-38:]
    ('a short line', 'xxxxxx … 7,000 characters are left out')
    """
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} … {len(line) - LONGEST:,} characters are left out"


class Prints:
    """A text stream that passes on the first lines at once, and of the others only the last. So 100,000 prints do not stop the page.

    A line that is printed over, such as a bar of progress, is one line, as it is in a terminal.
    """

    encoding = "utf-8"

    def __init__(self, say):
        self.say, self.lines, self.rest, self.waiting = say, 0, [], ""

    def write(self, text):
        *whole, waiting = (self.waiting + str(text)).split("\n")
        for line in whole:
            self.lines += 1
            if self.lines <= MOST_LINES:
                self.say(cut(overprinted(line)) + "\n")
            else:
                self.rest = [*self.rest, cut(overprinted(line))][-LAST_LINES:]
        before, back, last = waiting.rpartition("\r")
        self.waiting = overprinted(before) + back + last
        return len(text)

    def close(self):
        """Pass on what is left."""
        left_out = self.lines - MOST_LINES - len(self.rest)
        if left_out > 0:
            self.say(f"… {left_out:,} lines are left out …\n")
        if self.rest or self.waiting:
            self.say("".join(line + "\n" for line in self.rest) + cut(overprinted(self.waiting)))

    def flush(self):
        pass

    def isatty(self):
        return False


def picture(value):
    """Return {"html": ...} or {"svg": ...}, what a notebook shows of a value; {} if it has only text.

    A picture that a notebook shows as an image is given as SVG, so that it can stand in the page. An animation stays an image.

    >>> picture(3)
    {}
    """
    if isinstance(value, Picture) and not isinstance(value, Animation):
        return {"svg": value.svg}
    for kind in ("html", "svg"):
        write = getattr(value, f"_repr_{kind}_", None)
        if not isinstance(value, type) and write is not None and (text := write()) is not None:
            return {kind: text}
    return {}


ENGINE = "write `from scalargrad import Value`, which has the same .data, .grad and backward()"
WITH_NUMPY = (
    "press “fetch NumPy”, if the page has this button. For a page that holds NumPy, "
    "run `python -m tutorial playground --numpy WHEEL` with NumPy's wheel"
)

ADVICE = {
    "numpy": WITH_NUMPY,
    "tensorgrad": WITH_NUMPY,
    "torch": f"PyTorch does not run in a page. For numbers, {ENGINE}",
    "jax": f"JAX does not run in a page. For numbers, {ENGINE}",
    "tensorflow": f"TensorFlow does not run in a page. For numbers, {ENGINE}",
    "micrograd": ENGINE,
    "autograd": f"it needs NumPy. For numbers, {ENGINE}",
    "matplotlib": "draw a graph with `import viz` and `viz.draw(z)` as the last line",
}
OTHER = "this page has Python's own modules, scalargrad and viz, and cannot fetch others"


def with_advice(error):
    """Return the exception of a program. That of a missing module says what to do.

    >>> str(with_advice(ModuleNotFoundError("No module named 'micrograd.engine'", name="micrograd.engine")))
    "no module 'micrograd.engine' here: write `from scalargrad import Value`, which has the same .data, .grad and backward()"
    """
    if isinstance(error, ModuleNotFoundError) and error.name:
        error.msg = f"no module {error.name!r} here: {ADVICE.get(error.name.partition('.')[0], OTHER)}"
    return error
