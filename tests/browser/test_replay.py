"""Run again: at other starting values the page shows, in every step, what a new page of the same function shows there."""

import json
import random
from pathlib import Path

import pytest

import scalargrad as sg
from scalargrad import Trace, Value, rules
from scalargrad.nn import MLP
from tests.browser.conftest import wait_for_player
from tests.browser.player import until
from tests.each import few_of
from tests.scalargrad import graphs
from tests.viz.graphs import SCHEDULES
from viz import play
from viz.graphs import inputs
from viz.page.live.numbers import LiveNumbers
from viz.page.live.program import JavaScript, Writer, script_of
from viz.page.page_data import page_data

# All texts at the steps of all acts, every n-th of the backward pass from one on, without spaces and in the order of their elements:
# another layout breaks lines elsewhere.
TEXTS = r"""async ([first, every]) => {
    const plain = element => element.textContent.replace(/[\u200b\s]/g, '');
    const around = () => [...document.querySelectorAll('#player [data-panel]:not([data-panel=graph])')]
        .filter(panel => !panel.closest('.elsewhere')).map(panel => plain(panel).replace(/^\d+of(?=\d+variables)/, ''));
    const drawn = () => Object.fromEntries(
        [...document.querySelectorAll('#graph [id]')].map(part => [part.id, [...part.querySelectorAll('title')].map(plain)]));
    const seen = [];
    document.querySelector('#warning[hidden]')?.remove();
    for (const name of ['question', 'nudge', 'backward', 'use']) {
        player.enter(name, 0);
        for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame); // the plot is drawn when it knows its size
        for (let i = name === 'backward' ? first : 0; i < player.acts[name].length; i += name === 'backward' ? every : 1) {
            player.enter(name, i);
            seen.push([name, i, around(), drawn()]);
        }
    }
    return seen;
}"""
MOST_STEPS = 13  # of a backward pass; of a longer one every second step is compared, or every third, …; at the next point the next ones
# What no step shows: the answers of predict mode, to ten digits, and the texts of numbers.
HIDDEN = """() => {
    const {run} = player, spelled = text => text.split('$').map((part, k) => k % 2 ? run.formula(part).textContent : part).join('');
    const near = number => typeof number === 'number' ? +number.toPrecision(10) : number;
    const mistakes = ({right, mistakes}) => {
        const all = mistakes.map(([[given], kind, said, edges]) => [near(given), kind, spelled(said), edges]);
        const found = all.filter(([given, kind]) => given !== near(right[0]) && kind !== 'fraction');
        return found.filter(([given], k) => found.findIndex(([first]) => first === given) === k);
    };
    const question = asked => [
        run.formula(asked.asked).textContent, near(asked.right[0]), spelled(asked.why), spelled(asked.hint), mistakes(asked)];
    return {
        values: run.variables.map(({data, text, mathml}) => [near(data), text, run.formula(mathml).textContent]),
        start: run.live.start,
        questions: Object.fromEntries(run.questions.map(asked => [asked.step, question(asked)])),
    };
}"""


def figure1(numbers):
    return graphs.figure1(numbers)["z"]


def square(numbers):
    x = Value(*numbers, name="x")
    return x * x


def cross_entropy(numbers):
    """The softmax and the cross-entropy of three numbers, where the first is the right class."""
    xs = [Value(number, name=f"x{k}") for k, number in enumerate(numbers, 1)]
    powers = [sg.exp(x) for x in xs]
    return -sg.log(powers[0] / sg.sum(*powers))


def perceptron(numbers):
    """The loss of a perceptron with two inputs and two neurons, with its weights as inputs too."""
    inputs = [Value(number, name=name) for number, name in zip(numbers, "ab")]
    net = MLP(2, [2, 1])
    for parameter, number in zip(net.parameters(), numbers[2:], strict=True):
        parameter.data = number
    return (net(inputs) - 1) ** 2


def nothing_but_numbers(numbers):
    """Products, powers, quotients and calls, whose brackets and dots depend on the signs."""
    x, y = (Value(number, name=name) for number, name in zip(numbers, "xy"))
    return sg.exp(-x) * y**2 / (x - y) + x * sg.sin(y) * 2 - 3 * x**y + with_calls(x, y)


@sg.function
def with_calls(a, b):
    return a * sg.cos(b) - a**3 + (-b) / a


def extremes(numbers):
    """Reasons that are another one where a number is positive, negative, 0, 1 or the larger one."""
    x, y = (Value(number, name=name) for number, name in zip(numbers, "xy"))
    return x * y + sg.maximum(x, y) * sg.max(x, y, 2) + abs(y) * x**2


def logarithm(numbers):
    return sg.log(Value(*numbers, name="x")) * 2


POINTS = {
    extremes: [(3, -2), (-1, 1), (0, 0.5), (1, -1)],
    logarithm: [(0,), (2.0,)],
    figure1: [(3, 1, -2, 4), (-1.5, 0.25, 2.0, -7.0), (0.1 + 0.2, 1e-9, 1e16, 0.0)],
    square: [(3,), (-0.5,), (1e6,)],
    cross_entropy: [(1.0, 2, -1), (-3.0, 0.0, 12.5)],
    perceptron: [[0.5, -1.5, *(0.1 * k for k in range(1, 10))], [-2.0, 1.0, *(-0.3 * k for k in range(1, 10))]],
    nothing_but_numbers: [(2, 3), (1.0, 2.5), (0.5, -2.0), (2.5, 1.0)],
}


@pytest.fixture(autouse=True)
def one_question(monkeypatch):
    """A page that runs again asks for the input of its first point; a new page would ask for the one that has an effect at its own."""
    monkeypatch.setattr(inputs, "effect", lambda trace, x: 1.0)


@pytest.fixture
def opened(visit, tmp_path):
    """opened(z, **options) is the page of z, open in the browser."""

    def opened(z, **options):
        path = Path(tmp_path, f"{random.random()}.html")
        play(Trace(z, names={}, **options)).save(path)
        return visit(path)

    return opened


def assert_runs_again(replayed, fresh, turn=0):
    """Run a page again at the starting values of a new page, and compare all that they show."""
    assert replayed.page.evaluate("x => player.runAgain(x)", fresh.page.evaluate("player.run.live.start")) is None
    assert_same_pages(replayed, fresh, turn)


def assert_same_pages(replayed, fresh, turn=0):
    ours, theirs = (player.page.evaluate(HIDDEN) for player in (replayed, fresh))
    assert (ours["values"], ours["start"]) == (theirs["values"], theirs["start"])
    for step in ours["questions"].keys() & theirs["questions"].keys():  # which partials are asked for may differ
        assert ours["questions"][step] == theirs["questions"][step]
    every = -(-replayed.page.evaluate("player.acts.backward.length") // MOST_STEPS)
    seen = [player.page.evaluate(TEXTS, [turn % every, every]) for player in (replayed, fresh)]
    for step, ((*ours, drawn), (*theirs, drawn_there)) in enumerate(zip(*seen, strict=True), 1):
        assert ours == theirs, f"step {step}"
        both = drawn.keys() & drawn_there.keys()  # of a large graph the way is drawn that carries most at the first numbers
        assert both and {part: drawn[part] for part in both} == {part: drawn_there[part] for part in both}, f"step {step}"


@pytest.mark.parametrize("f", few_of(POINTS, [extremes, logarithm, cross_entropy, perceptron]), ids=lambda f: f.__name__)
def test_every_text_at_another_point_is_that_of_a_new_page(opened, f):
    start, *others = POINTS[f]
    player = opened(f(start))
    for turn, point in enumerate(others):
        assert_runs_again(player, opened(f(list(map(float, point)))), turn)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_runs_again(opened, schedule):
    start, point, _ = POINTS[figure1]
    player = opened(figure1(start), schedule=schedule)
    assert_runs_again(player, opened(figure1(point), schedule=schedule), SCHEDULES.index(schedule))


GRAPHS = 25
ROWS = [row for row in rules.TABLE if not row.option_of]


def random_plan(dice):
    """How to build a graph of three inputs: functions of the table, each with the places of its inputs and a constant."""
    return [(dice.choice(ROWS), [dice.random() for _ in range(3)], dice.choice([None, None, 2, -0.5])) for _ in range(dice.randint(1, 5))]


def planned(plan, numbers):
    made = [Value(number, name=f"x{k}") for k, number in enumerate(numbers, 1)]
    for row, places, constant in plan:
        count = len(row.partials) or {"dot": 4}.get(row.name, 3)
        inputs = [made[int(place * len(made))] for place in (places * 2)[:count]]
        if constant is not None and count > 1:
            inputs[1] = constant
        made.append(row(*inputs))
    return sg.sum(*made)


def random_number(dice):
    return dice.choice([dice.randint(-4, 4), round(dice.uniform(-3, 3), 2), dice.uniform(-1, 1) * 10 ** dice.randint(-9, 3)])


# All texts of a run, without a page around them.
OF_A_RUN = """run => {
    const spelled = text => (text ?? '').split('$').map((part, k) => k % 2 ? run.formula(part).textContent : part).join('');
    const formula = place => place == null ? null : run.formula(place).textContent;
    const quantity = place => {
        const {text, mathml, symbol} = run.quantities[place] ?? {};
        return [text, formula(mathml), formula(symbol)];
    };
    return {
        steps: run.steps.map(step => [...[step.where, step.said, step.why].map(spelled), (step.factors ?? []).map(row => row.map(formula)),
            ...['partial', 'upstream', 'term', 'total'].map(field => quantity(step[field]))]),
        variables: run.variables.map(({text, mathml}) => [text, formula(mathml)]),
        edges: run.edges.map(({partial}) => quantity(partial)),
        insertions: run.insertions.map(({total}) => quantity(total)),
        question: run.question.map(({said, computes}) => [spelled(said), computes.map(({numbers}) => formula(numbers))]),
        questions: run.questions.filter(({asked}) => !formula(asked).includes('∂')).map(({why, hint}) => [spelled(why), spelled(hint)]),
    };
}"""


def without_scene(trace):
    """The data of a page without the places of the boxes: texts do not depend on these, which take half of the time."""
    return page_data(trace, scenes=(lambda *about: None,) * 2)


def test_random_graphs_run_again(modules):
    """Where a function is not finite, or has another formula, the page says so instead."""
    dice, notation, programs, given = random.Random(50), JavaScript(), {}, []
    for k in range(GRAPHS):
        plan, start, point = random_plan(dice), *([random_number(dice) for _ in range(3)] for _ in range(2))
        trace, fresh = Trace(planned(plan, start), names={}), Trace(planned(plan, list(map(float, point))), names={})
        writer = Writer(trace, notation)
        live = trace.run_on(LiveNumbers(trace, writer))
        given.append(
            [{**without_scene(live), "program": str(k)}, without_scene(fresh), [v.data for v in fresh.graph.variables if not v.inputs]]
        )
        programs[k] = writer.source(live.on.ledger)
    own = f"globalThis.programsOf = functions => {{ {script_of(programs, notation)} return programs; }};"
    each = "whyNotAt(new Run(data), x) ?? [new Run(dataAt(data, x)), new Run(fresh)].map(texts)"
    imports = 'const { dataAt, whyNotAt } = await import("/replay.js"), { Run } = await import("/run.js");'
    texts = f"const texts = {OF_A_RUN};"
    answers = f"JSON.stringify(JSON.parse(given).map(([data, fresh, x]) => {each}))"  # one text: the driver looks at each part of a value
    found = json.loads(modules.evaluate(f"async given => {{ {own} {imports}\n{texts}\nreturn {answers}; }}", json.dumps(given)))
    refused = [why for why in found if isinstance(why, str)]
    assert all("not finite" in why or "branch" in why for why in refused) and GRAPHS / 10 < len(refused) < GRAPHS * 0.6
    for k, (ours, theirs) in [(k, pair) for k, pair in enumerate(found) if not isinstance(pair, str)]:
        for what, texts in theirs.items():
            assert ours[what] == texts, f"graph {k}: {what}"


def test_the_fields_of_the_strip_run_again(figure1):
    figure1.page.evaluate("player.enter('nudge', 1)")
    figure1.click("start-values")
    figure1.page.locator("#start-dialog input").first.fill("-1.5")
    figure1.page.locator("#start-dialog button").first.click()
    assert figure1.page.evaluate("player.run.live.start") == [-1.5, 1, -2, 4]
    figure1.page.evaluate("player.enter('backward', 45)")
    assert "−1.5" in figure1.page.evaluate("document.querySelector('#graph').textContent")


def test_the_address_and_the_list_of_steps_follow_the_starting_values(figure1):
    start, listed = lambda: figure1.page.evaluate("player.run.live.start"), lambda: figure1.content("#transcript")
    first = listed()
    figure1.page.evaluate("player.runAgain([-1.5, 0, 1e-9, 2]); player.enter('backward', 44)")
    assert "when x4 grows a little, z grows 2.5 times as much." in listed() and "11" not in listed()
    assert figure1.page.evaluate("location.hash") == "#start=-1.5,0,1e-9,2&step=45"
    figure1.page.reload()
    wait_for_player(figure1.page)
    assert (start(), figure1.step) == ([-1.5, 0, 1e-9, 2], 45)
    for hash, expected in (
        ("#step=3", [3, 1, -2, 4]),
        ("#start=1,2,3,4&nudge=2", [1, 2, 3, 4]),
        ("#start=1,2,oops,4&nudge=2", [3, 1, -2, 4]),
    ):
        figure1.page.evaluate("hash => { location.hash = hash; }", hash)
        until(figure1.page, lambda expected=expected: start() == expected)
    assert listed() == first


@pytest.mark.parametrize(
    "z, x, why",
    [
        (lambda x: 1 / x, 0, "At these numbers z is not finite."),
        (sg.sqrt, 0, "At these numbers the partial derivative ∂z/∂x is not finite."),
        (lambda x: (x * 1e200) * 1e-200 * x, 1e300, "At these numbers v1 is not finite."),
        (lambda x: sg.maximum(x, 2), 2, "At these numbers the function of z, maximum, takes its other branch"),
    ],
)
def test_the_page_says_why_it_cannot_run_at_a_point(opened, z, x, why):
    assert opened(z(Value(1.0, name="x"))).page.evaluate("x => player.runAgain([x])", x).startswith(why)
