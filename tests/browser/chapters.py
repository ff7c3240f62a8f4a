"""What the tests do on a page of a chapter."""

from tests.browser.player import push


def uncovered(page):
    """Show what follows each question, as a reader can, and return the page."""
    while (note := page.locator(".cover-note")).count():
        push(note.get_by_role("button", name="show anyway"))
    return page
