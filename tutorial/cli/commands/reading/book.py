"""python -m tutorial book: build what is missing of the book, serve it, and open it where the reader left off."""

import time
import webbrowser

from tutorial.cli.commands import play
from tutorial.cli.commands.reading.build import SITE, built
from tutorial.cli.shared.browser import at_terminal, has_screen
from tutorial.cli.shared.parser import program

ABOUT = "open the book in the browser, where you left off"
DESCRIPTION = """\
Build what is missing of the book, serve it to this machine only, and open it in
the browser where you left off. Ctrl-C ends. It needs the extra `tutorial`:
pip install -e ".[tutorial]"
Once the book is built, the program without a command does the same.
"""
WHERE_YOU_LEFT_OFF = "index.html?go=on"
PATIENCE = 3600  # seconds between two looks at nothing


def run(args):
    return opened(WHERE_YOU_LEFT_OFF)


def front_door(args):
    """Open the book if it is built and there is a browser. Otherwise play Figure 1, and say how to read the book."""
    from tutorial.book.site import missing_packages

    if not at_terminal():
        return play.run(args)
    if has_screen() and (SITE / "index.html").exists() and not missing_packages():
        return run(args)
    code = play.run(args)
    if not has_screen():
        print(f"The book: {program()} read")
    elif missing_packages():
        print(f"The book: run pip install -e '.[tutorial]', then {program()} book; or read it in the terminal: {program()} read")
    else:
        print(f"The book: {program()} book")
    return code


def opened(page):
    """Build what is missing, and open a page of the site. Where nobody sits at a terminal, only say where it is."""
    from tutorial.book.server import served

    first = built(SITE)
    if first is None:
        return 2
    if not at_terminal():
        print(f"open {first} in a browser")
        return 0
    with served(SITE) as address:
        print(f"The book is at {address}{page} (Ctrl-C ends)", flush=True)
        if has_screen():
            webbrowser.open(address + page)
        wait()
    return 0


def wait():
    try:
        while True:
            time.sleep(PATIENCE)
    except KeyboardInterrupt:
        print()
