"""Slides for a lesson: the steps of the page that matter, about ten, with notes for the speaker. The page shows them."""

from scalargrad.formulas.rounding_error import is_lost
from scalargrad.modes import gc_paused
from viz.document import Page
from viz.graphs.detail import trace_of
from viz.graphs.inputs import asked_input
from viz.options import require
from viz.page.play import Lesson, player_page
from viz.questions.quiz import questions_for_partials
from viz.text.formatter import UNICODE, name_of, total_of
from viz.text.narration import distinct_children, sentence


class Slides(Page):
    """A page that shows one slide at a time, and prints one slide a page with its notes."""


def slides(z, *, title: str = "Backpropagation", **options) -> Slides:
    """Return a lesson about backpropagation from z (or of a Trace) as slides. `.save("lesson.html")` writes one offline file.

    There are about ten slides: the question, the values, a nudge, the steps of the backward pass that show something new, and one step of
    gradient descent. A graph that cannot be nudged has neither the slide of the nudge nor that of the descent. A box of several
    operations or passes opens into slides of its own by a click on its magnifier, or Z, and closes by Esc. The keys are a presenter's:
    → ← or Page Down, Page Up; Home, End; N notes, F full screen, B blank, T theme. Print it for one slide a page with its notes.
    `options` are those of `Trace`: order, schedule, names, detail, opened.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); lesson = slides(x * x); len(list(steps_that_matter(lesson.trace)))
    6
    """
    require(title=title)
    trace = trace_of(z, **options)
    with gc_paused():
        return Slides(trace, title, player_page(trace, title, slides=Lesson([title_slide(trace, title), *shown(trace)], inside)))


def title_slide(trace, title):
    first = asked_input(trace)
    x, z, dz_dx = name_of(trace, first, UNICODE), name_of(trace, trace.graph.z, UNICODE), total_of(trace, first, UNICODE)
    note = f"Ask the class: if {x} grows a little, how much does {z} grow? That number is {dz_dx}."
    return {"act": "question", "step": 0, "heading": title, "note": note}


def shown(trace):
    """Return the other slides: {act, step (from 0, -1 for the last; or the label of a step), heading, note, table}."""
    z = name_of(trace, trace.graph.z, UNICODE)
    nudged = f"Let the class guess the new {z} first. Then compare what happened with what the derivative says, and drag the slider."
    values, *steps = inside(trace)
    nudge = {"act": "nudge", "step": 0, "heading": "A nudge", "note": nudged}
    used = f"Each input moves against its derivative, so {z} falls. A network learns in the same way, with millions of inputs."
    return [values, nudge, *steps, {"act": "use", "step": "one step", "heading": "What the derivatives are good for", "note": used}]


def inside(trace):
    """Return the slides of values and derivatives alone, as a box of a slide opens into them."""
    values = "Compute the values from the inputs to the end. Let the class find one of them."
    found = [{"act": "question", "step": -1, "heading": "The values", "note": values}]
    for i, heading, note in steps_that_matter(trace):
        said = f"{sentence(trace, i)} {note}".strip()
        found.append({"act": "backward", "step": i, "heading": heading, "note": said, "table": trace[i].act == "done"})
    return found


def steps_that_matter(trace):
    """Yield (step, heading, what to say) for the steps of the backward pass that show something new, in order."""
    found = {}
    for act, (heading, note) in FIRST.items():
        i = next((i for i, s in enumerate(trace) if s.act == act), None)
        if i is not None:
            found[i] = heading, note
    for question in questions_for_partials(trace)[:1]:
        partial = UNICODE.formula(trace.ratio(question.y, question.slot))
        found[question.step] = f"The partial {partial}", "Ask the class for the number before you go on to this slide."
    for i, heading, note in sums(trace):
        found.setdefault(i, (heading, note))
    yield from ((i, *found[i]) for i in sorted(found))


# fmt: off
FIRST = {  # the first step of each of these acts is a slide
    "sort":     ("The order", "Each variable comes after its children, so their derivatives are known when it needs them."),
    "start":    ("It starts at the end", "A variable grows exactly as fast as itself."),
    "multiply": ("One path", "Along a path, factors multiply."),
    "add":      ("One term of the chain rule", "Along a path, factors multiply."),
    "insert":   ("The first derivative", "It is looked up from now on, and never computed again."),
    "done":     ("All derivatives", "One pass gave all of them. Which input would you change first, and why?"),
}
# fmt: on


def sums(trace):
    """Yield the steps that complete the sum of the first variable with several children, and of the last one.

    A sum whose terms cancel up to rounding is not an example: its number is only the error of the machine.
    """
    last = {}
    for i, s in enumerate(trace):
        if s.act == "add" and len(distinct_children(trace, s.x)) > 1:
            last[s.x] = i
    last = {x: i for x, i in last.items() if not is_lost(trace[i].total.number)}
    if last and trace.schedule.gathers:
        first, *more = last.items()
        yield (
            first[1],
            f"Effects add up: {total_of(trace, first[0], UNICODE)}",
            "The nudge arrives along several ways at once, so the effects add up.",
        )
        for x, i in more[-1:]:
            yield i, f"Once more: {total_of(trace, x, UNICODE)}", "Let the class find this number before you show it."
