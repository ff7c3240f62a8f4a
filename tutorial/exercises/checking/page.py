"""The page of a verdict: what was found, the graph with got and is, the components, the wrong entries of arrays; and both step by step."""

import re
from functools import partial
from html import escape
from itertools import product
from types import SimpleNamespace
from xml.etree import ElementTree as tree

from scalargrad import Graph, Trace, Value, backpropagation
from tutorial.exercises.authored import Exercise
from tutorial.exercises.broken_engine import compare
from tutorial.exercises.broken_engine.page import document, figure, steps_with
from tutorial.exercises.broken_engine.picture import picture
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import name_of
from tutorial.exercises.checking.feedback import rows, told
from tutorial.exercises.checking.verdict import RIGHT, Verdict
from tutorial.exercises.probes.probe import Marks
from tutorial.exercises.probes.small_graphs import whole
from tutorial.exercises.values import VALUE, difference, differences, is_array, is_number, value_text
from viz.document import Page
from viz.drawing.draw import draw
from viz.page.play import play
from viz.theme import LIGHT

MOST_CELLS = 400  # entries of an array in a table


def verdict_page(exercise: Exercise, verdict: Verdict, times=1, steps="") -> Page:
    """Return the page of a verdict that was seen so many times: the heading, the graph if there is one, the call, and the numbers.

    `steps` is the name of the file in which the page of `together` is, for a link.
    """
    svg = drawing(exercise, verdict)
    texts, kind = told(verdict, times, checks(exercise).hints), "right" if verdict.state == RIGHT else "wrong"
    return document(
        exercise,
        kind,
        verdict.title,
        texts,
        verdict.id if times > 1 else "",
        [*sections(exercise, verdict, svg), *ends(exercise, steps)],
        svg,
    )


def ends(exercise, steps):
    """Yield the link to the steps, and which exercise this is."""
    if steps:
        yield f'<p><a href="{escape(steps)}">Step through the right derivatives and yours</a></p>'
    yield f"<p>Exercise {exercise.number}: {escape(exercise.title)}</p>"


def sections(exercise, verdict, svg):
    """Yield the sections below the heading."""
    if svg:
        yield figure(svg)
    if verdict.source:
        yield f'<h2>line {verdict.line}</h2><pre tabindex="0" aria-label="the line of the program">{escape(verdict.source)}</pre>'
    if verdict.input:
        about = f"<p>{escape(verdict.about)}</p>" if verdict.about else ""
        what = "your answer" if checks(exercise).named else "the call"
        yield f'<h2>{what}</h2><pre tabindex="0" aria-label="{what}">{escape(verdict.input)}</pre>{about}'
    if verdict.printed.strip():
        yield f'<h2>what it printed</h2><pre tabindex="0" aria-label="what the program printed">{escape(verdict.printed.rstrip())}</pre>'
    if tables := "".join(table for table in (table_of_components(verdict), *tables_of_arrays(exercise, verdict)) if table):
        yield tables


def table_of_components(verdict):
    """Return the table of the components, the wrong ones marked; "" if there is one component only."""
    body = "".join(
        f'<tr class="{"wrong" if r.wrong else ""}"><th scope="row">{escape(r.name)}</th><td></td><td>{escape(r.got)}</td>'
        f"<td>{escape(r.expected)}</td></tr>"
        for r in rows(verdict)
    )
    head = '<th scope="col">of</th><td></td><th scope="col">your answer</th><th scope="col">right</th>'
    return f"<h2>your answer and the right one</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""


def tables_of_arrays(exercise, verdict):
    """Yield the tables of each array with wrong entries: each of these shows both numbers. More than two axes are cut into slices."""
    for which, got, expected, whose in arrays_of(exercise, verdict):
        if expected.ndim > 0 and expected.size <= MOST_CELLS:
            yield f"<h2>{escape(which)}: {whose}, and the right number where it differs</h2>"
            yield from (table_of_slice(place, got[place], expected[place]) for place in product(*map(range, expected.shape[:-2])))


def table_of_slice(place, got, expected):
    """Return the table of the last two axes of an array; `place` is that of the others."""
    rows_of = lambda array: array.reshape(-1, array.shape[-1])
    body = "".join(f"<tr>{''.join(map(cell, *pair))}</tr>" for pair in zip(rows_of(got), rows_of(expected)))
    caption = f"<caption>[{', '.join(map(str, place))}]</caption>" if place else ""
    return f'<table class="entries">{caption}{body}</table>'


def arrays_of(exercise, verdict):
    """Yield (name, got, right, whose it is) for each array of a verdict that has a wrong entry."""
    if checks(exercise).named:
        marks = marks_of(exercise, verdict)
        arrays = {name: got for name, got in marks.got.items() if is_array(got)} if marks else {}
        yield from ((name, got, marks.right[name], "the engine's") for name, got in arrays.items())
    elif verdict.difference:
        for unlike in differences(verdict.answer, verdict.right):
            if unlike.kind == VALUE and is_array(unlike.expected):
                yield name_of(verdict.probe, unlike.component) or "your answer", unlike.got, unlike.expected, "yours"


def cell(got, expected):
    """Return a cell of an array: one number, or in a wrong cell both."""
    if difference(got, expected) is None:
        return f"<td>{escape(value_text(got))}</td>"
    return f'<td class="entry"><del>{escape(value_text(got))}</del> <ins>{escape(value_text(expected))}</ins></td>'


# The graph


def drawing(exercise: Exercise, verdict: Verdict) -> str:
    """Return the graph of a verdict as SVG: of numbers with got and is, of arrays as they are; "" if the exercise draws none for it."""
    marks = marks_of(exercise, verdict)
    found = drawn(marks)
    if found or marks is None or marks.z is None:
        return picture(found).svg if found else ""
    return marks.z if isinstance(marks.z, str) else array_picture(marks.z, *gradients_of_arrays(verdict))


def marks_of(exercise, verdict) -> Marks | None:
    """Return the graph of a verdict, with what was got and what is right at its variables; None if it has no graph."""
    of, probe = checks(exercise), verdict.probe
    if probe and of.marked and (marks := of.marked(verdict.answer, probe)):
        return marks
    z = of.scene(probe) if probe else None
    return None if z is None else Marks(z, *derivatives(verdict))


def plain_scene(z):
    """Return a graph as plain values: of numbers what `whole` returns, of arrays the drawing as SVG. In a recording it is plain."""
    if isinstance(z, dict | str):
        return z
    return whole(reversed(Graph(z).order)) if isinstance(z, Value) else draw(z, gradients={}).svg


def drawn(marks: Marks | None):
    """Return {numbers, rows} of a graph, as `picture` takes them; None if there is no graph, or one of arrays."""
    if marks is None or not isinstance(marks.z, Value | dict):
        return None
    numbers = SimpleNamespace(**plain_scene(marks.z))
    pairs = [(name, marks.got.get(name), marks.right[name]) for name in numbers.made if name in marks.right]
    found = (compare.Row(name, numbers.values[name], got, right, got is None or bool(difference(got, right))) for name, got, right in pairs)
    return SimpleNamespace(z=marks.z, numbers=numbers, rows=tuple(found))


def gradients_of_arrays(verdict):
    """Return {name: array} twice: the arrays of an answer as they were got, and as they are right."""
    if verdict.difference is None or not isinstance(verdict.right, dict | tuple) or type(verdict.answer) is not type(verdict.right):
        return {}, {}
    parts = lambda value: value if isinstance(value, dict) else {f"[{k}]": part for k, part in enumerate(value)}
    named = lambda value: {name_of(verdict.probe, str(key)).removeprefix("dz/d"): part for key, part in parts(value).items()}
    got, right = named(verdict.answer), named(verdict.right)
    return {name: array for name, array in got.items() if is_array(array) and name in right}, right


def derivatives(verdict):
    """Return {name: dz/dx} twice, as it was got and as it is right; both are empty if the answer is something else.

    An answer of one number is the derivative with respect to the variable that the fact `x` names.
    """
    found = verdict.answer, verdict.right
    if verdict.difference and all(map(is_number, found)) and isinstance(x := verdict.probe.facts.get("x"), str):
        return tuple({x: number} for number in found)
    if verdict.difference and all(isinstance(value, dict) for value in found):
        return tuple({name: number for name, number in value.items() if is_number(number)} for value in found)
    return {}, {}


def together(exercise: Exercise, verdict: Verdict) -> Page | None:
    """Return the page on which the right steps and the learner's derivatives run together to the first difference; None without a graph.

    A recording holds numbers, and no graph that could run.
    """
    marks = marks_of(exercise, verdict)
    found = drawn(marks)
    if marks is None or found is None or not (marks.steps and found.rows and isinstance(found.z, Value)):
        return None
    right = {v.name: total for v, total in backpropagation(found.z).items()}
    got = right | {r.name: r.got for r in found.rows}
    return play(Trace(found.z), beside=Trace(found.z, steps=partial(steps_with, got)), title=verdict.title)


SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
THICK = "3"


def array_picture(z, got, right) -> str:
    """Return the graph of z as SVG. `got` and `right` are {name: gradient} of some of its variables; a red entry is not the right one."""
    asked = {v.name: v for v in Graph(z).order if is_array(right.get(v.name))}
    shown = {name: got[name] for name, v in asked.items() if is_array(got.get(name)) and got[name].shape == v.shape}
    svg = draw(z, gradients={asked[name]: array for name, array in shown.items()}).svg
    wrong = {name for name in asked if difference(got.get(name), right[name])}
    if not wrong:
        return svg
    tree.register_namespace("", SVG)
    tree.register_namespace("xlink", XLINK)
    root = tree.fromstring(re.sub(r"^.*?(?=<svg)", "", svg, count=1, flags=re.S))
    for node in root.iter(f"{{{SVG}}}a"):
        parts = list(node)
        name = next((part.text for part in parts if part.tag.endswith("text")), None)
        if name in wrong:
            pairs = zip(got[name].ravel().tolist(), right[name].ravel().tolist()) if name in shown else ()
            mark(parts, f"d{z.name}/d{name}", [bool(difference(*pair)) for pair in pairs])
    return tree.tostring(root, encoding="unicode")


def mark(parts, caption, wrong):
    """Colour the frame of a box, and below the caption the entries that `wrong` says. A large array is a picture without entries."""
    frame = next(part for part in parts if part.tag.endswith("path") and part.get("stroke") != "none")
    frame.set("stroke", LIGHT.not_finite)
    frame.set("stroke-width", THICK)
    below = next((k for k, part in enumerate(parts) if part.text == caption), len(parts))
    tints = [k for k in range(below + 1, len(parts)) if parts[k].tag.endswith("polygon")]
    if len(tints) == len(wrong):
        for k in (k for k, is_wrong in zip(tints, wrong) if is_wrong):
            parts[k].set("fill", LIGHT.not_finite_fill)
            parts[k + 1].set("fill", LIGHT.not_finite)
