"""What a comparison found, in words, for the terminal and for pages."""

from tutorial.exercises.broken_engine.facts import number_text
from tutorial.program_error import described
from viz.text.formatter import plural

WHAT = {"class": "The class", "function": "The function", "loop": "The loop"}


def title(comparison) -> str:
    """Return the heading: the name of the mistake, or what is known of it."""
    found = comparison.found
    if comparison.said:
        return comparison.said.title
    if found is None:
        return "No difference was found"
    if found.what == "error":
        return f"The engine raised {type(found.error).__name__}"
    return f"The {found.what} of {found.first.name} is wrong"


def explanation(comparison) -> str:
    """Return what was found, in sentences."""
    found, engine = comparison.found, comparison.engine
    if found is None:
        untried = f" It has no {', '.join(comparison.untried)}, so these were not tried." if comparison.untried else ""
        return f"{WHAT[engine.form]} {engine.name} and the right engine agree on {plural(comparison.agreed, 'graph')}.{untried}"
    if comparison.said:
        return f"{comparison.said.said} [{comparison.said.id}]"
    if found.what == "error":
        return "This happened on the smallest graph that shows it."
    row = found.first
    if found.what == "value":
        return f"The value of {row.name} is {number_text(row.expected)}. The engine has {number_text(row.got)}: its forward pass is wrong."
    return f"dz/d{row.name} is {number_text(row.expected)}. The engine has {number_text(row.got)}. {nudged(found)}"


def question(comparison) -> str:
    """Return the question that leads on; "" after an error, or if nothing was found."""
    if comparison.said:
        return comparison.said.asked
    if comparison.found is None or comparison.found.first is None:
        return ""
    return f"Go through the lines of this program by hand. Where does your number for {comparison.found.first.name} come from?"


NUDGE = 1e-6
ON_NUMBERS = {"+", "*", "-", "/", "neg", "**"}  # the operators that plain numbers have, too


def nudged(found) -> str:
    """Return a sentence on how much z grows if the first wrong variable, a leaf, grows a little."""
    program, x = found.program, found.first.name
    if found.numbers.inputs[x] or not program.operators <= ON_NUMBERS:
        return ""
    z = lambda nudge: program.run(lambda value, name: value + nudge * (name == x))[program.z]
    return f"If {x} grows by {NUDGE:g}, z grows {number_text(round((z(NUDGE) - z(0)) / NUDGE, 3))} times as much."


def in_words(comparison, file="") -> str:
    """Return the whole comparison as text: the heading, the program, the table of variables, the explanation and the question."""
    found = comparison.found
    parts = [title(comparison), explanation(comparison)]
    if found is not None:
        agreed = f"{plural(comparison.agreed, 'graph')} agreed before. " if comparison.agreed else ""
        parts.insert(1, f"{agreed}The smallest graph that shows the difference:\n\n{indented(str(found.program))}")
        if found.rows:
            parts.insert(2, indented(table(found)))
        if found.error is not None:
            parts.insert(2, indented(described(found.error, file)["text"]))
    return "\n\n".join([*parts, *filter(None, [question(comparison)]), *comparison.remarks])


def indented(text):
    return "\n".join(f"    {line}" for line in text.splitlines())


def table(found) -> str:
    """Return the variables as a table in plain text."""
    what = "value" if found.what == "value" else f"d{found.program.z}/dx"
    rows = [("x", "x is", f"your {what}", "right", "")]
    rows += [
        (row.name, number_text(row.value), number_text(row.got), number_text(row.expected), "<- wrong" if row.wrong else "")
        for row in found.rows
    ]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
