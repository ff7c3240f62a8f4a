"""What a comparison found, as a page; and a page on which both engines step together to the first difference."""

from copy import copy
from functools import partial
from html import escape

from scalargrad import Trace
from scalargrad.tracing.gathering import steps
from scalargrad.tracing.quantities import Quantity
from tutorial.exercises.broken_engine.engines import LoopEngine
from tutorial.exercises.broken_engine.facts import number_text
from tutorial.exercises.broken_engine.picture import picture, style_of
from tutorial.exercises.broken_engine.words import explanation, question, title
from tutorial.misconceptions import misconception
from tutorial.program_error import described
from viz.document import Page, asset, bundle, policy, surfaces, with_head
from viz.page.play import play


def comparison_page(comparison, file="") -> Page:
    """Return the page of a comparison: the name of the mistake, the graph with got and is, the program, the numbers, a question."""
    found, said = comparison.found, comparison.said
    svg = picture(found).svg if found and found.rows else ""
    texts = [said.said if said else explanation(comparison)]
    kind = "wrong" if found else "right"
    return document(comparison.engine, kind, title(comparison), texts, said.id if said else "", parts(comparison, svg, file), svg)


def document(shown, kind, heading, texts, id, sections, svg="") -> Page:
    """Return a page of a heading, sentences, what a misconception believes, and sections of HTML. `kind` is right or wrong."""
    style = "\n".join([surfaces(), asset("found.css", __package__), style_of(svg) if svg else ""])
    believed = f'<p class="id">{escape(misconception(id))}</p>' if id else ""
    script = bundle("found.js", __package__)
    text = with_head(
        asset("found.html", __package__),
        policy=policy({"style": [style], "script": [script]}),
        title=escape(heading),
        kind=kind,
        said="".join(f"<p>{escape(text)}</p>" for text in texts) + believed,
        found="\n".join(f"<section>{section}</section>" for section in sections),
        style=style,
        script=script,
    )
    return Page(shown, heading, text)


def figure(svg):
    return f'<figure tabindex="0" aria-label="the graph, with what was got and what is right">{svg}</figure>'


def parts(comparison, svg, file):
    """Yield the parts below the heading."""
    found = comparison.found
    if found is not None:
        if svg:
            yield figure(svg)
        program = f"<div><h2>the program</h2><pre>{escape(str(found.program))}</pre></div>"
        yield f'<div class="columns">{program}{numbers(found) if svg else raised(found, file)}</div>'
    if asked := question(comparison):
        yield f'<p class="ask">{escape(asked)}</p>'
    yield from (f"<p>{escape(remark)}</p>" for remark in comparison.remarks)


def numbers(found):
    """Return the table of variables."""
    what = "value" if found.what == "value" else f"d{found.program.z}/dx"
    head = "".join(f'<th scope="col">{text}</th>' for text in ("x", "x is", f"got {what}", "right"))
    body = "".join(
        f'<tr class="{"wrong" if r.wrong else ""}"><th scope="row">{escape(r.name)}</th>'
        + "".join(f"<td>{escape(number_text(x))}</td>" for x in (r.value, r.got, r.expected))
        + "</tr>"
        for r in found.rows
    )
    return f"<div><h2>your engine and the right one</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def raised(found, file):
    """Return the error of an engine, or nothing."""
    if found.error is None:
        return ""
    return f"<div><h2>your engine raised</h2><pre>{escape(described(found.error, file)['text'])}</pre></div>"


def together(comparison) -> Page | None:
    """Return the page on which both engines step to the first difference; None if they have no such steps.

    An engine that is not a loop of steps takes the steps of the right loop, with its own derivatives.
    """
    found = comparison.found
    if found is None or found.program.calls > 1 or found.what != "derivative" or found.first.name not in found.numbers.children:
        return None
    z = found.numbers.variables[found.program.z]
    loop = comparison.engine.loop if isinstance(comparison.engine, LoopEngine) else partial(steps_with, {r.name: r.got for r in found.rows})
    return play(Trace(z), beside=Trace(z, steps=loop), title=title(comparison))


def steps_with(totals, graph, on):
    """Yield the steps of the tutorial's loop, except that each derivative is the one that an engine gave, {name: number}."""
    given = {v: Quantity(totals.get(v.name) or 0, totals.get(v.name) or 0) for v in graph.variables}
    on, log = copy(on), []
    on.upstream = lambda y, total: given[y]
    for step in steps(graph, on):
        if step.act in ("start", "insert"):
            log.append((step.x, given[step.x]))
            step = step._replace(total=given[step.x])
        yield step._replace(log=log)
