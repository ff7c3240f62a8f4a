"""Read a graph that a learner gives as lines, a = 3 and h = a * b, and say what is wrong with it."""

import re
from numbers import Real

from tutorial.exercises.broken_engine.facts import number_text
from tutorial.exercises.broken_engine.programs import Line, Numbers, Program

MOST_LINES, MOST = 12, 10**15  # of a graph; of a number in it: floats, as on pages, hold all integers up to there
NAME = r"([A-Za-z][A-Za-z0-9]{0,3})"
LINE = re.compile(rf"{NAME} *= *(?:(-?\d{{1,3}})|{NAME} *([-+*]) *{NAME})")


class NoGraph(ValueError):
    """The lines make no graph. The message is a sentence that says which line, and why."""


def read(lines) -> Numbers:
    """Return the graph of these lines with its right numbers. Raises NoGraph.

    >>> read(["a = 3", "z = a * a"]).totals
    {'a': 6, 'z': 1}
    >>> read(["a = 3"])
    Traceback (most recent call last):
        ...
    tutorial.exercises.given_graphs.NoGraph: None of the 1 lines makes z.
    """
    if not isinstance(lines, (list, tuple)) or not all(isinstance(line, str) for line in lines):
        raise NoGraph("A graph is a list of lines, each of which is a text.")
    if len(lines) > MOST_LINES:
        raise NoGraph(f"The graph has {len(lines)} lines. The most is {MOST_LINES}.")
    made: dict = {}
    for k, text in enumerate(lines, 1):
        line = line_of(k, " ".join(text.split())[:40], made)
        made[line.name] = line
    if "z" not in made:
        raise NoGraph(f"None of the {len(made)} lines makes z.")
    numbers = Numbers(Program(tuple(made.values())))
    large = next((name for name in made if max(abs(numbers.values[name]), abs(numbers.totals[name])) > MOST), None)
    if large:
        raise NoGraph(f"The value of {large}, or its derivative, is larger than {MOST:,}. Take smaller numbers.")
    return numbers


def line_of(k, text, made) -> Line:
    """Return line k; `made` holds the lines above. Raises NoGraph."""
    found = LINE.fullmatch(text)
    if found is None:
        raise NoGraph(f"Line {k} is {text!r}. A line is an integer from −999 to 999, a = 3, or a function, h = a * b.{more_on(text)}")
    name, number, first, operator, second = found.groups()
    if name in made:
        raise NoGraph(f"Line {k} makes {name} again. Each variable has one line.")
    if number:
        return Line(name, value=int(number))
    unknown = next((x for x in (first, second) if x not in made), None)
    if unknown:
        raise NoGraph(f"Line {k} uses {unknown}, which no line above makes.")
    return Line(name, operator, (first, second))


MORE = (  # what a line that is none may be, and what to say
    (r"[^=]*", " It has no =."),
    (r"[^=]*=[^=]*=.*", " It has more than one =: is a comma missing between two lines?"),
    (r"\w{5,} *=.*|.*\b[A-Za-z]\w{4,}.*", " A name has at most four letters."),
    (r".*(/|\*\*|\^|%).*", " The functions are +, - and *."),
    (r".*\(.*", " It has no brackets: each function has a line of its own."),
    (r"\w+ *= *[-+]?(\d+\.\d*|\d{4,})", " The number is none of these integers."),
    (r".*[-+*].*[-+*].*", " A function has two inputs: let a line of its own compute each of the others."),
    (r".*\b\d+\b.*", " Let a line of its own give the number a name."),
    (r"\w+ *= *[A-Za-z]\w*", " It gives a variable another name: a function has two inputs."),
)


def more_on(text) -> str:
    """Return a sentence on a text that cannot be a line, or "".

    >>> more_on("z = 2 * a")
    ' Let a line of its own give the number a name.'
    """
    return next((said for pattern, said in MORE if re.fullmatch(pattern, text)), "")


def derivatives(totals, names) -> str:
    """Return dz/da = 4, dz/db = 6 for these names.

    >>> derivatives({"a": 4, "b": None}, ["a", "b"])
    'dz/da = 4, dz/db = nothing'
    """
    return ", ".join(f"dz/d{x} = {number_text(totals.get(x))}" for x in names)


def differ(got, right) -> bool:
    """Return whether a number that an engine gave is not the right one."""
    return not isinstance(got, Real) or got != right


def leaves(numbers: Numbers) -> list:
    return [x for x in numbers.made if not numbers.inputs[x] and x in numbers.children]


def used_twice(numbers: Numbers) -> list:
    """Return the variables that lead to z over more than one use."""
    return [x for x in numbers.order if len(numbers.children[x]) > 1]
