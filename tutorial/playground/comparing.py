"""Compare the engine in a learner's program with the right one: what the page says, and the pages that it shows."""

from contextlib import redirect_stderr, redirect_stdout

from tutorial.exercises.broken_engine.compare import compare
from tutorial.exercises.broken_engine.engines import NoEngine
from tutorial.exercises.broken_engine.page import comparison_page, together
from tutorial.exercises.broken_engine.words import explanation, in_words, title
from tutorial.playground import runner
from tutorial.program_error import described

DIFFERENCE, TOGETHER = "first difference", "step through both"


def compared(source, say, trying):
    """Run a program, compare its engine, and return {error, value, graphs, checked} as `runner.run` does. `graphs` names pages.

    say(text) is called with what the program prints, trying(text) with each small program before the engine runs it.

    >>> found = compared("def backprop(order, children, partial): return dict.fromkeys(order, 1)", print, lambda text: None)
    >>> found["graphs"], found["value"].splitlines()[0]
    (['first difference', 'step through both'], 'The derivative of a is wrong')
    """
    namespace, prints, error, found = runner.begin(source), runner.Prints(say), None, None
    with redirect_stdout(prints), redirect_stderr(prints):
        try:
            exec(compile(source, runner.FILE, "exec"), namespace)
            found = compare(namespace, lambda program: trying(str(program)))
        except NoEngine as none:
            error = {"text": str(none), "line": None}
        except BaseException as wrong:  # SystemExit ends the program, not the page
            error = described(wrong, runner.FILE)
    prints.close()
    if found is not None:
        runner.pages[DIFFERENCE if found.found else "result"] = lambda: comparison_page(found, runner.FILE)
        if (both := together(found)) is not None:
            runner.pages[TOGETHER] = lambda: both
    text = found and f"{title(found)}\n{explanation(found)}"
    if found is not None and found.found and found.found.error:
        error, text = described(found.found.error, runner.FILE) | {"text": in_words(found, runner.FILE)}, None
    return {"error": error, "value": text, "graphs": list(runner.pages), "checked": None}
