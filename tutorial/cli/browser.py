"""Whether a page can be shown, and showing it. A pipe, a machine without a display and a browser that fails are told apart."""

import os
import sys
import webbrowser

import viz

PAGE = "page.html"
WITHOUT_DISPLAY = {"win32", "cygwin", "darwin"}  # systems whose browsers need none


class Unshown(Exception):
    """No page can be shown; why, where that is worth saying."""


def show_page(trace, folder):
    """Write the page into `folder` and open it in the browser; its path. Unshown where that cannot be."""
    if not has_screen():
        raise Unshown
    try:
        browser = webbrowser.get()
        path = viz.play(trace).save(folder / PAGE)
        if not browser.open((folder / PAGE).resolve().as_uri()):
            raise Unshown(f"The browser did not open {path}")
    except (webbrowser.Error, OSError, viz.NoEngine) as why:
        raise Unshown(f"No page can be shown ({why})") from None
    return path


def has_screen():
    """Whether somebody sits at a terminal with a display; $BROWSER says that there is a way to show a page."""
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
