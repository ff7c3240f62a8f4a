"""The book as a site, opened from its folder and from its own server: it builds without a warning, and every page works."""

import re
import shutil

import pytest

from tests.browser import chapter_slides
from tests.browser.axe import serious_violations
from tests.browser.chapters import uncovered
from tests.browser.player import push, until, until_true
from tests.each import each, few_of
from tutorial.book.one_file import one_file
from tutorial.book.server import served
from tutorial.book.site import SOURCE, NoBook
from tutorial.book.site import site as build_site

CHAPTERS = sorted(path.stem for path in (SOURCE / "chapters").glob("*.md"))
RECAPS = sorted(path.stem for path in (SOURCE / "recaps").glob("*.md"))
SAMPLE = CHAPTERS[::5]  # in which is tried what the same script and style do in each chapter
FEW = SAMPLE + CHAPTERS[2::5]
LARGEST = 600_000  # bytes of a chapter without its players
PROJECTORS = [(1280, 720), (1920, 1080)]
LEAST_SLIDES = 8  # of a chapter
PLANTED = {  # what a slide must not hold: its HTML, and what is said of it
    "a table of 40 rows": ("<table>" + "<tr><td>a row</td></tr>" * 40 + "</table>", "letters of"),
    "a table of 200 rows": ("<table>" + "<tr><td>a row</td></tr>" * 200 + "</table>", "scrolls down"),
    "a wide list": ("<ul style='width: 3000px'><li>a long item</li></ul>", "outside of the slide"),
    "a list in a box that is too low": ("<ul style='height: 3rem; overflow: auto'><li>one</li><li>two</li><li>three</li></ul>", "cut off"),
    "small print": ("<ul style='font-size: 0.4rem'><li>see the license</li></ul>", "letters of"),
    "a drawing with small letters": (
        "<div><svg viewBox='0 0 3000 300' style='width: 100%'><text font-size='14' y='20'>x</text></svg></div>",
        "letters of",
    ),
    "an image with small letters": (
        "<ul><li><img style='--least: 3000px; width: 300px; height: 100px' src='data:image/svg+xml,"
        "<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%22300%22 height=%22100%22/>'></li></ul>",
        "in a picture",
    ),
}
ON_A_LARGE_PROJECTOR = ("a table of 200 rows", "small print")  # what has limits in pixels, which grow with the window
PLANT = """(heading, html) => {
  heading.insertAdjacentHTML("afterend", html);
  heading.nextElementSibling.classList.add("planted");
}"""
COVERED = """() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const isVisible = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().height;
  const counts = { covered: ".covered", headings: "article h2", questions: "form.predict:not(.number)", note: ".cover-note" };
  const [covered, headings, questions, note] = Object.values(counts).map(selector => all(selector).filter(isVisible).length);
  return { covered: all(".covered").length, visible: covered, note: note > 0, headings: all("article h2").length,
    "headings visible": headings, questions };
}"""
ANSWER_AND_ASK = """() => {
  const all = selector => [...document.querySelectorAll(selector)], locked = () => all(".cell.locked .cell_output").length;
  const count = locked(), hidden = !count || !all(".cell.locked .cell_output")[0].checkVisibility(), replies = [];
  for (const form of all("form.predict:not(.number)")) {
    form.querySelectorAll("label input")[form.dataset.right === "1" ? 1 : 0].click();
    form.querySelector("button").click();
    replies.push(form.querySelectorAll(".reply.wrong[open]").length);
    if (locked() < count) break;
  }
  const found = { hidden, replies, locked: locked(), expected: Math.max(count - 1, 0), covered: all(".covered").length };
  const left = [], focused = [];
  for (let note; (note = document.querySelector(".cover-note")); ) {
    [...note.querySelectorAll("button")].find(button => button.textContent.includes("show anyway")).click();
    left.push(all(".covered").length);
    focused.push(document.activeElement.tabIndex);  // what is new
  }
  return { ...found, left, focused, "still locked": all(".cell.locked").length };
}"""
BEHIND_THE_SIDEBAR = """() => {
  const edge = document.querySelector(".sidebar-drawer").getBoundingClientRect().right;
  return [...document.querySelectorAll("article :is(.fig, iframe)")].filter(e => e.getBoundingClientRect().left < edge).length;
}"""
WINDOWS = [(1280, 720), (390, 844), (1600, 900)]  # a laptop, a phone, and in a sample a large screen, where no picture is smaller
SMALLEST_LETTERS = """() => {
  for (const cell of document.querySelectorAll(".cell.locked")) cell.classList.remove("locked");
  const width = element => element.getBoundingClientRect().width;
  const least = image => parseFloat(image.style.getPropertyValue("--least"));
  const ofImage = image => width(image) * (image.src.startsWith("data:") ? 12 / image.naturalWidth : 11 / least(image));
  const ofText = text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
  const isShown = element => element.checkVisibility() && width(element);
  const shown = selector => [...document.querySelectorAll(`article .cell_output ${selector}`)].filter(isShown);
  return Math.min(...shown("img").map(ofImage), ...shown("svg text").map(ofText));
}"""  # of all pictures of a chapter, in pixels. A picture of memory has letters of 12 pixels
IN_THE_WINDOW = """selector => [...document.querySelectorAll(selector)].some(element => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= -1 && bottom <= innerHeight + 1;
})"""
PLAN = """() => {
  const all = selector => [...document.querySelectorAll(selector)], panel = document.querySelector("#teacher");
  if (!panel.checkVisibility()) all("button").find(button => button.textContent.trim() === "For teachers").click();
  const links = all("#teacher tr a"), formulas = all("#teacher tr math"), leadsTo = link => decodeURIComponent(link.hash.slice(1));
  return {
    minutes: all("#teacher tr td:nth-child(2)").map(cell => parseInt(cell.innerText)),
    said: all("#teacher tr").map(row => row.textContent).join(" "),
    rows: all("#teacher tr").length, links: links.length, tags: all("#teacher tr .tag").length,
    lost: links.filter(link => !document.getElementById(leadsTo(link))?.checkVisibility()).map(link => link.textContent),
    formulas: formulas.length, "visible formulas": formulas.filter(e => e.checkVisibility({ visibilityProperty: true })).length,
    "to print": all("#teacher h3 + ul a").filter(link => link.closest("ul").previousElementSibling.textContent.includes("To print"))
      .map(link => link.getAttribute("href")),
    exercises: all(".exercise, #exercise").length, sections: all("section.exercise").length,
  };
}"""
SYNTAX_COLOURS_ONCE = """() => {
  const seen = new Set(), words = [...document.querySelectorAll("pre span")];
  const looks = words.map(word => `${getComputedStyle(word).color} on ${getComputedStyle(word.closest("pre")).backgroundColor}`);
  for (const [k, word] of words.entries()) {  // after all are read: each change asks for all styles anew
    if (seen.has(looks[k])) word.replaceWith(...word.childNodes);
    seen.add(looks[k]);
  }
}"""  # most of the elements of a chapter are words of its programs; to compare the contrast of each takes minutes

BELOW_THE_EDGE = """() => {
  const boxes = [...document.querySelectorAll("#player > *")].filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect());
  return [Math.max(...boxes.map(box => box.bottom)) - innerHeight, document.querySelector("#next span").checkVisibility()];
}"""  # how far; whether the buttons have words


def test_a_cell_that_raises_is_shown_with_its_error_at_every_build(tmp_path, monkeypatch):
    monkeypatch.setattr("tutorial.book.site.GENERATED", [])  # a book of one page
    book = tmp_path / "book"
    book.mkdir()
    shutil.copy(SOURCE / "conf.py", book)
    (book / "index.md").write_text("---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n# Book\n```{code-cell}\n1 / 0\n```\n")
    for _ in range(2):
        with pytest.raises(NoBook, match=r"(?s)has a mistake.*index\.md.*1 / 0.*ZeroDivisionError"):
            build_site(tmp_path / "site", book)


@pytest.mark.parametrize("name", few_of(CHAPTERS, FEW))
def test_a_chapter_is_accessible_and_small_its_players_play_its_results_appear_and_teachers_have_a_plan(name, site, visit):
    page = visit(site / "chapters" / f"{name}.html").page  # opened once for all of it: half of the time is the opening
    covers_what_follows_its_first_question(page)
    if name in SAMPLE:
        is_not_covered_on_paper(page)
        shows_a_result_that_was_predicted(page)
        keeps_what_was_predicted_after_a_reload(page)
        shows_what_follows_a_question_if_the_reader_asks(page)
    else:
        answers_and_shows_what_follows_without_the_driver(page)
    assert not violations(page)  # before its players are loaded: axe would look for their frames
    is_small_and_its_players_play(page)
    has_a_panel_with_a_plan_of_twenty_minutes_whose_rows_lead_to_the_page(page, name)
    for width, height in WINDOWS if name in SAMPLE else WINDOWS[:2]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SMALLEST_LETTERS) >= 10.9
        assert page.evaluate("document.documentElement.scrollWidth") <= width  # a picture scrolls in its cell
        assert page.evaluate(BEHIND_THE_SIDEBAR) == 0
    for width, height in PROJECTORS if name in SAMPLE else PROJECTORS[:1]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        last, wrong, exercises = chapter_slides.walk(page)
        assert last >= LEAST_SLIDES and wrong == {}
        assert exercises == page.locator("section.exercise").evaluate_all(
            "found => found.map(exercise => exercise.id)"
        )  # each on one slide


@pytest.fixture
def planted(site, visit):
    """planted(html, size) puts an element on a slide of a chapter, in place of the last one, and returns what is wrong with each slide."""
    page = visit(site / "chapters" / "nudge-and-slope.html").page

    def planted(html, size):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("document.querySelector('.planted')?.remove()")
        page.locator("article h2").nth(1).evaluate(PLANT, html)
        return chapter_slides.walk(page)[1]

    return planted


@each("what", PLANTED)
def test_a_slide_that_an_audience_cannot_see_or_read_is_found(what, planted):
    html, said = PLANTED[what]
    for size in PROJECTORS if what in ON_A_LARGE_PROJECTOR else PROJECTORS[:1]:
        wrong = planted(html, size)
        assert len(wrong) == 1 and any(said in found for found in next(iter(wrong.values()))), wrong


def is_small_and_its_players_play(page):
    assert len(page.content()) < LARGEST
    for k in range(page.locator("iframe").count()):
        frame = page.frame_locator("iframe").nth(k)
        page.locator("iframe").nth(k).scroll_into_view_if_needed()
        frame.locator("body:not(.still)").wait_for()  # its script has come
        before = frame.locator("#step").inner_text()
        push(frame.locator("#next"))
        assert frame.locator("#step").inner_text() != before


def covers_what_follows_its_first_question(page):
    seen = page.evaluate(COVERED)
    assert seen["covered"] and not seen["visible"] and seen["note"]
    assert seen["headings"] == seen["headings visible"] and seen["questions"] == 1


def is_not_covered_on_paper(page):
    page.emulate_media(media="print")
    seen = page.evaluate(COVERED)
    assert seen["visible"] > seen["covered"] / 2 and not seen["note"]
    page.emulate_media(media="null")


def shows_what_follows_a_question_if_the_reader_asks(page):
    left = page.locator(".covered").count()
    while (note := page.locator(".cover-note")).count():
        note.get_by_role("button", name="show anyway").press("Enter")
        assert page.locator(".covered").count() < left and page.evaluate("document.activeElement.tabIndex") == -1  # what is new
        left = page.locator(".covered").count()
    assert left == 0 and page.locator(".cell.locked").count() == 0


def shows_a_result_that_was_predicted(page):
    locked = page.locator(".cell.locked .cell_output")
    count = locked.count()
    assert count == 0 or not locked.first.is_visible()
    for form in page.locator("form.predict:not(.number)").all():  # the first may ask for what a figure or the text shows
        wrong = 1 if form.get_attribute("data-right") != "1" else 2
        form.locator("label").nth(wrong - 1).locator("input").press("Space")  # a click can miss it while pictures come
        push(form.locator("button"))
        assert form.locator(".reply.wrong[open]").count() == 1
        if locked.count() < count:
            break
    assert locked.count() == max(count - 1, 0)


def answers_and_shows_what_follows_without_the_driver(page):
    """As the two above do it by keys: what the same script does in each chapter needs no key for it in each."""
    found = page.evaluate(ANSWER_AND_ASK)
    assert found["hidden"] and set(found["replies"]) == {1} and found["locked"] == found["expected"]
    left = [found["covered"], *found["left"]]
    assert left == sorted(set(left), reverse=True) and set(found["focused"]) <= {-1}
    assert left[-1] == 0 and found["still locked"] == 0


def keeps_what_was_predicted_after_a_reload(page):
    page.reload()
    assert page.locator("form.predict").first.locator(".reply.wrong[open]").count() == 1


def has_a_panel_with_a_plan_of_twenty_minutes_whose_rows_lead_to_the_page(page, name):
    if name in SAMPLE:
        push(page.get_by_role("button", name="For teachers"))
    plan = page.evaluate(PLAN)
    assert sum(plan["minutes"]) == 20 and min(plan["minutes"]) >= 3
    said = plan["said"]
    assert "Ask: " in said and "Step through the player “" in said and "Ask before they leave: " in said
    assert "exercise" in said.lower() if plan["exercises"] else "Discuss in pairs: " in said
    assert plan["links"] == plan["rows"] == len(plan["minutes"]) and plan["lost"] == []
    if name in SAMPLE:
        rows = page.locator("#teacher tr")
        push(rows.locator("a").last)
        until_true(page, IN_THE_WINDOW, "#questions details")
        push(rows.locator("a", has_text="Ask: "))
        until_true(page, IN_THE_WINDOW, "form.predict:not(.number)")
    page.locator("#teacher").press("Escape")
    assert plan["formulas"] == plan["visible formulas"] and not plan["tags"]
    own = [link.split("/")[-1] for link in plan["to print"]]
    assert len(own) == len(set(own))
    assert ("handout.html" in own) == (name == "inductive-chain-rule")
    assert (f"exercises-{name}.html" in own) == bool(plan["sections"])


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)])
def test_a_player_in_a_chapter_is_as_high_as_its_content_and_wide_if_there_is_room(size, site, visit):
    page = uncovered(visit(site / "chapters" / "inductive-chain-rule.html", viewport=dict(zip(("width", "height"), size))).page)
    frame = page.locator("iframe[src*='players/']").first
    frame.scroll_into_view_if_needed()
    frame.content_frame.locator("body.framed #graph .node").first.wait_for()
    body = frame.content_frame.locator("body")
    until(page, lambda: body.evaluate(BELOW_THE_EDGE)[0] <= 1)  # the height is told after the next layout
    assert body.evaluate(BELOW_THE_EDGE)[1] == (size[0] > 600)
    box = frame.bounding_box()
    assert (box["width"] >= 1000) == (size[0] == 1920) and page.evaluate("document.documentElement.scrollWidth") <= size[0]


CHAPTER_1 = "chapters/nudge-and-slope"


@pytest.mark.parametrize("name, width", [(CHAPTER_1, 1024), (CHAPTER_1, 1280), (CHAPTER_1, 1600), ("the-race-again", 1440)])
def test_a_wide_figure_stays_beside_the_list_of_chapters(name, width, site, visit):
    page = visit(site / f"{name}.html", viewport={"width": width, "height": 800}).page
    until_true(  # once the page has its layout
        page,
        """width => {
            const [figure, chapters] = [".fig.wide", ".sidebar-drawer"].map(at => document.querySelector(at).getBoundingClientRect());
            return figure.left >= chapters.right - 1 && figure.right <= width + 1;
        }""",
        width,
    )


@pytest.mark.parametrize("how", ["by a click", "by the address"])
def test_a_link_ends_where_it_leads_though_the_player_above_gets_its_height_only_then(how, site, visit):
    path = site / "chapters" / "descent.html"  # the player stands right above this part
    page = visit(path, hash="#the-line-that-people-forget" if how == "by the address" else "").page
    if how == "by a click":
        push(page.locator(".parts a", has_text="The line that people forget"))
    page.locator("iframe[style*='--height']").wait_for()
    heading = page.locator("#the-line-that-people-forget h2")
    assert -1 <= heading.evaluate("heading => heading.getBoundingClientRect().top") < 100


def test_players_follow_the_theme_of_the_site_and_open_at_the_step_of_the_text(site, visit):
    page = uncovered(visit(site / "chapters" / "inductive-chain-rule.html").page)
    page.locator("iframe").first.scroll_into_view_if_needed()
    frame = page.frame_locator("iframe").first
    frame.locator("#step").wait_for()
    page.evaluate("document.body.dataset.theme = 'dark'")
    frame.locator("body[data-theme=dark]").wait_for()
    second = page.locator("iframe").nth(1)
    second.scroll_into_view_if_needed()  # it opens where the text is: at x4
    page.frame_locator("iframe").nth(1).locator("body:not(.still)").wait_for()
    assert page.frame_locator("iframe").nth(1).locator("#step").inner_text() == "step 37 / 46"


@pytest.mark.parametrize("name", ["what-you-can-do", "how-fast", "two-engines", "exercises", "teachers"])
def test_a_page_to_look_up_is_accessible_and_on_a_phone_only_its_wide_tables_scroll(name, site, visit):
    page = visit(site / f"{name}.html", viewport={"width": 390, "height": 844}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390 and not violations(page)
    scrolling = page.evaluate("[...document.querySelectorAll('.table-wrapper')].some(table => table.scrollWidth > table.clientWidth)")
    assert not (scrolling and name == "what-you-can-do"), "each task stands above its command"


def test_names_in_a_chapter_lead_to_their_sections(site, visit):
    page = uncovered(visit(site / "chapters" / "modules-and-optimisers.html").page)
    push(page.locator(".cell_input a.name", has_text="nn.Linear").first)
    page.locator("h1", has_text="nn: linear").wait_for()
    assert page.url.endswith("functions/nn-linear.html#name-nn-linear")


def violations(page):
    page.evaluate(SYNTAX_COLOURS_ONCE)
    return serious_violations(page, exclude=["iframe"])


def test_a_weak_contrast_at_the_end_of_a_chapter_and_a_button_without_a_name_are_found(site, visit):
    page = uncovered(visit(site / "chapters" / "nudge-and-slope.html").page)
    page.evaluate("""() => {
        const last = [...document.querySelectorAll("article section > p")].findLast(text => text.checkVisibility());
        last.style.color = "#bbb";
        last.append(document.createElement("button"));
    }""")
    assert {rule for rule, *_ in violations(page)} == {"color-contrast", "button-name"}


def test_the_dark_theme_has_no_serious_violations_of_accessibility(site, visit):
    assert not violations(visit(site / "chapters" / "inductive-chain-rule.html", color_scheme="dark").page)


def test_the_server_of_the_book_shows_chapters_with_their_players(site, visit):
    with served(site, 0) as address:
        page = visit("index.html", server=address).page
        for name in SAMPLE[:2]:  # from files, all of them are opened above
            page.goto(f"{address}chapters/{name}.html")
            uncovered(page).evaluate("for (const frame of document.querySelectorAll('iframe')) frame.loading = 'eager'")
            players = [frame.content_frame for frame in page.locator("iframe").all()]
            assert players, name
            for player in players:
                player.locator("#step", has_text=re.compile(r"\w")).wait_for()  # its script has come, and shows a step


def test_a_chapter_is_shown_as_slides_on_the_site_and_as_one_file(site, visit, tmp_path):
    page = visit(site / "chapters" / "order-matters.html").page
    size = lambda: page.evaluate("parseFloat(getComputedStyle(document.querySelector('article p')).fontSize)")
    base, on = size(), page.locator(".on-slide")
    number = lambda: [int(word) for word in page.locator(".slide-bar output").inner_text().split() if word.isdigit()]
    page.keyboard.press("s")
    (first, last) = number()
    assert first == 1 and last >= 8 and "Order matters" in on.first.inner_text()
    assert size() == pytest.approx(1.3 * base) and page.locator(".sidebar-drawer").is_hidden()
    page.keyboard.press("PageDown")
    assert number() == [2, last] and page.url.endswith("#slides=2") and on.count()
    while not page.locator("form.on-slide").count():
        page.keyboard.press("ArrowRight")
    page.locator("form.on-slide label input").first.press("Space")
    push(page.locator("form.on-slide button"))
    assert page.locator(".on-slide .cell_output").is_visible()  # the answer stands on the slide of the question
    while not page.locator(".on-slide iframe").count():
        page.keyboard.press("PageDown")
    assert page.locator(".on-slide iframe").bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 672}  # the whole player
    page.frame_locator(".on-slide iframe").locator("#next").wait_for()
    here, _ = number()
    push(page.get_by_label("next slide"))
    assert number() == [here + 1, last]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    assert "#" not in page.url and page.locator(".sidebar-drawer").is_visible() and size() == base
    assert page.locator("article h2").count() == page.locator("article h2:visible").count()
    page.goto(f"{page.url}#slides={last}")
    assert number() == [last, last] and "Three lines to remember" in on.first.inner_text()
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert size() == pytest.approx(1.9 * base) and number()[0] == number()[1]
    covered = page.locator(".covered").count()
    page.keyboard.press("?")
    assert "leave the slides" in page.locator("#keys").inner_text()
    page.keyboard.press("Escape")  # the keys
    page.keyboard.press("Escape")  # the slides
    assert page.locator(".sidebar-drawer").is_visible() and page.locator(".covered").count() == covered > 0
    (tmp_path / "slides.html").write_text(one_file(site / "chapters" / "order-matters.html"), encoding="utf-8")
    alone = visit(tmp_path / "slides.html").page  # without the site
    first, whole = [int(word) for word in alone.locator(".slide-bar output").inner_text().split() if word.isdigit()]
    assert first == 1 and 8 <= whole <= last and not alone.locator(".exercise:visible").count()
    while not alone.locator(".on-slide iframe").count():
        alone.keyboard.press("PageDown")
    push(alone.frame_locator(".on-slide iframe").locator("#next"))
    push(alone.locator(".slide-bar").get_by_text("End"))
    assert "#" not in alone.url and alone.locator("article h2:visible").count() == alone.locator("article h2").count()


def test_each_chapter_can_be_downloaded_as_a_notebook(site, visit):
    nbformat = pytest.importorskip("nbformat")
    page = visit(site / "chapters" / "descent.html").page
    address = page.get_by_text("Download as notebook").evaluate("link => link.href")
    assert address == (site / "notebooks" / "descent.ipynb").as_uri()
    built = {path.stem: path.read_text(encoding="utf-8") for path in (site / "notebooks").iterdir()}
    assert built.keys() == set(CHAPTERS) | {f"recap-{name}" for name in RECAPS}
    for text in built.values():  # with the numbers that the cells of all chapters gave
        nbformat.validate(nbformat.reads(text, as_version=4))
        assert "{eval}" not in text and "Traceback" not in text
