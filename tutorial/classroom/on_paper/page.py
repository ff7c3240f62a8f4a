"""Exercises on paper as the text of one HTML file, without a script: a page for each exercise, and then, if asked for, the solutions."""

from collections.abc import Iterable
from difflib import ndiff
from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from scalargrad.formulas.text import escape
from tutorial.exercises.authored import REPAIR, SOLUTION, TO_WRITE, Exercise
from tutorial.exercises.authored import program as without_marks
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import known
from tutorial.exercises.checking.markdown import heading
from tutorial.misconceptions import MISCONCEPTIONS
from tutorial.text.inline import link_text, replaced
from tutorial.text.mathml import mathml
from viz.document import asset, filled
from viz.text.formatter import UNICODE

HINT = " Each exercise starts on a new page."
WITH_SOLUTIONS = " The solutions come last: keep those pages."


def paper_page(exercises: Iterable[Exercise], solutions=False) -> str:
    """Return the text of the file.

    >>> from tutorial.exercises.authored import find
    >>> "Figure 1 on paper" in paper_page([find("02")])
    True
    """
    exercises = list(exercises)
    return filled(
        "handout.html",
        title="Exercises on paper",
        style="\n".join([asset("handout.css"), HtmlFormatter(style=STYLE).get_style_defs(".highlight"), asset("paper.css", __package__)]),
        hint=HINT + WITH_SOLUTIONS * solutions,
        sheets="\n".join([*map(task, exercises), *(map(solution, exercises) if solutions else ())]),
    )


MORE_LINES = 1  # than the solution has


def task(exercise: Exercise) -> str:
    """Return the learner's sheet: the statement, what to predict, the given program, and lines to write on."""
    points = f"{exercise.points} point{'s' * (exercise.points > 1)}"
    return f"""<section class="exercise task-sheet">
<h1>{exercise.number} {escape(exercise.title)}</h1>
<p class="who"><span>Name</span><span>Date</span></p>
<p class="kind">{heading(exercise)}, {points}</p>
{html(exercise.statement)}{prediction(exercise)}{to_write(exercise)}
</section>"""


def prediction(exercise) -> str:
    """Return the number to predict, with a blank; "" if the exercise asks for none."""
    asked = checks(exercise).predict
    return f'<p class="predict"><b>Predict.</b> {escape(asked.question)} <span class="blank line">____</span></p>' if asked else ""


def to_write(exercise) -> str:
    """Return the given program with room for what is to be written: in it, or below it if a line of it is wrong."""
    if exercise.kind == REPAIR:
        asked = "<p>Which lines are wrong? Write their numbers, and what should stand there:</p>"
        changes = ndiff(exercise.given.splitlines(), exercise.solution.splitlines())
        return numbered(exercise.given.rstrip()) + asked + room(sum(line.startswith("+ ") for line in changes) + MORE_LINES)
    lines = [len(without_marks(part).splitlines()) for _, part in SOLUTION.findall(exercise.text)]
    if TO_WRITE not in exercise.given:
        return program(exercise.given.rstrip()) + "<p>Your answer:</p>" + room(sum(lines) + MORE_LINES)
    parts = [part.rstrip().lstrip("\n") for part in exercise.given.split(TO_WRITE)]  # without the indent of the line to write
    rooms = [room(count + MORE_LINES) for count in lines]
    return "".join((program(part) if part else "") + space for part, space in zip(parts, [*rooms, ""]))


def room(lines) -> str:
    return f'<div class="room">{"<p></p>" * lines}</div>'


def solution(exercise: Exercise) -> str:
    """Return the teacher's sheet: what to predict, the solution, the hints, and what the check says of each known wrong answer."""
    asked = checks(exercise).predict
    predicted = prediction_told(asked) if asked else ""
    hints = "".join(f"<li>{escape(hint)}</li>" for hint in checks(exercise).hints)
    return f"""<section class="exercise solution">
<h1>{exercise.number} {escape(exercise.title)}: solution</h1>
<p class="kind">{heading(exercise)}</p>
{predicted}{program(exercise.solution.rstrip())}
<h2>Hints</h2><ol class="hints">{hints}</ol>
<h2>Known mistakes</h2>{mistakes(exercise)}
</section>"""


def prediction_told(asked) -> str:
    """Return the number that was to be predicted, and what other numbers tell."""
    others = "".join(f"<li>{escape(UNICODE.number(number))}: {escape(said)}</li>" for number, said in asked.wrong.items())
    return f'<p class="predict"><b>Predict.</b> {escape(asked.question)} <b>{asked.right:g}</b></p><ul class="others">{others}</ul>'


def mistakes(exercise) -> str:
    """Return the table of the known wrong answers, under what is believed by those who give them."""
    believed: dict = {}
    for verdict in known(exercise):
        believed.setdefault(verdict.id, []).append(verdict)
    head = '<tr><th scope="col">mistake</th><th scope="col">what the check says</th></tr>'
    bodies = "".join(
        f'<tbody><tr><th class="believed" colspan="2" scope="rowgroup">{escape(capital(MISCONCEPTIONS[id]))} [{id}]</th></tr>'
        + "".join(f'<tr><th scope="row">{escape(v.name)}</th><td>{escape(v.said)}</td></tr>' for v in verdicts)
        + "</tbody>"
        for id, verdicts in believed.items()
    )
    return f'<table class="mistakes"><thead>{head}</thead>{bodies}</table>'


def capital(text) -> str:
    return f"{text[0].upper()}{text[1:]}"


STYLE = "a11y-high-contrast-light"  # that of the book's theme


@cache
def reader() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"highlight": lambda text, *language: code(text)}).enable("table")
    return made.use(dollarmath_plugin, renderer=formula)


def formula(tex, options) -> str:
    """Return a formula in MathML. A long one on lines of its own scrolls on a phone."""
    if not options["display_mode"]:
        return mathml(tex, "inline")
    return f'<div class="formula" tabindex="0" role="group" aria-label="formula">{mathml(tex, "block")}</div>'


def html(markdown) -> str:
    """Return Markdown as HTML.

    >>> html("`f` is *one* of $n$")
    '<p><code>f</code> is <em>one</em> of <span class="math inline"><math display="inline"><mrow><mi>n</mi></mrow></math></span></p>\\n'
    """
    return reader().render(replaced(markdown, link_text))


def code(text) -> str:
    """Return a program as HTML in colours, without an element around it. Two empty lines are one on paper."""
    return highlight(text.replace("\n\n\n", "\n\n"), PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).rstrip("\n")


def program(text) -> str:
    return f'<pre class="highlight">{code(text)}</pre>'


def numbered(text) -> str:
    lines = "".join(f"<li><code>{line or ' '}</code></li>" for line in code(text).split("\n"))
    return f'<ol class="program highlight">{lines}</ol>'
