"""What the book adds to Sphinx: formulas, numbers, questions, exercises, figures, live cells, commands, prints, players in files."""

from tutorial.book import (
    evaluated,
    exercise,
    first_uses,
    formulas,
    introduced,
    linked_names,
    live,
    navigation,
    predict,
    printed,
    share_out,
    terminal,
    ways,
)
from tutorial.book.figures import figure
from tutorial.book.legible import with_least_widths
from tutorial.book.players import in_files


def setup(app):
    """Called by Sphinx."""
    formulas.add(app)
    evaluated.add(app)
    predict.add(app)
    exercise.add(app)
    figure.add(app)
    terminal.add(app)
    first_uses.add(app)
    introduced.add(app)
    linked_names.add(app)
    ways.add(app)
    printed.add(app)
    live.add(app)
    navigation.add(app)
    share_out.add(app)
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True  # it numbers when all pages have been read
    app.connect("build-finished", lambda app, error: error or (in_files(app.outdir), with_least_widths(app.outdir)))
    return {"env_version": 6, "parallel_read_safe": True, "parallel_write_safe": True}
