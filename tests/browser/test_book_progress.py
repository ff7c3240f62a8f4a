"""The book counts what the reader does, in this browser alone, and opens where the reader left off."""

from pathlib import Path
from urllib.parse import unquote, urlparse

from tests.browser.player import push

NAME = "inductive-chain-rule"
KEPT = "gradsteps.book"  # the key of all that the browser keeps
READ = "key => JSON.parse(localStorage.getItem(key))"
DONE = "detail => document.dispatchEvent(new CustomEvent('done', { detail }))"
TYPE = """key => {
  const typed = { "a.html edited": { 0: "a program" } };
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), ...typed }));
}"""


def count(page):
    return page.locator(".progress span").inner_text()


def tasks(page, part):
    return page.locator(".parts a", has_text=part).locator(".tasks").inner_text()


def to_the_end(page, k):
    page.locator("iframe").nth(k).scroll_into_view_if_needed()
    player = page.frame_locator("iframe").nth(k)
    push(player.locator("#acts [data-name=backward]"))
    player.locator("#next").press("End")


def predict(page, k):
    form = page.locator("form.predict:not(.number)").nth(k)
    form.locator("label").first.locator("input").press("Space")  # a click can miss it while pictures come
    push(form.locator("button"))


def test_doing_counts_until_a_chapter_is_complete(site, visit):
    page = visit(site / "chapters" / f"{NAME}.html").page
    questions, players = page.locator("form.predict:not(.number)").count(), page.locator("iframe").count()
    elsewhere = {"run": ".cell.live", "repair": ".repair"}  # where there is a playground; test_live.py and test_repair.py really do them
    others = [(kind, k) for kind, selector in elsewhere.items() for k in range(page.locator(selector).count())]
    runs = len(others)
    whole = questions + players + runs
    assert count(page).startswith("0 of ") and count(page).endswith(f"0 of {whole} tasks in this one")
    for k in range(questions):
        predict(page, k)
    for kind, k in others:
        page.evaluate(DONE, {"kind": kind, "number": k})
    assert count(page).endswith(f"{questions + runs} of {whole} tasks in this one") and "✓" in tasks(page, "Two ways to z")
    page.evaluate("postMessage({ done: 'steps' }, '*')")  # which no player says
    for k in range(players):
        assert count(page).endswith(f"{questions + runs + k} of {whole} tasks in this one")
        to_the_end(page, k)
        page.locator(".progress span", has_text=f"{questions + runs + k + 1} of {whole} tasks").wait_for()
    page.locator(".current-page .mark.complete").wait_for()
    page.reload()
    assert count(page).startswith("1 of ") and count(page).endswith(f"{whole} of {whole} tasks in this one")
    page.goto((site / "index.html").as_uri())
    assert page.locator(".mark.complete").count() == 1
    assert page.locator(".go-on a").inner_text() == "Go on where you left off: chapter 3, The inductive chain rule"
    page.goto((site / "index.html").as_uri() + "?go=on")
    page.wait_for_url(f"**/{NAME}.html")
    page.evaluate(TYPE, KEPT)
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        push(page.locator(".forget"))
    assert page.evaluate(READ, KEPT) == {"a.html edited": {"0": "a program"}, "here": f"chapters/{NAME}"}
    assert count(page).endswith(f"0 of {whole} tasks in this one") and not page.locator(".predict [open]").count()


def test_a_reader_without_a_past_begins_on_the_front_page(site, visit):
    page = visit(site / "index.html", "?go=on").page
    assert page.locator(".go-on").count() == 0 and page.locator(".forget").is_hidden()
    assert page.locator("a.chapter .minutes").first.inner_text().endswith(" min")


def test_the_teachers_panel_has_a_clock_a_plan_the_goal_and_replies(site, visit):
    page = visit(site / "chapters" / f"{NAME}.html").page
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # else time goes on, and a busy machine needs a second between two lines
    panel, button = page.locator("#teacher"), page.get_by_role("button", name="For teachers")
    assert panel.is_hidden()
    push(button)
    assert panel.is_visible() and button.get_attribute("aria-expanded") == "true"
    assert panel.locator(".clock").inner_text() == "0:00 of 20:00"
    push(panel.get_by_role("button", name="whole chapter"))
    minutes = [int(cell.split()[0]) for cell in panel.locator("td:nth-child(2)").all_inner_texts()]
    assert len(minutes) == page.locator(".parts a").count() and panel.locator(".clock").inner_text() == f"0:00 of {sum(minutes)}:00"
    exercises = [int(text.split()[1]) for text in page.locator(".exercise-title .tag").all_text_contents()]
    chapter = int(page.locator(".current-page .minutes").inner_text().split()[0])
    assert exercises and sum(minutes) == chapter + sum(exercises)
    wrong = page.locator("form.predict:not(.number) .reply").count() - page.locator("form.predict:not(.number)").count()
    assert panel.locator("h3:text('If they say') + ul > li").count() == wrong > 0
    assert panel.locator("h3:text('Goal') + p").inner_text().startswith("Each learner can say why factors multiply along a path")
    push(panel.get_by_role("button", name="start"))
    page.clock.run_for(90_000)
    assert panel.locator(".clock").inner_text().startswith("1:30 of ") and panel.locator("tr.now").count() == 1
    push(panel.get_by_role("button", name="stop"))
    page.clock.run_for(60_000)
    assert panel.locator(".clock").inner_text().startswith("1:30 of ")
    for link in panel.locator("h3:text('To print') + ul a").all():
        assert Path(unquote(urlparse(link.get_attribute("href")).path)).exists()
    panel.press("Escape")
    assert panel.is_hidden() and button.evaluate("button => button === document.activeElement")


def test_a_browser_that_keeps_nothing_shows_the_book(site, visit):
    page = visit(site / "index.html", alone=True).page
    page.add_init_script("Storage.prototype.getItem = () => '[1'; Storage.prototype.setItem = () => { throw new Error() }")
    page.goto((site / "chapters" / f"{NAME}.html").as_uri())
    predict(page, 0)
    assert page.locator(".reply[open]").count() == 1
