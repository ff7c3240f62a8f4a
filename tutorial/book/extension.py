"""What the book adds to Sphinx: formulas, numbers, questions, exercises, figures, live cells, commands, prints, players in files."""

from tutorial.book import introduced, navigation, searched
from tutorial.book.directives import chapter_links as ways
from tutorial.book.directives import evaluated, exercise, first_uses, formulas, linked_names, live, predict, printed, terminal
from tutorial.book.directives import reading_order as share_out
from tutorial.book.directives.finished_pages import in_files, with_drawings_inside
from tutorial.book.figures import figure


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
    searched.add(app)
    share_out.add(app)
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True  # it numbers when all pages have been read
    app.connect("build-finished", lambda app, error: error or (in_files(app.outdir), with_drawings_inside(app.outdir)))
    return {"env_version": 6, "parallel_read_safe": True, "parallel_write_safe": True}
