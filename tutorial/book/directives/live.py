"""Live pages: the playground beside the book, in whose Python the reader runs and changes the cells of a chapter, or of a function's page.

Each chapter is live. A program that needs NumPy may have to fetch it, see `tutorial.playground.numpy_wheel`; none of a chapter whose front
matter says `numbers: true` does, which a test checks.
"""

import ast
import json
from importlib import resources
from pathlib import Path

from tensorgrad.families import PUBLIC
from tutorial.book.reference import examples
from tutorial.reading.chapter import Cell, read, walk

CELLS = '\n<script type="application/json" id="cells">{cells}</script>\n'


def add(app):
    """Let Sphinx put the sources of a live chapter's cells into its page, and a link to the playground beside all chapters."""
    app.add_config_value("playground", False, "html")  # whether the site has one
    app.connect("html-page-context", offer)


def offer(app, page, template, context, tree):
    context["playground"] = app.config.playground
    folder, _, name = page.partition("/")
    if not app.config.playground:
        return
    if folder == "chapters":
        cells = cells_of(Path(app.srcdir, f"{page}.md"))
    elif folder == "functions" and name in PUBLIC:
        cells = [{"source": source, "shown": True, "raises": False} for source, _ in examples.cells(name, PUBLIC[name])]
    else:
        return
    said = json.dumps(cells, ensure_ascii=False).replace("</", "<\\/")
    context["body"] += CELLS.format(cells=said)


def cells_of(path):
    """Return [{source, shown, raises}] of the cells of a chapter. A cell that is not shown prepares others, or shows its result alone."""
    cells = [block for block in walk(read(path).blocks) if isinstance(block, Cell)]
    sources = [without_claims(cell, cells[k:]) for k, cell in enumerate(cells, 1)]
    return [{"source": s, "shown": c.shows_code, "raises": "raises-exception" in c.tags} for s, c in zip(sources, cells)]


def without_claims(cell, later):
    """Return the source of a cell without what it asserts unseen of the book's own programs: a reader's may do something else.

    If no later cell uses what else it makes, that was for the assertions, and nothing is left.

    >>> without_claims(Cell("x = 2\\nassert x == 2", ("remove-cell",)), [Cell("x + 1")])
    'x = 2'
    >>> without_claims(Cell("x = 2\\nassert x == 2", ("remove-cell",)), [Cell("y + 1")])
    ''
    """
    if "remove-cell" not in cell.tags or not (tree := ast.parse(cell.source)).body:
        return cell.source
    kept = [statement for statement in tree.body if not isinstance(statement, ast.Assert)]
    if len(kept) == len(tree.body):
        return cell.source
    used = {node.id for other in later for node in ast.walk(ast.parse(other.source)) if isinstance(node, ast.Name)}
    return "\n".join(map(ast.unparse, kept)) if used & set(names_made(kept)) else ""


def names_made(statements):
    """Yield the names that statements give to values, functions, classes and modules."""
    for node in (node for statement in statements for node in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) or isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield getattr(node, "id", None) or node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]


TEMPLATES = str(resources.files("tutorial.book").joinpath("assets", "templates"))
