"""Long names in any script: tabs, buttons, sums and tables keep their form, and the whole name is one hover, focus or list away."""

from pathlib import Path

import pytest

from scalargrad import Value
from tests.browser.player import until_true
from tests.browser.test_calm import TABS
from tests.browser.test_looks import CUT, TOO_WIDE
from tests.each import few_of
from tests.viz.names_of_others import NAMES, named
from viz import play

WIDEST_BUTTON = 11  # letters of the text around it
BUTTONS = """() => [...document.querySelectorAll('.chooser button')].map(e =>
    e.getBoundingClientRect().width / parseFloat(getComputedStyle(e).fontSize))"""
SUMS = """() => [...document.querySelectorAll('#equation :is(.rule, .rows), #computed .value, #ratios, #checks, .cards div')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && e.scrollWidth > e.clientWidth + 1).map(e => e.id || e.className)"""
FORM = f"() => [({TOO_WIDE})(), ({CUT})(), ({BUTTONS})(), ({SUMS})()]"


@pytest.fixture
def opened(visit, made):
    def opened(names, hash="", **options):
        return visit(made(f"names {names}", lambda: play(named(*NAMES[names]))), hash, **options)

    return opened


@pytest.mark.parametrize("names", few_of(NAMES, ["paths", "digits and underscores", "Chinese", "right to left"]))
def test_tabs_buttons_and_tables_keep_their_form(opened, picture, names):
    player = opened(names)
    for act in "question", "nudge", "backward", "use":
        steps = range(0, player.page.evaluate("act => player.acts[act].length", act), 3 if act != "backward" else 6)
        for step, (over, cut, buttons, sums) in zip(steps, player.within(act, FORM, steps), strict=True):
            assert over <= 0 and not cut, (act, step)
            assert all(width < WIDEST_BUTTON for width in buttons), (act, step)
            assert not sums, (act, step)
        assert all(named or height < 20 for height, named in player.page.evaluate(TABS)), act
        picture(player, f"names-{names}-{act}".replace(" ", "-"))


def test_a_sentence_writes_a_name_in_full_that_a_box_shortens(visit, tmp_path):
    z = 2 * Value(3, name="yearly_payment") * Value(4, name="annual_interest_rate")
    z.name = "net_present_value"
    player = visit(Path(play(z).save(tmp_path / "page.html"))).guided("use", "one step")
    assert "net_present_value falls" in player.content("#narration") and "net_present_value falls" in player.content("#readout")
    assert "net…value" in player.content("#graph") and player.page.get_by_role("button", name="larger net_present_value").count() == 1


def test_the_row_of_inputs_says_how_many_are_beyond_its_end(opened):
    player = opened("paths").guided("nudge", "one path")
    said = "document.querySelector('.chooser').dataset.more"
    beyond = int(player.page.evaluate(said))
    assert 0 < beyond < player.count(".chooser button")
    player.page.evaluate("document.querySelector('.chooser').scrollTo(9999, 0)")
    until_true(player.page, f"{said} === undefined")


MEANING = "#meaning:not([hidden])"


def test_the_whole_name_is_said_under_the_mouse_at_the_focus_and_to_a_finger(opened):
    first, whole, *_ = NAMES["paths"]
    player = opened("paths", has_touch=True)
    cut = player.page.locator("#narration [data-whole]").first
    assert cut.text_content() == "…neuron13…state" and not player.count(MEANING)
    cut.hover()
    assert player.text(MEANING) == whole
    player.page.mouse.move(5, 5)
    assert not player.count(MEANING)
    cut.tap()
    assert player.text(MEANING) == whole
    player.press("Escape")
    player.guided("nudge", "one path")
    for place in "#node-0", ".chooser button":
        player.page.locator(place).first.focus()
        assert player.text(MEANING) == first, place
        player.page.locator("#next").focus()
        assert not player.count(MEANING)


def test_lists_have_the_whole_names(opened):
    names = NAMES["same ends"]
    player = opened("same ends")
    player.press("s", "b")
    assert set(names[:3]) <= set(player.texts("#stop-list label"))
    player.press("Escape")
    player.guided("nudge", "one path").click("start-values")
    assert [label.split(" =")[0] for label in player.texts("#start-dialog label")] == list(names[:3])
    assert all(name in player.content("#transcript") for name in names)


def test_a_screen_reader_hears_the_whole_names(opened):
    player = opened("paths", "#nudge=1")
    labels = player.page.locator(".node, .chooser button").evaluate_all("es => es.map(e => e.getAttribute('aria-label'))")
    assert all(any(label.startswith(name) for label in labels) for name in NAMES["paths"])
