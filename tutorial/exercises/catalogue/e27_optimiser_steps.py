"""The steps of two optimisers

Each function returns the new array of the parameter `w`, and changes neither `w` nor the gradient `g`. What it keeps from step to step, it
writes into the dictionary `state`, which is empty at the first step. The program uses the array `g` again for the next gradient.

1. `sgd_momentum_step(w, g, state, rate, momentum)`: $v \\leftarrow \\mu v + g$, starting with $v = 0$, and $w \\leftarrow w - \\eta v$.
2. `adam_step(w, g, state, t, rate, beta1, beta2, eps, decay)` is AdamW: Adam with decoupled weight decay, which acts on $w$. $m$ and
   $s$ start with 0, and $t$ is 1 at the first step.

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
    # ~ damped M88: state["v"] = momentum * state.get("v", 0) + (1 - momentum) * g
    # ~ factors-exchanged M88: state["v"] = (1 - momentum) * state.get("v", 0) + momentum * g
    # ~ never-fades M88: state["v"] = state.get("v", 0) + g
    # ~ first-faded M76: state["v"] = momentum * (state["v"] if "v" in state else g) + g * ("v" in state)
    # ~ keeps-w M40: v = momentum * state.get("v", 0) + g; state["v"] = w - rate * v; return state["v"]
    # ~ momentum-on-both M88: state["v"] = momentum * (state.get("v", 0) + g)
    # ~ momentum-on-g M88: state["v"] = state.get("v", 0) + momentum * g
    # ~ starts-with-g M61: state["v"] = momentum * state.get("v", g) + g
    # ~ changes-g M21: g += momentum * state.get("v", 0); state["v"] = g.copy()
    # ~ rate-in-memory M72: state["v"] = momentum * state.get("v", 0) + rate * g
    return w - rate * state["v"]
    # ~ uphill M36: return w + rate * state["v"]
    # ~ looks-ahead M88: return w - rate * (g + momentum * state["v"])
    # ~ changes-w M21: w -= rate * state["v"]; return w
    # ~ velocity-and-gradient M88: return w - rate * (g + state["v"])
    # ~ no-rate M31: return w - state["v"]
    # ~ rate-on-w M72: return (1 - rate) * w - rate * state["v"]
    # ~ step-alone M31: return -rate * state["v"]
    # ~ old-velocity M08: old = state.get("before", 0 * w); state["before"] = state["v"]; return w - rate * old
    # END SOLUTION


def adam_step(w, g, state, t, rate, beta1, beta2, eps, decay):
    # BEGIN SOLUTION
    m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
    # ~ decay-in-gradient M92: g = g + decay * w; m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
    # ~ m-in-full M88: m = state["m"] = beta1 * state.get("m", 0) + g
    # ~ betas-exchanged-in-means M54: m = state["m"] = beta2 * state.get("m", 0) + (1 - beta2) * g
    # ~ m-and-s-exchanged M54: m = beta1 * state.get("s", 0) + (1 - beta1) * g
    # ~ m-starts-with-g M76: m = state["m"] = beta1 * state.get("m", g) + (1 - beta1) * g
    # ~ means-in-full M88: m = state["m"] = beta1 * state.get("m", 0) + g
    # ~ betas-exchanged M54: beta1, beta2 = beta2, beta1; m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * g
    # ~ m-aliases M17: m = state["m"] = beta1 * state["m"] + (1 - beta1) * g if "m" in state else g
    # ~ m-factors-exchanged M88: m = state["m"] = (1 - beta1) * state.get("m", 0) + beta1 * g
    # ~ means-without-memory M40: state = {}; m = (1 - beta1) * g
    s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * g**2
    # ~ not-squared M68: s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * np.abs(g)
    # ~ signed M68: s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * g
    # ~ square-of-m M68: s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * m**2
    # ~ factor-squared M68: s = state["s"] = beta2 * state.get("s", 0) + ((1 - beta2) * g) ** 2
    # ~ s-in-full M88: s = state["s"] = beta2 * state.get("s", 0) + g**2
    # ~ betas-exchanged-in-means M54: s = state["s"] = beta1 * state.get("s", 0) + (1 - beta1) * g**2
    # ~ m-and-s-exchanged M54: s = beta2 * state.get("m", 0) + (1 - beta2) * g**2; state["m"], state["s"] = m, s
    # ~ gradient-times-m M68: s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * g * m
    # ~ squares-averaged M86: s = state["s"] = beta2 * state.get("s", 0) + (1 - beta2) * (g**2).mean()
    # ~ never-smaller M88: before = state.get("s", 0); s = state["s"] = beta2 * before + (1 - beta2) * g**2; s = np.maximum(s, before)
    # ~ s-starts-with-square M76: s = state["s"] = beta2 * state.get("s", g**2) + (1 - beta2) * g**2
    # ~ means-in-full M88: s = state["s"] = beta2 * state.get("s", 0) + g**2
    # ~ one-beta M45: s = state["s"] = beta1 * state.get("s", 0) + (1 - beta1) * g**2
    # ~ s-factors-exchanged M88: s = state["s"] = (1 - beta2) * state.get("s", 0) + beta2 * g**2
    m, s = m / (1 - beta1**t), s / (1 - beta2**t)
    # ~ no-correction M89: pass
    # ~ corrects-m-only M89: m = m / (1 - beta1**t)
    # ~ corrects-s-only M89: s = s / (1 - beta2**t)
    # ~ keeps-corrected M21: m, s = state["m"], state["s"] = m / (1 - beta1**t), s / (1 - beta2**t)
    # ~ corrects-with-beta1 M45: m, s = m / (1 - beta1**t), s / (1 - beta1**t)
    # ~ times-correction M89: m, s = m * (1 - beta1**t), s * (1 - beta2**t)
    # ~ times-t M89: m, s = m / (1 - beta1 * t), s / (1 - beta2 * t)
    # ~ m-counts-from-0 M89: m, s = m / (1 - beta1 ** (t - 1)), s / (1 - beta2**t)
    # ~ s-counts-from-0 M89: m, s = m / (1 - beta1**t), s / (1 - beta2 ** (t - 1))
    # ~ m-without-t M89: m, s = m / (1 - beta1), s / (1 - beta2**t)
    # ~ s-without-t M89: m, s = m / (1 - beta1**t), s / (1 - beta2)
    # ~ root-of-correction-alone M89: m, s = m / (1 - beta1**t), s / (1 - beta2**t) ** 2
    # ~ power-of-difference M89: m, s = m / (1 - beta1) ** t, s / (1 - beta2) ** t
    # ~ one-step-ahead M89: m, s = m / (1 - beta1 ** (t + 1)), s / (1 - beta2 ** (t + 1))
    # ~ counts-from-0 M89: m, s = m / (1 - beta1 ** (t - 1)), s / (1 - beta2 ** (t - 1))
    # ~ correction-without-t M89: m, s = m / (1 - beta1), s / (1 - beta2)
    return w - rate * (m / (np.sqrt(s) + eps) + decay * w)
    # ~ eps-in-root M68: return w - rate * (m / np.sqrt(s + eps) + decay * w)
    # ~ no-root M68: return w - rate * (m / (s + eps) + decay * w)
    # ~ no-decay M92: return w - rate * m / (np.sqrt(s) + eps)
    # ~ decay-without-rate M92: return w - rate * m / (np.sqrt(s) + eps) - decay * w
    # ~ decay-added M36: return w - rate * (m / (np.sqrt(s) + eps) - decay * w)
    # ~ decay-after M08: now = w - rate * m / (np.sqrt(s) + eps); return now - rate * decay * now
    # ~ decay-over-root M92: return w - rate * (m + decay * w) / (np.sqrt(s) + eps)
    # ~ no-eps M68: return w - rate * (m / np.sqrt(s) + decay * w)
    # ~ eps-as-factor M70: return w - rate * (m / (np.sqrt(s) * eps) + decay * w)
    # ~ decay-of-gradient M92: return w - rate * (m / (np.sqrt(s) + eps) + decay * g)
    # ~ sign-alone M68: return w - rate * (m / (np.abs(m) + eps) + decay * w)
    # ~ rate-falls M72: return w - rate * (m / (np.sqrt(s) + eps) / np.sqrt(t) + decay * w)
    # ~ adam-no-rate M72: return w - (m / (np.sqrt(s) + eps) + decay * w)
    # ~ adam-rate-on-decay-alone M72: return w - m / (np.sqrt(s) + eps) - rate * decay * w
    # ~ step-of-sgd M88: return w - rate * (m + decay * w)
    # ~ adam-step-alone M31: return -rate * (m / (np.sqrt(s) + eps) + decay * w)
    # ~ adam-uphill M36: return w + rate * (m / (np.sqrt(s) + eps) + decay * w)
    # ~ adam-gradient-alone M40: return w - rate * (g / (np.sqrt(s) + eps) + decay * w)
    # ~ adam-changes-w M21: w -= rate * (m / (np.sqrt(s) + eps) + decay * w); return w
    # ~ decay-in-gradient M92: return w - rate * m / (np.sqrt(s) + eps)
    # END SOLUTION


# FRAME
def steps_of(w, gradients, rate, momentum, betas, eps, decay):
    """Return w after each step of both optimisers, and what a step has changed. Each gradient stands in the same array."""
    found = {}
    for name in ("sgd_momentum_step", "adam_step"):
        g, state, now = np.zeros(w.shape), {}, w.copy()
        for t, gradient in enumerate(gradients, 1):
            g[...], given = gradient, now.copy()
            if name == "adam_step":
                moved = adam_step(given, g, state, t, rate, *betas, eps, decay)
            else:
                moved = sgd_momentum_step(given, g, state, rate, momentum)
            found[f"w after step {t} of {name}"] = np.array(moved) if isinstance(moved, np.ndarray) else moved
            if not isinstance(moved, np.ndarray) or moved.shape != w.shape:
                return found
            now = np.array(moved)
        found |= {f"the w that {name} got, after its last step": given, f"the g that {name} got, after its last step": g}
    return found


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Compute the first step by hand: what is v, what are m and s, and what is left of them after the division?",
    "Each step reads the old numbers from the dictionary, or 0 at the first step, and writes new arrays there. Never keep g itself.",
    "Momentum: the new v is momentum times the old one, plus the gradient. Adam: two such means, one of g and one of its square; divide "
    "them by one minus beta to the power t, take the root of the second, and only then add eps. The decay acts on w, not on g.",
)
PREDICT = (
    "μ = 0.5, v = 0 at the start, and the gradients are 4 and then 4. What is v after the second step?",
    6,
    {
        8: "You added both gradients whole. Before the second one, v is multiplied by μ.",
        4: "That is v after the first step, or without what came before it.",
        3: "You multiplied g by 1 − μ, as Adam does. Momentum adds g as it is.",
        2: "You left the second gradient out.",
    },
)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "aliases": WAS + "Your state holds the array g itself. The program wrote the next gradient into it. Keep an array of your own.",
    "no-memory": WAS + "That is a step along g alone. v is {momentum} times what it was, plus g: is it read from state, and written there?",
    "factors-exchanged": WAS + "That is v = (1 − μ) v + μ g. Here v is μ = {momentum} times what it was, plus g in full.",
    "never-fades": WAS + "That is v = v + g. First multiply what v was by μ = {momentum}.",
    "momentum-on-both": WAS
    + "That is v = μ (v + g), or a step along μ v. μ = {momentum} multiplies what v was alone, and g is added in full.",
    "momentum-on-g": WAS + "That is v = v + μ g. μ = {momentum} multiplies what v was, and g is added in full.",
    "starts-with-g": WAS + "That is what v = g at the start gives. v starts with 0.",
    "changes-g": WAS + "The step changed it. That array is the program's, which uses it again: g = g + … makes a new one, g += … does not.",
    "changes-w adam-changes-w": WAS
    + "The step changed it. The function returns a new array, and the old one stays as it is: w = w − … makes one, w -= … does not.",
    "velocity-and-gradient": WAS + "That is a step along v + g. v holds g already.",
    "no-rate": WAS + "That is a step without the rate {rate}.",
    "step-alone adam-step-alone": WAS + "That is the step alone. Return the new w.",
    "rate-on-w": WAS + "That takes the rate times w off, too. The step is the rate times v.",
    "first-faded": WAS + "The first v is μ g there. v starts with 0, so it is g in full.",
    "keeps-w": WAS + "Your dictionary holds w in the place of v.",
    "betas-exchanged-in-means": WAS + "β₁ belongs to m, and β₂ to s. Here they have changed places in the two means.",
    "m-and-s-exchanged": WAS + "m and s have changed places in your dictionary.",
    "gradient-times-m": WAS + "s is a mean of g², and that is a mean of g · m.",
    "squares-averaged": WAS + "s is a number there, the mean over all entries of w. Each entry has its own.",
    "never-smaller": WAS + "s never becomes smaller there. It is a mean that fades, also where it falls.",
    "eps-as-factor": WAS + "That multiplies the root by eps = {eps}. Add it.",
    "decay-of-gradient": WAS + "That has {decay} · g for the decay. Decay acts on w.",
    "sign-alone": WAS + "That divides m by its own size. Divide it by √s.",
    "rate-falls": WAS + "That makes the rate smaller with t. It is {rate} at each step.",
    "old-velocity": WAS + "That is a step along the old v. Compute the new v first.",
    "damped": WAS + "You multiplied g by 1 − μ = 1 − {momentum}. Here v adds the gradient in full.",
    "rate-in-memory": WAS + "You multiplied by the rate {rate} twice: in v, and in the step.",
    "uphill": WAS + "That goes uphill: the gradient leads to where the loss is larger. The step goes to the other side.",
    "looks-ahead": WAS + "This is the step of Nesterov, which adds μ = {momentum} once more.",
    "decay-in-gradient": WAS + "You added {decay} · w to the gradient, so m and s hold it, too. Decoupled decay acts on w alone.",
    "not-squared": WAS + "s is a mean of g², and you took the size of g.",
    "m-in-full": WAS + "That adds g to m in full. m is a mean: g counts 1 − β₁.",
    "s-in-full": WAS + "That adds g² to s in full. s is a mean: g² counts 1 − β₂.",
    "means-in-full": WAS + "That adds g to m and g² to s in full. Both are means: g counts 1 − β₁, and g² counts 1 − β₂.",
    "betas-exchanged": WAS + "β₁ belongs to m, and β₂ to s. Here they have changed places.",
    "one-beta": WAS + "That has β₁ in s. The mean of the squares has its own, β₂.",
    "m-aliases": WAS + "That is what m = g at the first step gives. m starts with 0, so it is (1 − β₁) g then.",
    "m-factors-exchanged": WAS + "That is m = (1 − β₁) m + β₁ g. The two factors have changed places.",
    "s-factors-exchanged": WAS + "That is s = (1 − β₂) s + β₂ g². The two factors have changed places.",
    "means-without-memory": WAS + "m and s start with 0 in each step. Write them into the dictionary that the function gets.",
    "signed": WAS + "s is a mean of g², and that is a mean of g: its root may be that of a negative number.",
    "square-of-m": WAS + "s is a mean of g², and that is a mean of m².",
    "factor-squared": WAS + "That squares (1 − β₂) g. Only g is squared.",
    "no-correction": WAS + "m and s start with 0, so they are too small at first. Divide them by 1 − β to the power t.",
    "corrects-m-only": WAS + "You corrected m and not s. Both start with 0.",
    "m-counts-from-0 s-counts-from-0": WAS + "That has the power t − 1. t is 1 at the first step, so that divides by 1 − 1 = 0 there.",
    "m-without-t s-without-t": WAS + "That divides by 1 − β at each step, once. The power t makes the correction fade.",
    "root-of-correction-alone": WAS + "That divides s by the square of 1 − β₂ to the power t. It divides once.",
    "m-starts-with-g": WAS + "That is what m = g at the start gives. m starts with 0.",
    "s-starts-with-square": WAS + "That is what s = g² at the start gives. s starts with 0.",
    "adam-no-rate": WAS + "That is a step of Adam without the rate {rate}.",
    "adam-rate-on-decay-alone": WAS + "That has the rate {rate} at the decay alone. It multiplies the whole step.",
    "step-of-sgd": WAS + "That steps along m. Divide it by √s + eps.",
    "corrects-s-only": WAS + "You corrected s and not m. Both start with 0.",
    "keeps-corrected": WAS
    + "The corrected m and s are in your dictionary, so they are corrected again at the next step. Keep m and s themselves.",
    "corrects-with-beta1": WAS + "That corrects s with β₁. It belongs to m, and β₂ to s.",
    "times-correction": WAS + "That multiplies by 1 − β to the power t. m and s are too small at first: divide.",
    "times-t": WAS + "That divides by 1 − β · t. t is a power of β.",
    "power-of-difference": WAS + "That divides by (1 − β) to the power t. t is the power of β alone.",
    "one-step-ahead": WAS + "That has the power t + 1. t is 1 at the first step already.",
    "counts-from-0": WAS + "You counted the steps from 0. At t = 0 the correction divides by 1 − 1 = 0.",
    "correction-without-t": WAS + "You divided by 1 − β at each step. The power t makes the correction fade.",
    "eps-in-root": WAS + "You added eps = {eps} inside the root. It belongs outside.",
    "no-root": WAS + "You divided by s without its root. m / √s has no unit, so the rate alone says how long a step is.",
    "no-decay": WAS + "The decay is missing: {decay} · w, times the rate.",
    "decay-without-rate": WAS + "That takes {decay} · w off in full. The decay is multiplied by the rate {rate}, too.",
    "decay-added": WAS + "That adds the decay. Decay makes w smaller.",
    "decay-after": WAS + "That decays the new w. The decay is {decay} times the w that came in.",
    "decay-over-root": WAS + "That divides the decay by the root, too. Decoupled decay is {decay} · w, times the rate.",
    "no-eps": WAS + "eps = {eps} is missing, or it is not added.",
    "adam-uphill": WAS + "That adds the step. The gradient leads to where the loss is larger, so the step goes to the other side.",
    "adam-gradient-alone": WAS + "That has g in the place of m.",
}
ASKED = {
    "aliases": "Who writes into the array that your state holds?",
    **dict.fromkeys(SAID, "What are v, m and s after the first step, and what is w?"),
    "changes-w adam-changes-w changes-g": "Which lines write into an array that your function got?",
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
    arguments = array(), [array() for _ in range(steps)], facts["rate"], momentum, (0.6, 0.75), facts["eps"], facts["decay"]
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
