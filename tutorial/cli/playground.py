"""python -m tutorial playground: one page in which you run programs of your own. It holds Python and the engine."""

import webbrowser
from pathlib import Path

from rich.console import Console

from tutorial.cli.browser import has_screen
from tutorial.cli.options import FOLDER
from tutorial.cli.parser import complain

ABOUT = "write a page in which you run programs of your own"
DESCRIPTION = """\
Write one HTML file with an editor, Python and the engine. Whoever opens it runs
programs without installing anything and without a network, and steps through
each graph that a program makes. The file has less than 10 MB. Copy it to a USB
stick, or give it to a class.
The first time, the command fetches the parts of the page (7 MB), and checks
them. It needs the extra `tutorial`: pip install -e ".[tutorial]"
"""
NUMPY = "a wheel of NumPy for the page's Python; then programs with arrays run, too"
FILE = FOLDER / "playground.html"
PARTS = "a folder that holds the fetched parts, for a machine without a network: the one in which npm ci made node_modules"


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("playground", help=ABOUT, description=DESCRIPTION)
    command.add_argument("-o", dest="output", metavar="FILE", help=f"write FILE (default: {FILE}, opened in the browser)")
    command.add_argument("--parts", metavar="DIR", default=None, help=PARTS)
    command.add_argument("--numpy", metavar="WHEEL", default=None, help=NUMPY)
    command.set_defaults(run=run)


def run(args):
    from tutorial.playground.build import playground
    from tutorial.playground.numpy_wheel import NoWheel
    from tutorial.playground.parts import NoParts
    from viz.files import check_writable, write_file

    path = Path(args.output or FILE)
    try:
        if not args.output:
            path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
        with Console(stderr=True).status("The playground is built; the first time, its parts are fetched ..."):
            text = playground(args.parts, args.numpy)
        write_file(path, text)
    except (NoParts, NoWheel, OSError) as wrong:
        complain(wrong)
        return 2
    print(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB); open it in a browser")
    if not args.output and has_screen():
        webbrowser.open(path.resolve().as_uri())
    return 0
