"""Exercises of the book in a browser: what is wrong is observed, then explained, then hinted at; a right program is done."""

import pytest

from tutorial.exercises.authored import find

REPAIR, WRITE = find("08"), find("02")
TYPE = "([nth, text]) => document.querySelectorAll('.repair')[nth].querySelector('.CodeMirror').CodeMirror.setValue(text)"


@pytest.fixture
def open_chapter(site, visit):
    if not (site / "playground" / "index.html").exists():
        pytest.skip("the parts of the playground cannot be had here")
    return lambda exercise: visit(site / "chapters" / f"{exercise.meta['chapter']}.html").page


def test_the_check_names_the_mistake_and_a_repaired_program_is_done(open_chapter):
    page = open_chapter(REPAIR)
    repair = page.locator(".repair")
    assert repair.locator("details[open]").count() == 0
    repair.get_by_role("button", name="repair it").click()
    check = repair.get_by_role("button", name="check")
    check.click()
    found = page.frame_locator("iframe[title='what was found']")
    found.locator("h1", has_text="a is wrong").wait_for()
    assert "got 1" in found.locator("svg").text_content() and "Which functions use a" in found.locator("header").inner_text()
    assert "overwrote" not in found.locator("header").inner_text()
    check.click()
    found.locator("header", has_text="You overwrote the derivative").wait_for()
    check.click()
    found.locator("header", has_text="Hint 1").wait_for()
    repair.get_by_role("button", name="step through both").click()
    page.frame_locator(".repair-found iframe[title='step through both']").get_by_text("first difference").wait_for()
    page.evaluate(TYPE, [0, "def backprop(order, children, partial):\n    return missing"])
    check.click()
    found.locator("h1", has_text="The program raised NameError").wait_for()
    assert page.evaluate("document.querySelector('.repair .CodeMirror').CodeMirror.lineInfo(1).bgClass") == "wrong-line"
    page.evaluate(TYPE, [0, REPAIR.solution])
    check.click()
    page.locator(".repair.is-right").wait_for()
    assert "gives what is right" in repair.locator(".repair-found").inner_text()
    assert page.locator(".parts a", has_text="Exercises").locator(".tasks").inner_text() == "✓"


def test_a_program_is_written_and_another_repaired_on_one_page(open_chapter):
    page = open_chapter(WRITE)
    written, _, repaired = page.locator(".repair").all()
    written.get_by_role("button", name="write it").click()
    written.get_by_role("button", name="check").click()
    found = page.frame_locator("iframe[title='what was found']")
    found.locator("h1", has_text="Not started").wait_for()
    page.evaluate(TYPE, [0, WRITE.wrong["only-y2"].program])
    written.get_by_role("button", name="check").click()
    found.locator("h1", has_text="x4 is wrong").wait_for()
    assert "got 14" in found.locator("svg").text_content()
    page.evaluate(TYPE, [0, WRITE.solution])
    written.get_by_role("button", name="check").click()
    page.locator(".repair.is-right").wait_for()
    repaired.get_by_role("button", name="repair it").click()
    page.evaluate(TYPE, [2, find("04").solution])
    repaired.get_by_role("button", name="check").click()
    page.locator(".repair.is-right").nth(1).wait_for()
