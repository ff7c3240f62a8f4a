"""Put the parts of a picture of memory below one another: the chart, what stays, what comes and goes, the arena, the legend."""

from viz.memory.arena import arena
from viz.memory.chart import chart
from viz.memory.rows import bars, rows
from viz.memory.sentences import Sentences
from viz.memory.sheet import MARGIN, Sheet

MOST_STAY, MOST_BATCH = 16, 40  # rows


def picture(found, measured, why, scopes, title, theme):
    """Return the SVG of predicted lifetimes. `measured` are bytes at each step, or None and `why`; `scopes` is {variable: its scopes}."""
    steps, said = len(found.steps), Sentences(found, measured, why)
    stay = [a for a in found.arrays if a.kind == "parameter" or (a.kind == "gradient" and a.freed is None)]
    staying = set(map(id, stay))
    batch = [a for a in found.arrays if id(a) not in staying]
    told = lambda row: said.arrays(row.arrays)
    sheet = Sheet(steps)
    sheet.text(MARGIN, sheet.y, title, "title")
    for sentences in said.summary():
        sheet.paragraph(sentences)
    chart(sheet, found, measured)
    sheet.heading("Parameters and their gradients stay", said.stays(stay))
    bars(sheet, rows(stay, steps, scopes, MOST_STAY), told)
    sheet.heading("A batch's arrays come and go", said.comes_and_goes(batch))
    bars(sheet, rows(batch, steps, scopes, MOST_BATCH), told)
    sheet.heading("In an arena, one rewind to the mark frees a batch", said.arena(batch))
    arena(sheet, stay, batch, said.arrays)
    sheet.legend(dict.fromkeys(a.kind for a in found.arrays))
    return sheet.svg(title, said.alternative(), theme)
