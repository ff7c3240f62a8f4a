"""The programs of which a page shows the source, with literalinclude."""

from importlib import resources

from tutorial.book.reference.markdown import is_listed

SHOWN = ("printed_engine.py", "mended_engine.py")


def pages(book, folder):
    """Give the programs that the page on the tutorial shows, if the book lists it."""
    if is_listed("the-tutorial", book):
        for program in SHOWN:
            yield program, resources.files("tutorial.graphs").joinpath(program).read_bytes()
