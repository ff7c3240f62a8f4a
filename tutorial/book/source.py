"""The folder that Sphinx reads: the book's own files, and pages that are generated. Only what has changed is written."""

from importlib import resources
from pathlib import Path

from tutorial.book.reference import differences, exercises, functions, glossary, results
from tutorial.book.reference.markdown import is_listed
from tutorial.book.teaching import plan
from viz.whole_files import write_file

SHOWN = ("printed_engine.py", "mended_engine.py")  # programs of which the page on the tutorial shows the source


def shown(book, folder):
    """Give the programs that the page on the tutorial shows, if the book lists it."""
    if is_listed("the-tutorial", book):
        for program in SHOWN:
            yield program, resources.files("tutorial.graphs").joinpath(program).read_bytes()


#: functions of the book and of this folder that give generated pages, each as pairs of a name in the folder and its content: text or bytes
GENERATED: list = [functions.pages, glossary.pages, exercises.pages, differences.pages, results.pages, shown, plan.pages]


def gather(book, folder):
    """Write the pages of the book and the generated pages to `folder`.

    A file that stays the same keeps its time, and one that is gone is removed.
    """
    files = {folder / name: content for give in (own, *GENERATED) for name, content in give(book, folder)}
    for path in folder.rglob("*"):
        if path.is_file() and path not in files:
            path.unlink()
    for path, content in files.items():
        content = content.encode() if isinstance(content, str) else content
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, content)


def own(book, folder):
    """Give the settings of Sphinx and each page of the book: its name and its content.

    >>> names = {str(name) for name, _ in own(Path(__file__).parent, None)}
    >>> {"conf.py", "index.md", "source.py"} - names
    {'source.py'}
    """
    for path in sorted(Path(book).glob("conf.py")) + sorted(Path(book).rglob("*.md")):
        yield path.relative_to(book), path.read_bytes()
