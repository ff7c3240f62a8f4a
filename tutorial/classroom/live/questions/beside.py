"""What stands beside a question: what its chapter shows above it, or what the question itself names.

A question of another chapter, or of a section that shows nothing yet, names with :draw: a graph or a picture, and with :show: a program
or a formula. The engine draws them and typesets them.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import unescape
from textwrap import dedent

import numpy as np

import scalargrad
import tutorial.graphs.arm as arm
from tensorgrad import Tensor
from tutorial.classroom.live.questions.line_as_html import display
from tutorial.classroom.live.questions.question import Beside, Code, Picture, Typeset
from tutorial.reading.chapter import Block, Cell, Formula, Heading, Predict, find
from viz import document
from viz.document import lean_style
from viz.drawing.draw import draw
from viz.drawing.svg.graphviz_engine import Drawing

NOTHING = "nothing"  # what :show: says of a question whose words alone are complete
DRAWS, PRINTS = re.compile(r"\b(draw|lifetimes|SVG)\("), "print("
LABEL = re.compile('aria-label="([^"]*)"')
NAMES = vars(scalargrad) | vars(arm) | {"np": np, "Tensor": Tensor}  # that :draw: knows without the program of the chapter


def above(blocks: Sequence[Block]) -> Iterator[tuple[int, dict[type, int]]]:
    """Yield the number of each question, and of the last picture, program and formula above it in its section: {kind: number}.

    >>> from tutorial.reading.chapter import Text
    >>> asked = Predict("Which?", (("a", "Yes."), ("b", "No.")), 1)
    >>> [*above([Cell("1 + 1"), Heading(2, "Two"), Cell("viz.draw(z)"), Cell("2 + 2"), Text("So:"), asked])]
    [(5, {<class '...Picture'>: 2, <class '...Code'>: 3})]
    """
    found: dict[type, int] = {}
    for k, block in enumerate(blocks):
        match block:
            case Heading():
                found = {}
            case Predict():
                yield k, {} if block.recalls else found.copy()
            case Cell() if block.shows_result and DRAWS.search(block.source):
                found[Picture] = k
            case Cell() if block.shows_code or (block.shows_result and PRINTS in block.source):
                found[Code] = k
            case Formula():
                found[Typeset] = k


def runs(block: Block) -> bool:
    """Return whether what a block shows is known only when it has run."""
    return isinstance(block, Cell) and (not block.shows_code or bool(DRAWS.search(block.source)))


def shown(block: Cell | Formula, result=None) -> Beside | None:
    """Return what a block shows a class: a formula, a drawing, a program, or what a program prints that is hidden itself."""
    if isinstance(block, Formula):
        return Typeset(display(block.tex))
    if result and block.shows_result and (found := picture(result.value)):
        return found
    if block.shows_code:
        return Code(block.source)
    return Code(result.printed.strip()) if result and result.printed else None


def needs_program(block: Predict) -> bool:
    """Return whether what a question draws needs the program of its chapter. What is not Python does not: `named` says what is wrong."""
    with suppress(SyntaxError):
        used = {node.id for node in ast.walk(ast.parse(block.draws)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        return not is_program(block.draws) and not used <= {*NAMES}
    return False


def is_program(text) -> bool:
    """Return whether a text is a program that makes a graph, and not an expression."""
    return any(isinstance(statement, ast.Assign) for statement in ast.parse(text).body)


def named(block: Predict, names: dict, blocks: Sequence[Block]) -> tuple[Beside, ...] | None:
    """Return what a question names itself, or None if it names nothing. `names` are those of its chapter's program, whose blocks these are.

    Raises ValueError if that cannot be drawn or is not a program.
    """
    if not block.draws and not block.shows:
        return None
    if block.recalls and block.shows.isidentifier() and block.shows != NOTHING:
        blocks = find(block.recalls).blocks
    try:
        return (*drawn(block.draws, names), *program(block.shows, blocks))
    except Exception as error:  # a program of somebody else
        text = f":draw: {block.draws}" if block.draws else f":show: {block.shows}"
        raise ValueError(f"the question {block.question!r}: {text} raises {type(error).__name__}: {error}") from error


def drawn(text, names) -> Iterator[Beside]:
    """Yield the picture of a variable, of a picture by its name, or of the graph that a short program makes, with semicolons for lines."""
    if text:
        value = graph_of(text) if is_program(text) else eval(text, NAMES | names)
        yield picture(value) or of_drawing(draw(value, gradients={}, theme="auto"))


def graph_of(lines):
    """Return a function that runs these lines of a program, between semicolons, and returns the variable that the last one computes.

    >>> graph_of("x = Value(3); z = x * x")().data
    9
    """
    lines = [line.strip() for line in lines.split(";")]
    source = "\n    ".join(["def graph():", *lines, f"return {lines[-1].partition(' =')[0]}"])
    names = NAMES.copy()
    exec(source, names)
    return names["graph"]


def picture(value) -> Picture | None:
    """Return a drawing, or a picture of the book, as a file of its own; None if a value has no picture."""
    if isinstance(value, Drawing):
        return of_drawing(value)
    if isinstance(value, document.Picture):
        return Picture(value.svg, value.title)
    for name in ("_repr_svg_", "_repr_html_"):
        text = getattr(value, name, lambda: None)() or ""
        if "<svg" in text:
            return alone(text[text.index("<svg") :])
    return None


def of_drawing(drawing) -> Picture:
    return Picture(drawing.svg, " ".join(drawing.sentences))


def alone(svg) -> Picture:
    """Return a picture that was made for a page. In a file of its own it needs the name of its language, and the colours of the page."""
    head, body = svg.split(">", 1)
    said = LABEL.search(head)
    name = "" if "xmlns=" in head else ' xmlns="http://www.w3.org/2000/svg"'
    return Picture(f"{head}{name}><style>{lean_style(document.surfaces())}</style>{body}", unescape(said[1]) if said else "")


def program(text, blocks: Sequence[Block]) -> Iterator[Beside]:
    """Yield a formula between dollar signs, a function or a class of a chapter by its name, or a program on one line, laid out.

    Raises SyntaxError if the text is none of these.

    >>> [*program("x = 2; y = x * x", [])]
    [Code(source='x = 2\\ny = x * x')]
    >>> [*program("f", [Cell("import math\\n\\ndef f(x):\\n    return x * x\\n\\nf(3)")])]
    [Code(source='def f(x):\\n    return x * x')]
    """
    if text.startswith("$"):
        yield Typeset(display(text.strip("$")))
    elif text and text != NOTHING:
        yield Code(next(definitions(text, blocks), None) or ast.unparse(ast.parse(text)))


def definitions(name, blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the programs of the functions and classes with this name."""
    for block in blocks:
        if isinstance(block, Cell) and name in block.source:
            for node in ast.walk(ast.parse(block.source)):
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
                    yield dedent(ast.get_source_segment(block.source, node, padded=True) or "")
