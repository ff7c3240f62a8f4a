"""Open a page in the browser. Tell a pipe, a machine without a display and a browser that fails apart."""

import os
import sys
import webbrowser

PAGE = "page.html"
WITHOUT_DISPLAY = {"win32", "cygwin", "darwin"}  # systems whose browsers do not need $DISPLAY


class Unshown(Exception):
    """The program cannot show a page. The message says why; it is empty if the user knows."""


def show_page(trace, folder, functions=None):
    """Write the page into `folder`, open it in the browser, and return its path. Raises Unshown if that is impossible."""
    import viz

    if not has_screen():
        raise Unshown
    try:
        browser = webbrowser.get()
        path = viz.play(trace, functions=functions).save(folder / PAGE)
        if not browser.open((folder / PAGE).resolve().as_uri()):
            raise Unshown(f"The browser did not open {path}")
    except (webbrowser.Error, OSError) as why:
        raise Unshown(f"Cannot show a page ({why})") from None
    return path


def has_screen():
    """Return whether the user sits at a terminal with a display. $BROWSER also says that a page can be shown."""
    if not at_terminal():
        return False
    if any(os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")):
        return True
    return sys.platform in WITHOUT_DISPLAY and not os.environ.get("SSH_CONNECTION")


def at_terminal():
    try:
        return os.isatty(sys.stdout.fileno()) and os.isatty(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):
        return False
