"""The steps of two optimisers

Each function returns the new array of the parameter `w`, and changes neither `w` nor the gradient `g`. What it keeps from step to step, it
writes into the dictionary `state`, which is empty at the first step. The program uses the array `g` again for the next gradient.

1. `sgd_momentum_step(w, g, state, rate, momentum)`: $v \\leftarrow \\mu v + g$, starting with $v = 0$, and $w \\leftarrow w - \\eta v$.
2. `adam_step(w, g, state, t, rate, beta1, beta2, eps, decay)` is Adam with decoupled weight decay. $m$ and $s$ start with 0, and $t$ is 1
   at the first step.

A step of Adam computes:

- $m \\leftarrow \\beta_1 m + (1 - \\beta_1) g$
- $s \\leftarrow \\beta_2 s + (1 - \\beta_2) g^2$
- $\\hat{m} = \\frac{m}{1 - \\beta_1^t}$ and $\\hat{s} = \\frac{s}{1 - \\beta_2^t}$
- $w \\leftarrow w - \\eta \\left( \\frac{\\hat{m}}{\\sqrt{\\hat{s}} + \\epsilon} + \\lambda w \\right)$

Here $\\eta$ is `rate`, $\\mu$ is `momentum`, $\\lambda$ is `decay`, $\\epsilon$ is `eps`, and $\\beta_1$ and $\\beta_2$ are `beta1` and
`beta2`. At the first step of Adam with $g = 3$, $\\epsilon = 0$ and $\\lambda = 0$, $w$ falls by $\\eta$.

`SGD` and `AdamW` of `tensorgrad.optim` compute these steps, in place.
"""
# meta: unit=E minutes=20 difficulty=2 chapter=modules-and-optimisers call=steps_of

import numpy as np


def sgd_momentum_step(w, g, state, rate, momentum):
    # BEGIN SOLUTION
    state["v"] = momentum * state.get("v", 0) + g
    # ~ aliases M17: state["v"] = momentum * state["v"] + g if "v" in state else g
    # ~ no-memory M40: state = {"v": g}
    # ~ damped M29: state["v"] = momentum * state.get("v", 0) + (1 - momentum) * g
    # ~ rate-in-memory M29: state["v"] = momentum * state.get("v", 0) + rate * g
    return w - rate * state["v"]
    # ~ uphill M36: return w + rate * state["v"]
    # ~ looks-ahead M29: return w - rate * (g + momentum * state["v"])
    # END SOLUTION


def adam_step(w, g, state, t, rate, beta1, beta2, eps, decay):
    # BEGIN SOLUTION
    m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
    # ~ decay-in-gradient M29: g = g + decay * w; m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
    s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * g**2
    # ~ not-squared M29: s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * np.abs(g)
    m, s = m / (1 - beta1**t), s / (1 - beta2**t)
    # ~ no-correction M29: pass
    # ~ corrects-m-only M29: m = m / (1 - beta1**t)
    # ~ counts-from-0 M29: m, s = m / (1 - beta1 ** (t - 1)), s / (1 - beta2 ** (t - 1))
    # ~ correction-without-t M29: m, s = m / (1 - beta1), s / (1 - beta2)
    return w - rate * (m / (np.sqrt(s) + eps) + decay * w)
    # ~ eps-in-root M29: return w - rate * (m / np.sqrt(s + eps) + decay * w)
    # ~ no-root M29: return w - rate * (m / (s + eps) + decay * w)
    # ~ no-decay M29: return w - rate * m / (np.sqrt(s) + eps)
    # ~ decay-in-gradient M29: return w - rate * m / (np.sqrt(s) + eps)
    # END SOLUTION


# BEGIN FRAME
def steps_of(w, gradients, rate, momentum, betas, eps, decay):
    """Return w after each step of both optimisers. Each gradient stands in the same array."""
    found = {}
    with np.errstate(all="ignore"):
        for name in ("sgd_momentum_step", "adam_step"):
            g, state, now = np.zeros(w.shape), {}, w.copy()
            for t, gradient in enumerate(gradients, 1):
                g[...] = gradient
                if name == "adam_step":
                    now = adam_step(now, g, state, t, rate, *betas, eps, decay)
                else:
                    now = sgd_momentum_step(now, g, state, rate, momentum)
                found[f"w after step {t} of {name}"] = np.array(now)
    return found


# END FRAME
# BEGIN CHECK
from tutorial.exercises.calls import with_names
from tutorial.exercises.probe import Probe

HINTS = (
    "Compute the first step by hand: what is v, what are m and s, and what is left of them after the division?",
    "Each step reads the old numbers from the dictionary, or 0 at the first step, and writes new arrays there. Never keep g itself.",
    "Momentum: the new v is momentum times the old one, plus the gradient. Adam: two such means, one of g and one of its square; "
    "divide them "
    "by one minus beta to the power t, take the root of the second, and only then add eps. The decay acts on w, not on g.",
)
PREDICT = ("μ = 0.5, v = 0 at the start, and the gradients are 4 and then 4. What is v after the second step?", 6)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "aliases": WAS + "Your state holds the array g itself. The program wrote the next gradient into it. Keep an array of your own.",
    "no-memory": WAS + "v = {momentum} · v + g, and your v starts with 0 in each step. Write it into the dictionary that the "
    "function gets.",
    "damped": WAS + "You multiplied g by 1 − μ = 1 − {momentum}. Here v adds the gradient in full.",
    "rate-in-memory": WAS + "You multiplied by the rate {rate} twice: in v, and in the step.",
    "uphill": WAS + "You added. The gradient leads to where the loss is larger, so the step goes to the other side.",
    "looks-ahead": WAS + "This is the step of Nesterov, which adds μ = {momentum} once more.",
    "decay-in-gradient": WAS + "You added {decay} · w to the gradient, so m and s hold it, too. Decoupled decay acts on w alone.",
    "not-squared": WAS + "s is a mean of g², and you took the size of g.",
    "no-correction": WAS + "m and s start with 0, so they are too small at first. Divide them by 1 − β to the power t.",
    "corrects-m-only": WAS + "You corrected m and not s. Both start with 0.",
    "counts-from-0": WAS + "You counted the steps from 0. At t = 0 the correction divides by 1 − 1 = 0.",
    "correction-without-t": WAS + "You divided by 1 − β at each step. The power t makes the correction fade.",
    "eps-in-root": WAS + "You added eps = {eps} inside the root. It belongs outside.",
    "no-root": WAS + "You divided by s without its root. m / √s has no unit, so the rate alone says how long a step is.",
    "no-decay": WAS + "The decay is missing: {decay} · w, times the rate.",
}
ASKED = {
    "aliases": "Who writes into the array that your state holds?",
    "no-memory": "What does state hold when the second step begins?",
    "damped": "What is v after the first step?",
    "rate-in-memory": "How often does your step multiply by the rate?",
    "uphill": "Where does a gradient lead to?",
    "looks-ahead": "How often does your first step use the gradient?",
    "decay-in-gradient": "Which of m, s and w does the decay act on?",
    "not-squared": "What does s hold after the first step?",
    "no-correction": "How large are m and s after the first step?",
    "corrects-m-only": "With what do m and s start?",
    "counts-from-0": "What is 1 − β to the power 0?",
    "correction-without-t": "How large should the correction be after 1,000 steps?",
    "eps-in-root": "If s is 0, by what does the step divide?",
    "no-root": "If all gradients were 10 times as large, how long would a step be?",
    "no-decay": "What happens to w if the gradient is 0?",
}


def probes(random):
    """Yield one number and one step, one number and two steps, then arrays and five steps."""
    yield probe(random, (1,), 1, 0.5)
    yield probe(random, (1,), 2, 0.5)
    yield probe(random, (3,), 5, random.choice((0.25, 0.75)))
    yield probe(random, (2, 2), 5, 0.9)


def probe(random, shape, steps, momentum):
    array = lambda: np.array([random.choice((-1, 1)) * random.randint(2, 9) for _ in range(int(np.prod(shape)))], float).reshape(shape)
    facts = {"rate": 0.1, "momentum": momentum, "eps": 0.25, "decay": random.choice((0.5, 0.125))}
    arguments = array(), [array() for _ in range(steps)], facts["rate"], momentum, (0.5, 0.75), facts["eps"], facts["decay"]
    return Probe(arguments, facts, about=f"{steps} steps" if steps > 1 else "one step", shown=program_of(*arguments))


def program_of(w, gradients, rate, momentum, betas, eps, decay):
    """Return the steps of both optimisers as a program."""
    options = {"rate": rate, "momentum": momentum, "beta1": betas[0], "beta2": betas[1], "eps": eps, "decay": decay}
    loops = [
        f"state, now = {{}}, w\nfor {loop}:\n    now = {step}"
        for loop, step in (
            ("g in gradients", "sgd_momentum_step(now, g, state, rate, momentum)"),
            ("t, g in enumerate(gradients, 1)", "adam_step(now, g, state, t, rate, beta1, beta2, eps, decay)"),
        )
    ]
    return with_names("\n".join(loops), w=w, gradients=gradients, **options)


# END CHECK
