"""Why pictures mark a variable: something is odd about it, or its derivative is computed by another library or by code of the user."""

from typing import NamedTuple

from scalargrad.user_names.remarks import remarks_of
from viz.text.formatter import enumerated, listed

REMARK = "remark"
MOST_LABELS, MOST_TEXTS = 2, 5  # in a box; in a legend


class Mark(NamedTuple):
    """The `kind` is the colour. `label` stands in a box, `short` in a small one. `closed` says why nobody looks inside, or is ""."""

    kind: str
    label: str
    short: str
    closed: str


def mark_of(v):
    """Return the Mark of a variable; None if there is nothing to say."""
    who = getattr(getattr(v, "rule", None), "elsewhere", None)
    closed = f"{who.said}. The page cannot look inside." if who else ""
    for label in remarks_inside([v]):
        return Mark(REMARK, label, label, closed)
    return Mark(who.kind, who.label, who.short, closed) if who else None


def kinds_of(variables):
    """Return [[kind, what its colour says]] of the marks of these variables."""
    marks = {mark.kind: mark.label for v in variables if (mark := mark_of(v))}
    return [[kind, "a remark, which its step says" if kind == REMARK else label] for kind, label in marks.items()]


def legend(variables):
    """Return [(kind, sentence)] on the variables among these that pictures mark.

    >>> legend([])
    []
    """
    elsewhere: dict = {}
    for v in variables:
        if (mark := mark_of(v)) and mark.kind != REMARK:
            elsewhere.setdefault((mark.kind, mark.label), {})[v.rule.name] = None
    said = [*dict.fromkeys(remark.text for v in variables for remark in remarks_of(v))]
    more = [f"{len(said) - MOST_TEXTS} more remarks stand in the report"] if len(said) > MOST_TEXTS else []
    remarks = [(REMARK, f"! {text}") for text in [*said[:MOST_TEXTS], *more]]
    return [*remarks, *((kind, f"■ {label}: {enumerated([*names])}") for (kind, label), names in elsewhere.items())]


def remarks_inside(variables):
    """Return ["! wrong backward"], a line for a box that holds these variables, if there are remarks on any; else []."""
    labels = [*dict.fromkeys(remark.label for v in variables for remark in remarks_of(v))]
    return [f"! {listed(labels, most=MOST_LABELS)}"] if labels else []
