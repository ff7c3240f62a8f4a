"""An exercise of the book in a browser: the check names the mistake of the given program, and the repaired program is right."""

import pytest

from tutorial.exercises.authored import find

EXERCISE = find("08")
TYPE = "text => document.querySelector('.repair .CodeMirror').CodeMirror.setValue(text)"


@pytest.fixture
def page(site, visit):
    if not (site / "playground" / "index.html").exists():
        pytest.skip("the parts of the playground cannot be had here")
    return visit(site / "chapters" / f"{EXERCISE.meta['chapter']}.html").page


def test_the_check_names_the_mistake_and_a_repaired_program_is_done(page):
    repair = page.locator(".repair")
    assert repair.locator("details").get_attribute("open") is None
    repair.get_by_role("button", name="repair it").click()
    check = repair.get_by_role("button", name="check")
    check.click()
    found = page.frame_locator(".repair-found iframe")
    found.locator("h1", has_text="The engine overwrites instead of adding").wait_for()
    assert "got 1" in found.locator("svg").text_content()
    page.evaluate(TYPE, "def backprop(order, children, partial):\n    return missing")
    check.click()
    found.locator("h1", has_text="The engine raised NameError").wait_for()
    assert page.evaluate("document.querySelector('.repair .CodeMirror').CodeMirror.lineInfo(1).bgClass") == "wrong-line"
    page.evaluate(TYPE, EXERCISE.solution)
    check.click()
    page.locator(".repair.is-right").wait_for()
    assert "agree on" in repair.locator(".repair-found").inner_text()
    assert page.locator(".parts a", has_text="Exercises").locator(".tasks").inner_text() == "✓"
