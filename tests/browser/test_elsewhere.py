"""The page marks a function whose derivative is computed elsewhere, and shows the line of the program that made the current variable."""

from pathlib import Path

from scalargrad.user_names.remarks import Remark, note
from tests.browser.axe import serious_violations
from tests.browser.player import push
from tests.viz.test_elsewhere import boxed
from viz import play
from viz.theme import LIGHT

LINE = "document.querySelector('#where').textContent"


def test_a_function_shows_its_line_and_who_computes_its_derivative(visit, tmp_path):
    leaves = []

    def loss():
        w, y, z = boxed()
        leaves.append(w)
        return z + 1  # the end

    page = visit(Path(play(loss).save(tmp_path / "page.html")), "#question=3").page
    page.locator(".node.by-theirs").first.focus()
    page.keyboard.press("Enter")
    assert "cube(w)" in page.evaluate(LINE) and "test_elsewhere.py:" in page.evaluate(LINE)
    page.evaluate("player.enter('backward', 6)")
    assert page.locator(".layer.by-theirs .by").inner_text() == "them"
    colour = page.locator(".layer.by-theirs").evaluate("e => getComputedStyle(e).backgroundColor")
    assert colour == "rgb({}, {}, {})".format(*bytes.fromhex(LIGHT.theirs_fill[1:]))
    page.evaluate("player.enter('backward', player.acts.backward.length - 2)")
    assert "another library computes this derivative. The page cannot look inside." in page.locator("#passes").inner_text()
    assert not serious_violations(page)


def test_nudge_use_and_the_step_say_a_long_remark_whose_fact_needs_no_scrolling(visit, tmp_path):
    leaves = []
    fact, more = "This sum is so odd that a line of the panel has no room for all that is to be said of it:", "it is a sum; take a mean."

    def loss():
        w, y, z = boxed()
        leaves.append(w)
        note(z, lambda: [Remark("odd", f"{fact} {more}", 0)])
        return z

    page = visit(Path(play(loss).save(tmp_path / "page.html"))).page
    remark, panel = page.locator("#why details"), page.locator("#said .sentences")
    odd = next(step for step, made in enumerate(page.evaluate("player.run.steps")) if made.get("remarks"))
    for act, step in (("nudge", 0), ("use", 0), ("backward", odd)):
        page.evaluate("([act, step]) => player.enter(act, step)", [act, step])
        assert remark.locator("summary").inner_text() == f"! {fact}", act
        assert not remark.locator("p").is_visible() and panel.evaluate("e => e.scrollHeight <= e.clientHeight"), act
        push(remark.locator("summary"))
        assert remark.locator("p").inner_text() == more
