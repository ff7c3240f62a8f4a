"""Exercises of the book in a browser: what is wrong is observed, then explained, then hinted at; a right program is done."""

import pytest

from tests.browser.chapters import uncovered
from tests.browser.player import push
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import known

CHAPTER = "inductive-chain-rule"
WRITE, WRITE_TOO, REPAIR = "02", "03", "04"
NAMED = 2  # wrong answers that the page names; tests/tutorial/exercises checks all
TYPE = "([id, text]) => document.querySelector(`#${id} .CodeMirror`).CodeMirror.setValue(text)"
TYPED = "id => document.querySelector(`#${id} .CodeMirror`).CodeMirror.getValue()"
MARKED = "document.querySelector('#exercise-04 .CodeMirror').CodeMirror.lineInfo(1).bgClass"


class OnPage:
    """An exercise on its page."""

    def __init__(self, page, number):
        self.page, self.id, self.exercise = page, f"exercise-{number}", find(number)
        self.section = page.locator(f"#{self.id}")
        self.found = self.section.frame_locator("iframe[title='what was found']")
        self.header = self.found.locator("header")

    def press(self, name):
        push(self.section.get_by_role("button", name=name))

    def predict(self, number):
        form = self.section.locator("form.predict")
        form.get_by_role("textbox").fill(number)
        form.get_by_role("textbox").press("Enter")
        return form.locator("details[open] p").inner_text()

    def check(self, program):
        self.page.evaluate(TYPE, [self.id, program])
        self.press("check")


@pytest.fixture
def page(site, visit):
    if not (site / "playground" / "index.html").exists():
        pytest.skip("the parts of the playground cannot be had here")
    return uncovered(visit(site / "chapters" / f"{CHAPTER}.html").page)


def test_programs_are_repaired_and_written_on_their_page(page):
    given_program_is_repaired(OnPage(page, REPAIR))
    program_is_written(OnPage(page, WRITE))
    wrong_answers_are_named(OnPage(page, WRITE_TOO))
    assert page.locator(".parts a", has_text="Exercises").locator(".tasks").inner_text() == "✓✓✓○"
    page.reload()
    repair = OnPage(page, REPAIR)
    repair.press("repair it")
    repair.section.locator(".CodeMirror").wait_for()
    assert page.evaluate(TYPED, repair.id) == repair.exercise.solution


def given_program_is_repaired(repair):
    assert repair.section.locator("details[open]").count() == 0
    repair.press("repair it")
    repair.press("check")
    repair.header.locator("h1", has_text="b is wrong").wait_for()
    assert "got 0" in repair.found.locator("svg").text_content() and "a nudge of b reach z?" in repair.header.inner_text()
    assert "You counted only the direct edge" not in repair.header.inner_text()
    repair.press("check")
    repair.header.get_by_text("You counted only the direct edge").wait_for()
    repair.press("check")
    repair.header.get_by_text("Hint 1").wait_for()
    repair.press("step through both")
    repair.section.frame_locator("iframe[title='step through both']").get_by_text("first difference").wait_for()
    repair.check("def derivative(x, z, children, partial):\n    return missing")
    repair.header.locator("h1", has_text="The program raised NameError").wait_for()
    assert repair.page.evaluate(MARKED) == "wrong-line"
    for _ in range(2):
        repair.check("def derivative(x, z, children, partial):\n    return sorted([x], key=lambda _: derivative(x, z, children, partial))")
        repair.header.locator("h1", has_text="The program raised RecursionError").wait_for()
    repair.check(repair.exercise.solution)
    repair.page.locator("#exercise-04.is-right").wait_for()
    assert "gives what is right" in repair.section.locator(".repair-found").inner_text()
    repair.press("reset")
    repair.section.get_by_text("What was found is older than this program").wait_for()
    assert repair.page.locator("#exercise-04.is-right").count() == 0
    repair.check(repair.exercise.solution)
    repair.page.locator("#exercise-04.is-right").wait_for()


def program_is_written(write):
    write.press("write it")
    write.press("check")
    write.section.get_by_text("First predict the number").wait_for()
    assert write.section.get_by_role("textbox", name="A number").evaluate("field => field === document.activeElement")
    assert write.section.locator("form.predict button").is_disabled() and write.section.locator("details[open]").count() == 0
    again = "Predict again, or write the program."
    assert write.predict("13") == f"It is another number. {again}"
    assert write.predict("14") == f"You followed only the path over y₂. x₄ is an input of y₁, too. {again}"
    assert write.predict("32/2") == "Yes, it is 16."
    write.press("check")
    write.header.locator("h1", has_text="Not started").wait_for()
    write.check(write.exercise.wrong["only-y2"].program)
    write.header.locator("h1", has_text="x4 is wrong").wait_for()
    assert "got 14" in write.found.locator("svg").text_content()
    write.check(write.exercise.solution)
    write.page.locator("#exercise-02.is-right").wait_for()


def wrong_answers_are_named(write):
    write.press("write it")
    write.predict("3")  # which is wrong, and enough
    for verdict in known(write.exercise)[:NAMED]:
        for _ in range(2):
            write.check(write.exercise.wrong[verdict.name].program)
        write.header.get_by_text(verdict.said).wait_for()
    write.check(write.exercise.solution)
    write.page.locator("#exercise-03.is-right").wait_for()
