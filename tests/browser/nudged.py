"""Graphs of all sorts for the acts Nudge and Use, and what the page says about them."""

import random
from fractions import Fraction

import scalargrad
from scalargrad import Trace, Value
from scalargrad import sum as sum_of
from tests.browser import pages
from tests.viz.graphs import figure1_trace


def of(f, **inputs):
    """Return the trace of f of named inputs."""
    z = f(*[Value(number, name=name) for name, number in inputs.items()])
    z.name = "z"
    return Trace(z, names={})


def forty():
    """The error of a neuron with forty inputs, whose names have up to nine letters."""
    dice = random.Random(3)
    weights = [Value(dice.randint(-9, 9) / 4, name=f"weight_{k}") for k in range(40)]
    loss = (sum_of(*[w * dice.choice([-1, 1, 2]) for w in weights]) / 9).tanh() ** 2
    loss.name = "loss"
    return Trace(loss, names={})


def diamonds(count):
    """2 to the power `count` paths."""
    x = Value(0.5, name="x")
    z = x
    for _ in range(count):
        z = z * 0.25 + z * 0.75
    return Trace(z, names={})


GRAPHS = {
    **{
        name: pages.TRACES[name]
        for name in ("figure1", "square", "two layers", "ten children", "thirty", *(f"random{seed}" for seed in range(4)))
    },
    "fractions": lambda: figure1_trace(numbers=(Fraction(1, 3), Fraction(-2, 7), 5, Fraction(22, 7))),
    "forty": forty,
    "diamonds": lambda: diamonds(70),
    "only an input": lambda: Trace(Value(3, name="x")),
    "linear": lambda: of(lambda a, b: 2 * a - 3 * b, a=1, b=2),
    "negative": lambda: of(lambda a, b: -a * b * b, a=2, b=3),
    "zero": lambda: of(lambda a, b: a * 0 + b * b, a=1, b=0),
    "tiny": lambda: of(lambda a, b: a * a * b, a=1e-9, b=3),
    "big": lambda: of(lambda a, b: a * b, a=1e6, b=-2e6),
    "huge": lambda: of(lambda a, b: a + b, a=1e16, b=1.0),
    "long names": lambda: of(lambda a, b: a * scalargrad.exp(b), temperature1=1.5, pressure_low=-0.25),
    "dead paths": lambda: of(lambda x: x * 0 + x * 0 + x * 2 + x * 2, x=1),
    "relu": lambda: of(scalargrad.relu, x=0),
    "abs": lambda: of(abs, x=0),
    "bowl": lambda: of(lambda x: x * x, x=0),
    "bent": lambda: of(lambda a: scalargrad.relu(a) * 3 + a, a=0),
    "maximum": lambda: of(scalargrad.maximum, x=2, y=2),
    "hidden kink": lambda: of(lambda x: scalargrad.relu(x) - scalargrad.relu(-x), x=0),
    "floor": lambda: of(scalargrad.floor, x=3),
    "sqrt": lambda: of(scalargrad.sqrt, x=0),
    "cbrt": lambda: of(scalargrad.cbrt, x=0),
    "log of 0": lambda: of(scalargrad.log, x=0),
    "log of -1": lambda: of(scalargrad.log, x=-1),
    "power": lambda: of(lambda a, n: a**n, a=-2, n=3),
    "infinite": lambda: of(lambda x: x * 2, x=float("inf")),
    "sine": lambda: of(scalargrad.sin, x=1000.0),
}

SAID = """() => {
    const text = selector => document.querySelector(selector)?.textContent ?? '';
    const panels = [...document.querySelectorAll('#paths, #update, #ratios, #checks, #plot')].filter(e => e.checkVisibility());
    return {
        said: text('#narration'), readout: text('#strip:not([hidden]) #readout'), note: text('.figures:not([hidden], .elsewhere) .note'),
        panels: panels.map(e => e.innerText).join('\\n'),
    }
}"""

EVERYTHING_SAID = """async ([acts, amounts, most]) => {
    const seen = [], said = SAID, press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const painted = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));  // a curve has its size then
    let sized = false;
    for (const act of acts) for (let k = 0; k < player.acts[act].length; k++) {
        player.enter(act, k);
        if (!sized && document.querySelector('#plot')?.checkVisibility()) sized = !await painted();
        seen.push(said());
    }
    const inputs = Math.min(most, document.querySelectorAll('.chooser button').length);
    for (const k of new Set(inputs ? [1, Math.ceil((1 + inputs) / 2), inputs] : [])) {
        player.enter('nudge', 0);
        press(`${k}`);
        for (const amount of amounts) { press(amount); seen.push(said()) }
    }
    return seen
}""".replace("SAID", SAID)
