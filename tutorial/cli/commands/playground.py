"""python -m tutorial playground: one page in which you run programs of your own. It holds Python and the engine."""

from pathlib import Path

from tutorial.cli.shared.options import FOLDER
from tutorial.cli.shared.parser import Mistake

ABOUT = "write a page in which you run programs of your own"
DESCRIPTION = """\
Write one HTML file with an editor, Python and the engine. Who opens it runs
programs without installing anything and without a network, and steps through
each graph that a program makes. The file has less than 10 MB. Copy it to a USB
stick, or give it to a class.
The first time, the command fetches the parts of the page (7 MB), and checks
them. It needs the extra `tutorial`: pip install -e ".[tutorial]"
"""
NUMPY = "a wheel of NumPy for the page's Python; then programs with arrays run, too"
REPORTED = (OSError,)
FILE = FOLDER / "playground.html"
PARTS = "a folder that holds the fetched parts, for a machine without a network: the one in which npm ci made node_modules"


def options(parser):
    parser.add_argument("-o", dest="output", metavar="FILE", help=f"write FILE (default: {FILE}, opened in the browser)")
    parser.add_argument("--parts", metavar="DIR", default=None, help=PARTS)
    parser.add_argument("--numpy", metavar="WHEEL", default=None, help=NUMPY)


def run(args):
    import webbrowser

    from rich.console import Console

    from tutorial.cli.shared.browser import has_screen
    from tutorial.playground.build import playground
    from tutorial.playground.numpy_wheel import NoWheel
    from tutorial.playground.parts import NoParts
    from viz.whole_files import check_writable, write_file

    path = Path(args.output or FILE)
    try:
        if not args.output:
            path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
        with Console(stderr=True).status("The playground is built; the first time, its parts are fetched ..."):
            text = playground(args.parts, args.numpy)
        write_file(path, text)
    except (NoParts, NoWheel) as wrong:
        raise Mistake(wrong) from None
    print(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB); open it in a browser")
    if not args.output and has_screen():
        webbrowser.open(path.resolve().as_uri())
    return 0
