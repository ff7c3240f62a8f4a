"""Act 2: a nudge of an input changes the values that depend on it, and everything that the page says about it is true."""

import re
from pathlib import Path

import pytest

from scalargrad import Value, erf, exp, log, sqrt
from tests.browser import nudged, pages
from tests.browser.conftest import wait_for_player
from tests.browser.player import thread_time
from tests.each import each, swept
from tests.scalargrad.graphs import figure1
from tests.viz.graphs import figure1_trace
from tests.viz.graphs_of_others import newton
from viz import play, slides
from viz.text.formatter import UNICODE

IN_ORDER = (
    "(kind, of) => [...document.querySelectorAll(`#graph .${kind}`)].sort((a, b) => +a.id.split('-')[1] - +b.id.split('-')[1]).map(of)"
)
VALUES = f"({IN_ORDER})('node', e => e.querySelector('.value').textContent)"
FACTORS = f"({IN_ORDER})('edge', e => e.querySelector('.factor text').textContent)"
OTHER_KINDS = {  # what the page says first about an input at which z does not have a tangent
    "relu": "z has a kink here: to the right of x = 0 its slope is 1, to the left 0. At the kink the rule takes dzdx = 0.",
    "abs": "z has a kink here: to the right of x = 0 its slope is 1, to the left −1. At the kink the rule takes dzdx = 0.",
    "bent": "z has a kink here: to the right of a = 0 its slope is 4, to the left 1. At the kink the rule takes dzda = 1.",
    "maximum": "z has a kink here: to the right of x = 2 its slope is 1, to the left 0. At the kink the rule takes dzdx = 0.5.",
    "hidden kink": "Nudges lead to the slope 1, but the rule says dzdx = 0. So one of its partials is wrong, or is a choice.",
    "floor": "z jumps at x = 3: a tiny step to the left changes it by −1. The rule says dzdx = 0, but there is no tangent here.",
    "sqrt": "z has a finite value at x = 0, but not to the left of it. Nudge to the right only.",
    "cbrt": "z is infinitely steep at x = 0. The smaller the nudge, the larger the ratio, so the derivative is not a finite number.",
    "log of 0": "z is −inf. A nudge of x cannot show how much it changes.",
    "log of -1": "z is nan, which means “not a number”. A nudge of x cannot show how much it changes.",
    "infinite": "x is inf. A nudge does not change it.",
}


@pytest.fixture
def opened(made, saved):
    """opened(name) is the file of the page of a graph in nudged.py. Those of pages.py open at another act, as other tests do."""
    return lambda name: saved(name) if name in pages.TRACES else made(f"nudged {name}", lambda: play(nudged.GRAPHS[name]()))


def readout(player):
    return player.page.locator("#readout").text_content()


def nudge(player, amount):
    player.page.locator("#amount").fill(str(amount))
    player.press("Enter")


@pytest.fixture
def page(visit, saved):
    """Return Figure 1's page at the first step of the nudge."""
    return visit(saved("figure1"), "#nudge=1")


def test_a_nudge_shows_what_happens_and_what_the_tangent_says(page):
    assert readout(page) == "x1 + 0.1 → z rises by 0.91, about 9\u00a0×\u00a00.1 = 0.9"
    assert page.page.evaluate(VALUES) == ["3.1", "1", "−2", "4", "6.1", "16", "34.91"]
    assert page.page.locator("#node-6 .was").text_content() == "was 34"
    assert page.page.locator("#node-6 .tag-text").text_content() == "+0.91"
    assert page.page.evaluate(FACTORS) == ["× 6= +0.6", "× 1= +0.1", "× 1", "× 1", "× 1", "× 8", "× 3= +0.3", "× 1"]
    assert page.count("#graph .edge.carries") == 3


@each("name", ["x1", "x2", "x3", "x4"])
@each("amount", [0.1, -0.37, 2.5])
def test_the_new_values_are_those_of_python(page, name, amount):
    k = int(name[1]) - 1
    page.press(str(k + 1))
    nudge(page, amount)
    numbers = [3, 1, -2, 4]
    numbers[k] += amount
    made = figure1([round(n, 10) for n in numbers])
    new = [UNICODE.number(round(float(v.data), 8)) for v in figure1_trace(numbers=numbers).graph.variables]
    assert page.page.evaluate("player.state.values.get(6)?.number") == pytest.approx(float(made["z"].data))
    shown = page.page.evaluate(VALUES)
    assert [float(s.replace("−", "-")) for s in shown] == pytest.approx([float(s.replace("−", "-")) for s in new], rel=1e-3)


def test_slider_keys_and_buttons_move_the_same_nudge(page):
    page.press("ArrowUp")
    assert readout(page).startswith("x1 + 0.2 → z rises by 1.84")
    page.press("ArrowDown", "ArrowDown", "ArrowDown")
    assert readout(page).startswith("x1 − 0.1 → z changes by −0.89, about 9\u00a0×\u00a0(−0.1) = −0.9")
    page.press("0")
    assert readout(page) == "x1 does not move, and neither does z."
    page.page.get_by_role("button", name="more").click()
    assert readout(page).startswith("x1 + 0.1")
    page.page.locator("#dial").fill("-25")
    assert readout(page).startswith("x1 − 0.25")
    page.press("2")
    assert page.content("#narration") == "Now you nudge x2. It reaches z along one path, so its derivative is 1\u00a0×\u00a03 = 3."
    assert page.page.locator(".chooser [aria-pressed=true]").text_content() == "x2"


def test_a_typed_amount_may_be_larger_than_the_slider_and_nonsense_is_refused(page):
    nudge(page, "12.5")
    assert readout(page).startswith("x1 + 12.5 → z rises by 268.75")
    nudge(page, "twelve")
    assert "is not a number" in readout(page)
    assert page.page.evaluate("player.state.i") == 0


def test_touch_moves_the_slider_and_picks_an_input(visit, saved):
    player = visit(saved("figure1"), "#nudge=1", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    player.page.locator(".chooser button").nth(3).tap()
    assert readout(player).startswith("x4")
    player.page.locator("#dial").tap(position={"x": 5, "y": 10})
    assert re.match(r"x4 − (1|0\.9\d?) → z changes by −", readout(player))
    player.page.locator("#node-1").tap()
    assert readout(player).startswith("x2")


def test_a_click_on_a_box_of_the_graph_nudges_it(page):
    page.page.locator("#node-2").click()
    assert readout(page).startswith("x3")
    page.page.locator("#node-4").click()
    assert readout(page).startswith("x3")


def test_along_a_path_only_its_arrows_carry(visit, saved):
    player = visit(saved("figure1")).guided("nudge", "one path")
    assert player.page.evaluate(FACTORS)[:2] == ["× 6", "× 1= +0.1"]
    assert player.page.locator("#node-6 .tag-text").text_content() == "+0.3 this way"
    assert player.count("#paths .faint") == 2


def test_the_ratio_comes_to_the_derivative(page):
    rows = page.page.locator("#ratios tbody tr").all_inner_texts()
    assert [row.split() for row in rows[:4]] == [
        line.split() for line in ("1 10 10", "0.1 0.91 9.1", "0.01 0.0901 9.01", "0.001 0.009001 9.001")
    ]
    assert page.page.locator("#ratios .limit").text_content().endswith("= 9")
    nudge(page, -0.5)
    assert "−0.5" in page.page.locator("#ratios .now").inner_text()


# How far each factor is from the line of its edge, in its own heights.
ASIDE = """() => [...document.querySelectorAll('#graph .edge.factored')].map(edge => {
    const {x, y, width, height} = edge.querySelector('.factor rect').getBoundingClientRect();
    const line = document.getElementById(edge.id.replace('edge', 'way')).querySelector('.line'), to = line.getScreenCTM();
    const at = k => line.getPointAtLength(line.getTotalLength() * k / 100).matrixTransform(to);
    const far = k => { const p = at(k); return Math.hypot(p.x - x - width / 2, p.y - y - height / 2) };
    return Math.min(...[...Array(101).keys()].map(far)) / height;
})"""


def test_a_factor_lies_on_its_arrow(visit, saved):
    player = visit(saved("figure1"), "#nudge=1", viewport={"width": 390, "height": 844})
    aside = player.page.evaluate(ASIDE)
    assert len(aside) == 8 and max(aside) < 1


def test_a_factor_says_why_it_is_what_it_is(page):
    page.page.locator("#edge-0 .factor").hover()
    assert page.page.locator("#explain").text_content() == "From x1 to z: times 6, because ∂z∂x1 = y1 = 6."
    page.page.mouse.move(0, 0)
    assert not page.visible("#explain")


# The question


@pytest.fixture
def asked(visit, saved):
    return visit(saved("figure1")).guided("nudge", "your turn")


def answer(player, text):
    player.page.locator("#expected").fill(text)
    player.page.get_by_role("button", name="check").click()
    return player.page.locator("#paths output").text_content()


@each(
    "wrong, why",
    [
        ("0.8", "0.8 is what arrives through y2"),
        ("0.3", "0.3 is what arrives through y1"),
        ("2.4", "You multiplied the paths."),
        ("11", "That is the derivative."),
        ("-1.1", "the sign is the other way"),
        ("35.1", "That is the new value of z."),
        ("0,1", "z would change by 0.1 only if its derivative were 1."),
        ("7", "Not yet. Find the two paths"),
    ],
)
def test_a_wrong_answer_gets_its_reason_and_not_the_right_number(asked, wrong, why):
    assert why in answer(asked, wrong)
    shown = asked.page.locator("body").inner_text()
    assert "1.11" not in shown and "= 1.1" not in shown and "= 11" not in shown and "slope 11" not in shown
    assert asked.page.evaluate(VALUES)[-1] == "34"


def test_three_hints_do_not_reveal_the_answer(asked):
    for summary in asked.page.locator(".hint summary").all():
        summary.click()
    hints = asked.texts(".hint p")
    assert len(hints) == 3 and all(hints) and not any("11" in hint or "1.1" in hint for hint in hints)


@pytest.mark.parametrize("right", ["1.1", "1,1", "1.11", "11/10"])
def test_a_right_answer_is_shown_at_once(asked, right):
    assert answer(asked, right).startswith(
        "Right: 1\u00a0×\u00a03 + 8\u00a0×\u00a01 = 11, and 11\u00a0×\u00a00.1 = 1.1. Look at z: it rose by 1.11."
    )
    assert asked.page.evaluate(VALUES)[-1] == "35.11"
    asked.press("ArrowRight")
    assert "A nudge answers for one input only." in asked.content("#narration")


def test_show_me_shows_the_paths(asked):
    asked.page.get_by_role("button", name="show me").click()
    assert asked.page.evaluate(VALUES)[-1] == "35.11" and asked.count("#paths table tr") == 3


# Every graph


@pytest.mark.parametrize("name", OTHER_KINDS)
def test_a_point_without_a_tangent_gets_a_true_sentence(visit, opened, name):
    player = visit(opened(name), "#nudge=1")
    assert player.content("#narration") == OTHER_KINDS[name]
    assert "exactly" not in readout(player) or name in ("relu", "abs", "bent", "maximum")
    for k in range(player.page.evaluate("player.acts.nudge.length")):  # what a tangent would promise is not said
        player.page.evaluate("k => player.enter('nudge', k)", k)
        assert not re.search(r"So z (grows|falls|hardly)", player.content("#narration"))


def test_a_nudge_away_from_a_point_where_z_is_infinite_shows_the_finite_values(visit, opened):
    player = visit(opened("log of 0"), "#nudge=1")
    assert "becomes −2.30259" in readout(player) and player.page.locator("[data-panel=plot] .here").first.text_content() == "z = −2.30259"
    assert player.page.evaluate(VALUES) == ["0.1", "−2.303"]


def test_an_exponent_that_must_be_an_integer_cannot_be_nudged(visit, opened):
    player = visit(opened("power"), "#nudge=1")
    player.press("2")
    assert player.content("#narration").startswith("z has a value for integers such as n = 3, but not between them.")
    assert readout(player) == "n + 0.1 → z is not a number"


def test_exactly_is_said_of_straight_lines_only(visit, opened):
    player = visit(opened("linear"), "#nudge=1")
    assert ", exactly −3" in readout(player)
    player = visit(opened("square"), "#nudge=1")
    nudge(player, "1e-12")
    assert "exactly" not in readout(player)
    player = visit(opened("huge"), "#nudge=1")
    player.press("2")
    assert "is lost in the rounding of z" in readout(player)


def test_about_0_is_not_said_of_a_large_change(visit, opened):
    player = visit(opened("bowl"), "#nudge=1")
    assert readout(player).replace("\u00a0", " ") == "x + 0.1 → z rises by 0.01, about 0 × 0.1 = 0"
    nudge(player, 0.5)
    assert readout(player).replace("\u00a0", " ") == "x + 0.5 → z rises by 0.25, far from 0 × 0.5 = 0"


def test_a_graph_with_countless_paths_opens_and_counts_them(visit, opened):
    player = visit(opened("diamonds"), "#nudge=1")
    assert player.count("#paths tbody tr") == 4
    assert "about 1.2 · 10²¹ more paths" in player.content("#paths") and readout(player).startswith("x + 0.01 → ")


def test_paths_that_carry_the_nudge_come_before_those_that_do_not(visit, opened):
    player = visit(opened("dead paths"), "#nudge=1")
    rows = player.texts("#paths tbody tr")
    assert ["2" in row.split("=")[-1] for row in rows[:2]] == [True, True] and rows[2].startswith("two paths with a factor 0")


def test_forty_inputs_are_chosen_by_button_and_nine_by_key(visit, opened):
    player = visit(opened("forty"), "#nudge=1")
    assert player.count(".chooser button") == 40
    player.page.locator(".chooser button").nth(39).press("Enter")  # the row may still move below a mouse
    assert readout(player).startswith("weight39")
    assert player.page.evaluate("(e => e.scrollLeft > 0 && e.scrollWidth > e.clientWidth)(document.querySelector('.chooser'))")
    player.press("9")
    assert readout(player).startswith("weight8")


def test_the_guess_of_the_question_is_answered(visit, saved):
    player = visit(saved("figure1"), "#nudge=1")
    player.page.evaluate("player.guess = 34.1; player.refresh()")
    assert player.content("#ratios .note") == "You guessed 34.1, and z is 34.91. Your guess would be right if z grew just as much as x1."


@pytest.fixture
def turn_to(visit, opened):
    """turn_to(name) opens the page of a graph, each in the same window: a new window takes longer than what is read there."""
    players = []

    def turn_to(name):
        if players:
            players[0].page.goto(opened(name).as_uri())
            wait_for_player(players[0].page)
        else:
            players.append(visit(opened(name)))
        return players[0]

    return turn_to


@swept("name", nudged.GRAPHS, every=3, mark=pytest.mark.slow)
def test_every_sentence_reads_well(turn_to, name):
    """All steps of the acts Nudge and Use, and the first six inputs' first, middle and last one nudged further, not at all, and to the
    other side: full sentences, and no number that is not one.
    """
    amounts = ["ArrowUp", "0", "ArrowDown"]
    seen = turn_to(name).page.evaluate(nudged.EVERYTHING_SAID, [["nudge", "use"], amounts, 6])
    assert len(seen) > len(amounts)
    not_a_number = name.startswith(("log", "power", "infinite", "sqrt", "cbrt"))
    for shown in seen:
        assert re.fullmatch(r"[A-Za-z“].*[.?]", shown["said"]) and not re.search(r"\.\.|\s[.,;:]|  ", shown["said"]), shown["said"]
        assert shown["note"] == "" or shown["note"].endswith("."), shown["note"]
        text = "\n".join(shown.values())
        said = text.replace("changes it by −", "").replace("changes its sign, times −1,", "")
        assert not re.search(r"undefined|null|\[object|NaN|Infinity|((?<!changes )by|times) −(?! )\d[^)]*$", said), text
        assert not re.search(r"(rises|falls|grows|fell|rose) by −", text), text
        assert not_a_number or not re.search(r"\bnan\b", text), text


TOO_SMALL = """() => [...document.querySelectorAll('#player > .panel, #readout, .sentences')].filter(e => e.checkVisibility())
    .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e => e.id || e.className)"""

FITS = f"() => [({TOO_SMALL})(), document.querySelector('#plot svg').clientHeight, document.documentElement.scrollWidth]"
HIGH_ENOUGH = 0.15  # of the window's height, for a curve


@pytest.mark.parametrize(
    "name, width, height",
    [("figure1", 1280, 720), ("figure1", 1920, 1080), ("figure1", 768, 1024), ("figure1", 390, 844), ("two layers", 1280, 720)],
)
def test_every_step_of_both_acts_fits_its_panels(visit, saved, picture, name, width, height):
    player = visit(saved(name), "#nudge=1", viewport={"width": width, "height": height})
    for act in ("nudge", "use"):
        for k, (small, curve, wide) in enumerate(player.within(act, FITS), 1):
            assert not small and (curve == 0 or curve > HIGH_ENOUGH * height) and wide <= width, (act, k)
        picture(player, f"{name}-{act}-{width}")


def option():
    """The squared error of a Black-Scholes price: long rows in the table of paths, and numbers of many digits."""
    S, K, T, r, sigma = (Value(x, name=name) for x, name in [(100.0, "S"), (105.0, "K"), (0.5, "T"), (0.03, "r"), (0.2, "sigma")])
    d1 = (log(S / K) + (r + sigma**2 / 2) * T) / (sigma * sqrt(T))
    d2 = d1 - sigma * sqrt(T)
    return (S * 0.5 * (1 + erf(d1 / 2**0.5)) - K * exp(-r * T) * 0.5 * (1 + erf(d2 / 2**0.5)) - 4.8) ** 2


CUT = """() => [...document.querySelectorAll('#paths, #ratios')].filter(e => e.checkVisibility())
    .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e => e.id)"""
LAST = "['#paths tbody tr:last-child', '#ratios tbody tr:last-child'].map(rows => document.querySelector(rows)?.textContent)"


@pytest.mark.parametrize("width, height", [(1280, 720), (1024, 768), (390, 844)])
def test_tables_of_a_nudge_show_fewer_rows_where_they_have_no_room(visit, made, width, height):
    player = visit(made("option", lambda: play(option())), "#nudge=1", viewport={"width": width, "height": height})
    assert not any(player.within("nudge", CUT))
    player.page.evaluate("player.enter('nudge', 3)")
    paths, ratios = player.page.evaluate(LAST)
    assert paths.startswith("together") and ratios.startswith("towards 0")


NUDGES = """() => {
    const dial = document.querySelector('#dial');
    for (let k = -100; k <= 100; k += 10) {
        dial.value = k;
        dial.dispatchEvent(new Event('input'));
    }}"""


SUM = "() => { let sum = 0; for (let k = 0; k < 2e7; k++) sum += Math.sqrt(k); return sum > 0 }"
USUAL = 30  # milliseconds of this sum on a machine on which 16 are promised


def test_a_nudge_of_sixty_variables_takes_less_than_a_frame_of_script(visit, saved):
    """The best of eight rounds over the places of the slider, in the time that the page's thread computes: no clock runs. A machine that
    is slower, or shares its cores, takes longer for a sum of square roots too.
    """
    assert len(pages.trace("two layers").graph.variables) == 60
    player = visit(saved("two layers"), "#nudge=1")
    spent = thread_time(player.page)

    def best(script, many):
        def once():
            start = spent()
            player.page.evaluate(script)
            return (spent() - start) / many

        return min(once() for _ in range(8))

    nudge, total = best(NUDGES, 21), best(SUM, 1)
    print(f"a nudge takes {nudge:.1f} ms, a sum {total:.1f} ms")
    assert 0 < nudge < 16 * max(1, total / USUAL)


def test_the_numbers_below_a_curve_do_not_meet(visit, tmp_path):
    x = Value(-0.140643, name="x")
    player = visit(Path(play(x * x).save(tmp_path / "page.html")), "#nudge=1", viewport={"width": 280, "height": 700})
    below = """[...document.querySelectorAll('#plot svg > text:not([text-anchor=end]), #plot svg > text:last-of-type')]
        .map(e => e.getBoundingClientRect()).map(({left, right}) => [left, right])"""
    (_, a), (b, c), (d, _) = player.page.evaluate(below)
    assert a < b < c < d


def test_the_line_that_carries_a_nudge_runs_through_no_other_factor(visit, saved):
    player = visit(saved("newton"), "#nudge=3")
    crossed = """[...document.querySelectorAll('#graph .edge.idle .factor:not(.crowded) rect')].filter(factor => {
        const {left, right, top, bottom} = factor.getBoundingClientRect();
        return [...document.querySelectorAll('#graph .way.carries .line')].some(line => [...Array(200).keys()].some(k => {
            const {x, y} = line.getPointAtLength(k / 200 * line.getTotalLength()).matrixTransform(line.getScreenCTM());
            return x > left && x < right && y > top && y < bottom;
        }));
    }).length"""
    assert player.page.locator("#graph .edge.idle .factor:visible").count() > 2
    assert player.page.evaluate(crossed) == 0


@pytest.mark.parametrize("kind", [play, slides])
def test_no_line_runs_over_a_factor(visit, saved, made, kind):
    file = saved("newton") if kind is play else made("slides of newton", lambda: slides(newton))
    player = visit(file, "#slide=3" if kind is slides else "#nudge=4")
    covered = """[...document.querySelectorAll('#graph .edge.factored .factor:not(.crowded) rect')].map(factor => {
        const {left, top, width, height} = factor.getBoundingClientRect();
        return [...Array(200).keys()].every(k => document.elementFromPoint(left + (2 + (width - 4) * (k % 20) / 19),
            top + (2 + (height - 4) * Math.floor(k / 20) / 9)).closest('.factor'));
    })"""
    found = player.page.evaluate(covered)
    assert len(found) > 5 and all(found)


def ratio_of_neighbours():
    before, number = Value(1.0), Value(1.5)
    for _ in range(8):
        before, number = number, before + number
    return number / before


def interest():
    principal, rate = Value(1200.0), Value(0.03)
    growth = 1 + rate / 12
    gap = principal * growth**36 - 1000
    return gap * gap


def two_answers():
    ability, level, total = Value(0.5), Value(1.2), 0
    for k, right in enumerate([1, 0]):
        p = 1 / (1 + exp(-level * (ability - k)))
        total += right * log(p) + (1 - right) * log(1 - p)
    return -total + 2


@pytest.mark.parametrize("program", [ratio_of_neighbours, interest, two_answers])
def test_a_box_says_what_its_number_was_in_four_figures_and_its_tag_the_change(visit, tmp_path, program):
    player = visit(Path(play(program).save(tmp_path / "page.html")), "#nudge=6")
    player.page.evaluate("[...document.querySelectorAll('.chooser button')].at(-1).click()")
    nudge(player, 0.001)
    seen = player.page.evaluate("""() => [...document.querySelectorAll('#graph .node.moved')].map(e => [
        e.querySelector('.value').textContent, e.querySelector('.was').textContent, player.run.variables[+e.id.slice(5)].data,
        player.state.values.get(+e.id.slice(5)).number, e.querySelector('.tag').textContent,
        e.querySelector('.was').getBBox().width - e.querySelector('.frame').getBBox().width])""")
    number = lambda text: float(text.replace("−", "-"))
    assert len(seen) > 2
    for now, was, data, moved, change, over in seen:
        assert number(change) == pytest.approx(moved - data, rel=0.02), change
        former = number(was.removeprefix("was ") or UNICODE.number(data))
        assert former == pytest.approx(data, rel=5e-4) and over < 1, (now, was)
        if number(now) == former:
            assert abs(moved - data) < 5e-4 * abs(data), (now, was)
        elif was:  # else the box has no room for as many digits as the change needs
            assert number(now) - former == pytest.approx(moved - data, rel=0.02), (now, was)


def test_of_two_arrows_between_two_variables_each_is_said_to_multiply(visit, tmp_path):
    x = Value(3, name="x")
    y = x * x
    y.name = "y"
    said = visit(Path(play(y + 1).save(tmp_path / "twins.html")), "#nudge=2").page.locator("#narration").text_content()
    assert said.startswith("Each arrow multiplies. Over each of the two arrows from x to y the nudge becomes 3 times as large, because")
    assert said.endswith("Over all of them it becomes 6 times as large.")
