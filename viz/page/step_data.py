"""The steps of a run as data of its page: what each step computes and says, and the table of a schedule."""

from viz.text.mathml import in_brief
from viz.text.narration import facts
from viz.text.reasons import reason, remarks_at
from viz.text.schedule_table import touched


def steps_data(page):
    """Return the steps of the trace of `page`, a PageData, without what is None."""
    found, counts = [], {}
    for i, s in enumerate(page.trace):
        changed = {v: n for v, n in (s.state or {}).get("pending", {}).items() if counts.get(v) != n}
        counts |= changed
        step = {**step_data(page, i), **state(page, s), "pending": {page.place[v]: n for v, n in changed.items()} or None}
        if given := (s.state or {}).get("given"):
            step["given"] = [[page.edges[t.y, t.slot], term(page, t)] for t in given if (t.y, t.slot) in page.edges]
        found.append({key: value for key, value in step.items() if value is not None})
    return found


def step_data(page, i):
    """Return one step; None for what it does not have."""
    s = page.trace[i]
    where, said = facts(page.trace, i, page.formatter)
    return {
        "line": s.line,
        "code": page.line_of.get(s.act),
        "act": s.act,
        "iteration": s.iteration,
        "x": page.place.get(s.x),
        "y": page.place.get(s.y),
        "edge": page.edges.get((s.y, s.slot)),
        "partial": page.quantity(s.partial),
        "upstream": page.quantity(s.upstream),
        "term": page.quantity(s.term),
        "total": page.quantity(s.total),
        "known": s.known,
        "where": where or None,
        "said": said,
        **why(page, i),
        "factors": term(page, s),
    }


def table_data(page, table, steps):
    """Return the table of a schedule before the first step, and write into each step the cells that it changes."""
    row_of = lambda i, v: [column.text(page.trace, i, v, page.formatter) for column in table.columns]
    place, now = {v: k for k, v in enumerate(table.rows)}, [row_of(0, v) for v in table.rows]
    found = {
        "title": table.title,
        "note": table.note,
        "columns": [column.title for column in table.columns],
        "rows": [{"variable": page.place.get(v), "cells": cells} for v, cells in zip(table.rows, now)],
    }
    for i, step in enumerate(steps):
        for v in touched(page.trace[i]):
            row, cells = place.get(v), row_of(i, v) if v in place else None
            if row is not None and cells != now[row]:
                step.setdefault("rows", []).append([row, cells])
                now[row] = cells
    return found


def why(page, i):
    """Return the reason for a step, and if it is another one at other starting values, `whyCases`: see Ledger.cases. Remarks replace it."""
    if found := page.trace.loop is page.trace.schedule.loop and remarks_at(page.trace[i]):
        return {"remarks": page.remarks(found)}
    write = lambda: reason(page.trace, i, page.formatter)
    if not page.live:
        return {"why": write() or None}
    cases = page.on.ledger.cases(write)
    return {"why": page.on.ledger.at_start(cases) or None, "whyCases": cases if isinstance(cases, list) else None}


def term(page, s):
    """Return the term of equation (1) of the step's edge, in symbols and in numbers; None if the step has no edge."""
    if (s.y, s.slot) not in page.edges or page.trace.schedule.along_paths:
        return None
    names, symbols, numbers = page.on.factors(s.y, s.slot, s)
    return [page.product(row, s.y, s.slot) for row in (in_brief(symbols, names, page.is_short), numbers)]


def state(page, s):
    """Return what else the schedule keeps at this step: the queue, the place on the tape, the path."""
    state = s.state or {}
    return {
        **{queue: [page.place[v] for v in state[queue]] for queue in ("ready", "ordering") if queue in state},
        "place": state.get("place"),
        "path": [page.edges[edge] for edge in state["path"]] if "path" in state else None,
    }
