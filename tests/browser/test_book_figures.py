"""The book's figures, all on one page: a pointer and keys move each of them, each fits a phone, and all letters can be read."""

import re
from pathlib import Path

import pytest

from tests.browser.axe import serious_violations
from tests.browser.letters import wrong_letters
from tests.browser.player import until
from tutorial.book.figures.figure import FILES, figures, opened
from viz.document import surfaces

LISTENS = 'window.wrong = []; addEventListener("error", event => wrong.push(event.message));'  # of sizes that change each other, too
PAGE = '<!doctype html><html lang="en"><title>figures</title><style>{style}</style><body>{figures}<script>{script}</script></body></html>'
COLUMN = "<style>figure { max-width: 702px } figure.wide { max-width: 862px }</style>"  # as wide as on a page of the book at 1280 pixels
CAPTION = "what the figure shows</figcaption></figure>"
LETTERS = "Math.min(...[...document.querySelectorAll('.fig-live text')].map(text => parseFloat(getComputedStyle(text).fontSize)))"


@pytest.fixture(scope="module")
def page_of_figures(tmp_path_factory):
    *scripts, style = (Path(path).read_text(encoding="utf-8") for path in FILES)
    path = tmp_path_factory.mktemp("figures") / "figures.html"
    shown = COLUMN + "".join(opened(name) + CAPTION for name in figures())
    path.write_text(PAGE.format(style=surfaces() + style, figures=shown, script="".join([LISTENS, *scripts])), encoding="utf-8")
    return path


def test_each_figure_moves_by_pointer_and_by_key_and_fits_a_phone(page_of_figures, visit):
    page = visit(page_of_figures, viewport={"width": 390, "height": 844}).page
    for name in figures():
        moves_by_pointer_and_by_key(page, page.locator(f"[data-figure={name}] .fig-live"), name)
    assert page.evaluate("document.documentElement.scrollWidth") == 390 and page.evaluate(LETTERS) >= 12
    assert page.evaluate("window.wrong") == []


def moves_by_pointer_and_by_key(page, live, name):
    looks = [live.inner_html()]
    live.scroll_into_view_if_needed()
    held = live.locator(".handle, [data-at]").last
    box = held.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 12)
    page.mouse.up()
    looks.append(live.inner_html())
    live.locator(".handle, [data-at][tabindex='0']").first.press("ArrowLeft")
    looks.append(live.inner_html())
    assert looks[0] != looks[1], f"{name}: a pointer moves nothing"
    assert looks[1] != looks[2], f"{name}: a key moves nothing"
    if (slider := live.locator(".handle")).count():
        low, high = (press_at(slider.first, key) for key in ("Home", "End"))
        assert low < high, f"{name}: Home and End do not lead to the ends of its slider"
    for control in live.locator(".fig-bar :is(button, input)").all():
        control.press("ArrowRight") if control.get_attribute("type") == "range" else control.dispatch_event("click")
    assert not live.locator("text=/NaN|undefined|Infinity/").count(), name


def press_at(slider, key):
    slider.press(key)
    return float(slider.get_attribute("aria-valuenow"))


def test_the_museums_game_waits_for_its_start_and_begins_anew(page_of_figures, visit):
    page = visit(page_of_figures).page
    live = page.locator("[data-figure=museum_arms] .fig-live")
    bug, verdict = live.locator("[data-option=keeps]"), live.locator("text=/^[✓✗]$/")
    for step, there in (("nothing", 0), ("one step", 1), ("again", 0), ("nothing", 0)):
        live.locator(f"button:text-is('{step}')").evaluate_all("buttons => buttons.forEach(button => button.click())")
        if step != "again":
            bug.dispatch_event("click")
        assert verdict.count() == there and (bug.get_attribute("aria-disabled") == "true") == (not there)


def test_a_sum_in_a_figure_is_that_of_the_parts_that_stand_there(page_of_figures, visit):
    live = visit(page_of_figures).page.locator("[data-figure=two_pulls] .fig-live")
    number = lambda text: float(text.replace("−", "-"))
    for key in ("Home", "ArrowUp", "ArrowUp", "End"):
        live.locator("[data-drag=wrist]").press(key)
        live.locator("[data-drag=t]").press("End")
        totals, sums = (live.locator(f".here text{part}").all_text_contents() for part in (":not(.below)", ".below"))
        assert len(totals) == len(sums) == 3
        for total, parts in zip(totals, sums):
            first, sign, second = re.fullmatch(r"(−?[\d.]+)([+−])([\d.]+)", parts).groups()
            assert abs(number(first) + number(sign + second) - number(total)) < 1e-9, parts


def test_without_scripts_and_on_paper_a_figure_is_its_still_picture(page_of_figures, visit):
    page = visit(page_of_figures, script=False).page
    assert page.locator(".fig-still > svg:visible").count() == len(figures())
    page = visit(page_of_figures, media="print").page
    assert page.locator(".fig-still > svg:visible").count() == len(figures()) and not page.locator(".fig-live:visible").count()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_figures_have_no_serious_violation_of_accessibility(colours, page_of_figures, visit):
    assert not serious_violations(visit(page_of_figures, color_scheme=colours).page)


# What an eye has seen in a figure, and a picture without it.
FLAWS = {
    "“one” and “two” lie over each other": '<text x="20" y="30">one</text><text x="30" y="32">two</text>',
    "“one” is crossed by path.curve": '<text x="20" y="30">one</text><path class="curve" stroke="red" fill="none" d="M0 26L200 26"/>',
    "“one” is half covered": '<text x="20" y="30">one</text><rect x="30" y="10" width="60" height="40" fill="white"/>',
    "“one” is cut by the frame": '<text x="190" y="30">one</text>',
    "“one” is too pale": '<rect width="200" height="60" fill="#ccc"/><text x="20" y="30" fill="#aaa">one</text>',
    "": '<path stroke="red" d="M0 26L200 26"/><rect x="10" width="60" height="50" fill="white"/><text x="20" y="30">one</text>',
}


def test_the_measure_of_letters_finds_what_an_eye_sees(tmp_path, visit):
    path = tmp_path / "letters.html"
    path.write_text("<!doctype html><style>text { font: 16px sans-serif }</style><svg width=200 height=60></svg>", encoding="utf-8")
    page = visit(path).page
    for flaw, drawn in FLAWS.items():
        page.locator("svg").evaluate("(svg, drawn) => (svg.innerHTML = drawn)", drawn)
        found = wrong_letters(page.locator("svg"))
        assert [text for text in found if not text.startswith(flaw)] == [] and bool(found) == bool(flaw), found


# Look at a figure's picture as it opens, with each slider at its ends, and after each button.
STATES = """(live, [look, least]) => {
    const measured = eval(look), found = {};
    const seen = state => measured(live.querySelector('svg'), least).forEach(flaw => (found[flaw] ??= []).push(state));
    const ends = before => {
        for (const {dataset: {drag}} of live.querySelectorAll('.handle'))
            for (const key of ['Home', 'End']) {
                live.querySelector(`[data-drag="${drag}"]`).dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
                seen(`${before}${drag} ${key}`);
            }
    };
    seen('opened');
    ends('');
    for (const input of live.querySelectorAll('input'))
        for (const end of ['min', 'max']) {
            input.value = input[end];
            input.dispatchEvent(new Event('input'));
            seen(`${input.parentElement.textContent} ${end}`);
        }
    for (const button of live.querySelectorAll('.fig-bar button:not(.fig-play)'))
        for (const time of button.matches('[data-option]') ? [''] : [1, 2, 3]) {
            button.click();
            seen(`${button.textContent} ${time}`);
            if (!time) ends(`${button.textContent} `);
        }
    return Object.entries(found).map(([flaw, states]) => `${flaw}: ${states}`);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("wide", [390, 1280])
def test_all_letters_of_figures_can_be_read(wide, colours, page_of_figures, visit):
    page = visit(page_of_figures, viewport={"width": wide, "height": 844}, color_scheme=colours).page
    until(page, lambda: page.locator(".fig-stage > svg").count() == len(figures()))
    wrong = {name: wrong_letters(page.locator(f"[data-figure={name}] .fig-live"), STATES) for name in figures()}
    assert not {name: flaws for name, flaws in wrong.items() if flaws}
