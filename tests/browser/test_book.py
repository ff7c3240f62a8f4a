"""The book as a site, opened from its folder without a network: it builds without a warning, and every page works."""

import shutil

import pytest

from tutorial.book.site import SOURCE, NoBook
from tutorial.book.site import site as build_site

CHAPTERS = sorted(path.stem for path in (SOURCE / "chapters").glob("*.md"))
LARGEST = 600_000  # bytes of a chapter without its players


def test_a_cell_that_raises_is_shown_with_its_error_at_every_build(tmp_path):
    source = tmp_path / "book"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("chapters", "__pycache__"))
    (source / "index.md").write_text("---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n# Book\n```{code-cell}\n1 / 0\n```\n")
    for _ in range(2):
        with pytest.raises(NoBook, match=r"(?s)has a mistake.*index\.md.*1 / 0.*ZeroDivisionError"):
            build_site(tmp_path / "site", source)


@pytest.fixture(params=CHAPTERS)
def chapter(request, site, visit):
    return visit(site / "chapters" / f"{request.param}.html")


def test_a_chapter_is_small_and_its_players_play(chapter, site):
    page = chapter.page
    assert len(page.content()) < LARGEST
    for k in range(page.locator("iframe").count()):
        frame = page.frame_locator("iframe").nth(k)
        page.locator("iframe").nth(k).scroll_into_view_if_needed()
        before = frame.locator("#step").inner_text()
        frame.locator("#next").click()
        assert frame.locator("#step").inner_text() != before


def test_a_result_appears_when_the_reader_has_predicted_it_and_stays_after_a_reload(chapter):
    page = chapter.page
    form = page.locator("form.predict").first
    locked = page.locator(".cell.locked .cell_output")
    count = locked.count()
    assert count >= 1 and not locked.first.is_visible()
    wrong = 1 if form.get_attribute("data-right") != "1" else 2
    form.locator("label").nth(wrong - 1).click()
    form.locator("button").click()
    assert form.locator(".reply.wrong[open]").count() == 1
    assert page.locator(".cell.locked").count() == count - 1
    page.reload()
    assert page.locator("form.predict").first.locator(".reply.wrong[open]").count() == 1


def test_players_follow_the_theme_of_the_site(site, visit):
    page = visit(site / "chapters" / "inductive-chain-rule.html").page
    page.locator("iframe").first.scroll_into_view_if_needed()
    frame = page.frame_locator("iframe").first
    frame.locator("#step").wait_for()
    page.evaluate("document.body.dataset.theme = 'dark'")
    frame.locator("body[data-theme=dark]").wait_for()


def test_the_search_finds_a_word_of_a_chapter(site, visit):
    page = visit(site / "search.html", "?q=ancestor").page
    page.locator("#search-results li a", has_text="Variables, functions, graphs").wait_for()


def test_chapters_have_no_serious_violations_of_accessibility(chapter, site):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(chapter.page, context={"exclude": [["iframe"]]}, options={"preload": False}).response["violations"]
    assert not [(rule["id"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in ("serious", "critical")]
