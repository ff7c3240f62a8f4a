"""What the tests do on a page of a chapter."""


def uncovered(page):
    """Show what follows each question, as a reader can, and return the page."""
    while (note := page.locator(".cover-note")).count():
        note.get_by_role("button", name="show anyway").click()
    return page
