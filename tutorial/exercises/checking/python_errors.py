"""What is wrong with a program that raised an error: its line, a missing function, an exchanged key, what Python's message means."""

import ast
import re
import sys
from collections.abc import Mapping

from scalargrad.formulas.text import printable
from tutorial.exercises.answers import ENDED, MOST_SAID, NO_FUNCTION, NOT_PLAIN, TOO_LARGE, TOO_LONG, UNREAD, Answer
from tutorial.exercises.authored import Exercise
from tutorial.exercises.checking.observations import not_plain
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, TIMEOUT, Verdict
from tutorial.exercises.syntax import literal, statements, syntax_error
from tutorial.exercises.values import value_text

NOT_WRITTEN = "NotImplementedError"  # of a part that is still to be written
AGAIN = "Does every loop end? Is something computed again and again?"
OF_READING = ("SyntaxError", "IndentationError", "TabError", "NameError", "UnboundLocalError")  # the call has no part in these
TOO_DEEP = ("MemoryError", "RecursionError")
NOT_DEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
NO_PLAIN_TYPE = re.compile(r"a (\w+) is not a plain value")
PARAMETERS = re.compile(r"TypeError: .*\(\) (takes|missing|got an unexpected|got multiple)")
DEFINITIONS = {ast.FunctionDef: "function", ast.ClassDef: "class"}
MOST_NAMES = 4


def not_started(said="The program is still the one that is given."):
    return Verdict(NOT_STARTED, "Not started", said, said)


def type_of(answer: Answer):
    """Return the name of an answer's error, or ""."""
    return answer.error.partition(":")[0]


def sentence_of(answer: Answer):
    """Return the message of an error with a capital letter."""
    text = printable(answer.error.partition(": ")[2])
    return text[:1].upper() + text[1:]


def raised(at: Verdict, answer: Answer, lines) -> Verdict:
    """Return the verdict on an answer that is an error, of a program with so many lines."""
    kind, text = type_of(answer), sentence_of(answer)
    at = at._replace(got=printable(answer.error))  # the text is the learner's
    if kind == NOT_WRITTEN:
        return not_started("A part of the program is still to be written.")
    if kind == TOO_LONG:
        took = f"It took {text[:1].lower()}{text[1:]}{' of functions' * text.endswith('calls')}."
        return saying(at._replace(state=TIMEOUT), "The program takes too long", took, AGAIN)
    if kind == NO_FUNCTION:
        return saying(at._replace(state=CRASHED), "A function is missing", f"{text}.")
    if kind == ENDED:
        return saying(at._replace(state=CRASHED), "The program ended before it answered", f"{text}.")
    if answer.calls == UNREAD and kind in TOO_DEEP and answer.line is None:
        said = f"Python ends in {kind} when it reads the program: something in it is nested too deeply."
        return saying(at._replace(state=CRASHED), "The program cannot be read", said)
    if kind == TOO_LARGE:
        return saying(at, "The answer is too large", f"{text}.", "Is something put into it again and again?")
    if kind == NOT_PLAIN:
        title = "The answer is not a plain value"
        found = NO_PLAIN_TYPE.match(answer.error.partition(": ")[2])
        seen = not_plain(found[1], at.right, title) if found else None
        return saying(at, title, seen.said, seen.asked)._replace(hinted=False) if seen else saying(at, title, f"{text}.")
    line = answer.line if answer.line and answer.line <= lines else None
    where = f"Line {line} raised " if line else "The program raised "
    return saying(at._replace(state=CRASHED, line=line), f"The program raised {printable(kind)}", where + closed(at.got))


def saying(at: Verdict, title, observed, asked="") -> Verdict:
    """Return a verdict with its observation, which is all that can be said of it so far, and a question."""
    observed = observed[:MOST_SAID]  # names in it may be the learner's
    return at._replace(title=title[:MOST_SAID], observed=observed, said=observed, asked=asked)


def closed(error):
    """Return an error as the end of a sentence.

    >>> closed("AssertionError: "), closed("SyntaxError: forgot '='?")
    ('AssertionError without a message.', "SyntaxError: forgot '='?")
    """
    kind, _, text = error.partition(": ")
    return f"{kind} without a message." if not text.strip() else error if text[-1] in ".?!" else f"{error}."


# With the learner's program


def explained(verdict: Verdict, answer: Answer, exercise: Exercise, program: str) -> Verdict:
    """Return the verdict on an error with what the learner's program says of it."""
    if name := missing_name(verdict, answer, exercise):
        return of_missing(verdict, name, exercise, program)
    if verdict.state not in (CRASHED, TIMEOUT):
        return verdict
    if verdict.line:
        verdict = verdict._replace(source=source(program, verdict.line, answer))
    said = verdict.state == TIMEOUT and slow_import(program) or advice(answer.error) or verdict.asked
    if answer.calls == UNREAD or type_of(answer) in OF_READING:
        return without_call(verdict)._replace(asked=said)
    found = exchanged_key(verdict, answer, exercise, program) or signature(verdict, answer, exercise)
    return saying(verdict, verdict.title, verdict.observed + should_give(verdict, exercise), found or said)._replace(hinted=not found)


def should_give(verdict, exercise):
    """Return a sentence that says what is right; of an answer that a frame has put into parts, the parts."""
    if not verdict.expected:
        return ""
    if not (exercise.frame and isinstance(verdict.right, dict)):
        return f" It should give {verdict.expected}."
    parts = [value_text(right) if len(verdict.right) == 1 else f"{key}: {value_text(right)}" for key, right in verdict.right.items()]
    return f" It should give {', '.join(parts[:MOST_NAMES])}{', …' * (len(parts) > MOST_NAMES)}."


def slow_import(program):
    """Return a sentence if a program imports a package that need not be there, which may take long; else ""."""
    for node in statements(program):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None) or ""]
        package = names[0].partition(".")[0]
        if isinstance(node, ast.Import | ast.ImportFrom) and package not in (*sys.stdlib_module_names, "numpy"):
            return f"To import {package} may take long. {ALLOWED}"
    return ""


def signature(verdict, answer, exercise):
    """Return the parameters that a function should have, if the call of the probe did not fit; else ""."""
    if verdict.line or not PARAMETERS.match(answer.error):
        return ""
    found = [node for node in statements(exercise.given) if isinstance(node, ast.FunctionDef) and f"{node.name}()" in answer.error]
    return f"The given program has: def {found[0].name}({ast.unparse(found[0].args)})." if found else ""


def without_call(verdict: Verdict) -> Verdict:
    """Return the verdict on a mistake with which the call and the mathematics have nothing to do."""
    return verdict._replace(input="", about="", expected="", probe=None, answer=None, right=None, hinted=False)


def missing_name(verdict, answer, exercise):
    """Return the name of the given program that the learner's does not define, or ""."""
    if type_of(answer) == NO_FUNCTION:
        return exercise.call
    found = NOT_DEFINED.match(answer.error) if verdict.line is None else None
    return found[1] if found and found[1] in names_in(exercise.given) else ""


def of_missing(verdict, name, exercise, program):
    """Return the verdict on a program that does not define a name. One that defines nothing else is not started."""
    given, mine = names_in(exercise.given), names_in(program)
    said = f"The file has no {given.get(name, 'function')} `{name}`."
    if not mine:
        return not_started(said)
    others = [f"`{other}`" for other in mine if other not in given][:MOST_NAMES]
    renamed = f" It has {', '.join(others)}. Was it renamed?" if others else ""
    return without_call(saying(verdict._replace(state=CRASHED), f"`{name}` is missing", said + renamed))


def names_in(program) -> dict:
    """Return {name: function or class} of what a program defines; nothing if it cannot be read."""
    return {node.name: DEFINITIONS[type(node)] for node in statements(program) if type(node) in DEFINITIONS}


def source(program, line, answer):
    """Return a line of a program, and below it a caret where the error is, if that is known."""
    text = "".join(program.splitlines()[line - 1 : line])
    at = column(program, text, answer)
    caret = "" if at is None else "\n" + " " * len(text[:at].expandtabs()) + "^"
    return printable(text.expandtabs()) + caret


def column(program, text, answer):
    if found := NOT_DEFINED.match(answer.error):
        name = re.search(rf"\b{found[1]}\b", text)
        return name.start() if name else None
    wrong = syntax_error(program)
    if wrong and wrong.lineno == answer.line and wrong.offset:
        return max(wrong.offset - 1, len(text) - len(text.lstrip()))
    return None


def exchanged_key(verdict, answer, exercise, program):
    """Return a sentence if a dictionary among the arguments has a key of two parts in the other order; else ""."""
    if type_of(answer) != "KeyError":
        return ""
    key = literal(answer.error.partition(": ")[2])
    if not isinstance(key, tuple) or len(key) != 2:
        return ""
    for k, argument in enumerate(verdict.probe.arguments):
        if isinstance(argument, Mapping) and key[::-1] in argument and key not in argument:
            return f"{parameter(program, exercise.call, k)} has the key {key[::-1]}."
    return ""


def parameter(program, function, k):
    """Return what a program calls parameter k of a function."""
    found = [node.args.args for node in statements(program) if isinstance(node, ast.FunctionDef) and node.name == function]
    return found[0][k].arg if found and k < len(found[0]) else f"argument {k + 1}"


ALLOWED = "A program may import what comes with Python, and NumPy. Other packages may be missing where it is checked."
NOTHING = "None is what a function gives that ends without `return`, and what stands where nothing was written yet."
IMPORTS = {
    "np": "import numpy as np",
    "Fraction": "from fractions import Fraction",
    "contextmanager": "from contextlib import contextmanager",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "Counter": "from collections import Counter",
    "reduce": "from functools import reduce",
    "prod": "from math import prod",
    **{name: f"import {name}" for name in ("math", "numpy", "itertools", "functools", "collections", "operator", "random", "copy", "sys")},
    **{name: f"from math import {name}" for name in ("exp", "log", "tanh", "sqrt", "cosh")},
}
ADVICE = (  # a pattern of "Type: message", and what to say
    (r"(?:ModuleNotFound|Import)Error: import of (\w+) halted", "The exercises build {0} anew, so a program cannot import it. " + ALLOWED),
    (r"(?:ModuleNotFound|Import)Error", ALLOWED),
    (r"NameError: name '(\w+)' is not defined", "{imported}"),
    (r"UnboundLocalError: .*?'(\w+)'", "The line in which {0} gets its value has not run yet."),
    (r"RecursionError", "Each call waits for another call of the same function. Where do the calls end?"),
    (r"TypeError: 'NoneType' object is not an iterator", "An iterator is needed here, such as a function with a `yield` gives."),
    (r"TypeError: unsupported operand type\(s\) for (.+?): .*'NoneType'", "One side of {0} is None. " + NOTHING),
    (r"TypeError: .*'NoneType'|TypeError: cannot unpack non-iterable NoneType", "Something here is None. " + NOTHING),
    (r"AttributeError: 'NoneType'", "Something here is None. " + NOTHING),
    (r"AttributeError: 'list' object has no attribute 'add'", "A set has add. A list has append."),
    (r"AttributeError: 'set' object has no attribute '(append|extend)'", "A list has {0}. A set has add and update."),
    (r"AttributeError: 'tuple' object has no attribute", "A tuple does not change. A list does."),
    (r"AttributeError: '(int|float|Fraction)' object", "A number stands here where an object is needed."),
    (r"TypeError: '(\w+)' object is not callable", "Round brackets behind a name call a function. An entry is taken with square brackets."),
    (r"TypeError: '(int|float|Fraction)' object is not (\w+)", "A number stands here where a collection is needed."),
    (r"TypeError: unhashable type: '(\w+)'", "A {0} cannot be a key of a dictionary, or a member of a set."),
    (r'TypeError: can only concatenate (\w+) \(not "(\w+)"\)', "+ joins a {0} and a {0}. Here a {1} stands on its other side."),
    (r"\w*Error: matmul: ", "A matrix product needs as many columns on the left as rows on the right."),
    (r"ValueError: shapes .* not aligned", "A matrix product needs as many columns on the left as rows on the right."),
    (r"ValueError: operands could not be broadcast together with shapes (\(.*?\)) (\(.*?\))", "{0} and {1} do not fit, entry by entry."),
    (r"ValueError: axes don't match array", "The order has another number of axes than the array."),
    (r"\w*(?:Type|Casting)Error: Cannot cast ufunc .* to dtype\('int", "An array of integers cannot hold fractions."),
    (r"ValueError: assignment destination is read-only", "np.broadcast_to shows one number in many places. Copy it before you write."),
    (r"RuntimeError: generator didn't (?:stop|yield)", "contextmanager runs a function with one yield, at which the block runs."),
    (
        r"(?:Type|Attribute)Error: .*(?:context manager protocol|__enter__)",
        "After `with` stands a context manager. Is @contextmanager above the function?",
    ),
    (r"RuntimeError: (Set|dictionary) changed size during iteration", "The loop walks over what its body changes. Walk over a copy of it."),
)


def advice(error) -> str:
    """Return what to say of an error "Type: message", or "".

    >>> advice("NameError: name 'np' is not defined")
    'Write `import numpy as np` at the top of your file.'
    >>> advice("AttributeError: 'list' object has no attribute 'add'")
    'A set has add. A list has append.'
    """
    for pattern, said in ADVICE:
        if found := re.match(pattern, error):
            name = IMPORTS.get(found[1]) if found.groups() else None
            return said.format(*found.groups(), imported=f"Write `{name}` at the top of your file." if name else "")
    return ""
