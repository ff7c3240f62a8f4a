"""Slips of students in programs that are not known wrong answers: they are refused, and named by what they give."""

from tests.each import swept
from tutorial.exercises.authored import find, others
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.verdict import WRONG

SLIPS = (  # the exercise, which of its other right programs, what is replaced in it by what, and the name
    ("00", 0, "(after - before) / h", "h / (after - before)", "inverse"),
    ("00", 0, "after = f(x + h)", "after = f(x) + h", "outside"),
    ("01", 0, "if start == x", "if x in start", "part-of-a-name"),
    ("02", 0, "(x4 + x4)", "x4", "no-factor"),
    ("03", 1, "if y == x:", "if y == x and y != z:", "no-empty-path"),
    ("05", 0, "return set(found)", "return {x for x in found if not inputs[x]}", "only-leaves"),
    ("06", 0, "sorted(order) != sorted({z} | ancestors(z, inputs))", "not {z} | ancestors(z, inputs) <= set(order)", "accepts-duplicates"),
    ("09", 1, "-a / (b * b)", "-a / b * b", "div-minus-value"),
    ("12", 0, "if not y.inputs:", "if not y.inputs and y is not z:", "not-a-leaf"),
    ("13", 0, "return loss.data", "return loss_fn(params).data", "loss-after"),
    ("15", 0, "x.grad = G.copy()", "x.grad = G[...]", "in-place"),
    ("16", 0, "above = np.array(f(X))", "above = f(X)", "above-shared"),
    ("18", 0, "back[axis] = k", "back[k] = axis", "same-order"),
    ("19", 1, "G.sum(axis=axis, keepdims=True)", "G.mean(axis=axis, keepdims=True)", "mean-of-1"),
    ("20", 1, "dA[i, k] += G", "dA[i, k] = G", "dA-last-term"),
    ("21", 0, "A.T.dot(G), G", "A.dot(G), G", "A-as-it-is"),
    ("21", 0, "A=G @ B.T", "A=np.dot(G, B)", "B-as-it-is"),
    ("22", 0, "logits.max(1)[:, None]", "np.amax(logits)", "one-shift-in-logs"),
    ("22", 0, "P[np.arange(N), y] -= 1", "P[:, y] -= 1", "every-row"),
    ("23", 1, "dE[row] += upstream", "dE[row] = upstream", "last-one"),
    ("24", 0, "] += G[n, o, r, s] * K[o]", "] = G[n, o, r, s] * K[o]", "each-window-overwritten"),
    ("24", 0, "pad : pad + height, pad : pad + width], dK", "pad:-pad, pad:-pad], dK", "cut-to-nothing"),
    ("25", 0, " + d_mean / N", "", "no-mean"),
    ("26", 0, "found.setdefault(id(x), x)", "found[len(found)] = x", "tied-twice"),
    ("26", 0, "isinstance(x, list) else vars(x)", "isinstance(x, tuple) else vars(x)", "no-lists"),
    ("27", 0, 'return w - rate * state["velocity"]', 'w -= rate * state["velocity"]\n    return w', "changes-w"),
    ("28", 0, "dict.fromkeys(seen, 0)", "dict.fromkeys(inputs, 0)", "all-variables"),
    ("29", 1, " + [0] * (len(self.uses) - z - 1)", "", "as-far-as-z"),
    ("29", 0, "return len(self.entries) - 1", "return len(self.entries)", "counts-from-1"),
    ("31", 0, "if None in [y.saved for y in turns]:", "if z.saved is None:", "looks-at-z"),
    ("31", 1, "x.grad = G if x.grad is None else x.grad + G", "x.grad = G", "zeroes-leaves"),
    ("32", 1, "before, mode.recording = mode.recording, False", "before, recording = mode.recording, False", "another-name"),
    ("33", 0, "tuple([upstream.copy()])", "upstream.copy()", "no-tuple"),
    ("35", 0, "part / len(X)", "part", "sum-of-rows"),
    ("41", 1, "np.sqrt(Q.shape[-1])\n    return", "np.sqrt(len(K))\n    return", "keys-for-length"),
    ("42", 0, "-x.value / y.value**2", "-x.value / y.value", "quotient-y-once"),
    ("44", 0, 'np.correlate(x, G, "valid")', 'np.convolve(x, G, "valid")', "dk-G-reversed"),
    ("45", 1, "slope + int(way)", "slope + way + 1 - way", "always-around"),
    ("46", 1, "signs = {value", "signs = {values.sum()", "by-the-sum"),
    ("39", 0, "known = {z: 1}\n", "known = memory\n    known[z] = 1\n", "one-memory"),
)


@swept(("number", "k", "right", "wrong", "name"), SLIPS, every=8, ids=lambda value: value)
def test_a_slip_in_another_program_is_named(number, k, right, wrong, name):
    exercise = find(number)
    program = others(exercise)[k]
    assert right in program
    found = check(exercise, ("memory = {}\n" if "memory" in wrong else "") + "import numpy as np\n" + program.replace(right, wrong))
    assert (found.state, found.name) == (WRONG, name), found.said


def test_a_sentence_on_a_memory_that_outlives_a_call_does_not_say_where_it_is():
    exercise = find("39")
    found = check(
        exercise,
        "known = {'z': 1}\n\n\n"
        + exercise.solution.replace(", known=None", "").replace(", known)", ")").split("\n", 2)[0]
        + "\n    if x not in known:\n"
        + "        known[x] = sum(derivative(y, z, children, partial) * partial[y, x] for y in children[x])\n    return known[x]\n",
    )
    assert found.name == "one-memory" and "outside of the function, or in a default argument" in found.said


def test_a_judged_list_that_is_right_alone_is_called_kept():
    exercise = find("26")
    program = "seen = []\n\n\n" + exercise.solution.replace(
        "    found = []\n", "    found = []\n    seen.append(module)\n    if len(seen) > 6:\n        return []\n"
    )
    found = check(exercise, program)
    assert found.name == "" and "kept from an earlier call" in found.asked


REFUSED = (  # the exercise, what is replaced in its solution, and by what
    ("00", "return (f(x + h) - f(x)) / h", "return (f(x + h) - f(x)) / h + 0 * f(x)"),  # f runs more than twice
    ("02", "x1 + 2 * x4", "x1 + 2.0 * x4"),
    ("03", "    total = 0\n", "    total = 0\n    if not inputs[x] and not paths(z):\n        return None\n"),
    (
        "05",
        "    while to_do:\n        for x in inputs[to_do.pop()]:",
        "    for y in inputs:\n        for x in inputs[y] if y in found | {z} else ():",
    ),
    ("06", "return done == {z} | ancestors(z, inputs)", "return len(order) == len(ancestors(z, inputs)) + 1"),
    ("10", "return out * (1 - out)", "return math.exp(-x) / (1 + math.exp(-x)) ** 2"),
    ("10", "return n * x ** (n - 1)", "return n * out / x if x else 0"),
    ("12", "    z.grad += 1\n", "    z.grad = 1 if z.inputs else 0\n"),
    ("15", "        x.grad = G\n", "        x.grad = G.copy().copy()\n"),
    ("17", "np.abs(got - expected), np.abs(expected).max()", "got - expected, np.abs(expected).max()"),
    ("17", "np.all(error <= 1e-5 * scale)", "np.allclose(got, expected)"),
    ("17", "np.abs(got - expected), np", "np.abs(np.abs(got) - np.abs(expected)), np"),
    ("06", "return done ==", "leaves = [not inputs[v] for v in order]\n    return leaves == sorted(leaves) and done =="),
    ("24", "dP[:, :, pad : pad + height", "dP[:, :, : (rows - 1) * stride + h][:, :, pad : pad + height"),
    ("28", "pending[x] -= 1", "pending[x] -= total[y] * partial[y, x] != 0"),
    (
        "32",
        "    before = mode.recording\n    mode.recording = False\n    try:\n        yield\n    finally:\n        mode.recording = before\n",
        "    mode.recording, mode.depth = False, getattr(mode, 'depth', 0) + 1\n    try:\n        yield\n    finally:\n"
        "        mode.depth -= 1\n        mode.recording = not mode.depth\n",
    ),
    ("33", "np.logaddexp(0, beta * x) / beta", "np.where(x > 30, x, np.logaddexp(0, beta * x) / beta)"),
    ("34", "for leaf in leaves:", "for leaf in [leaf for leaf, number in zip(leaves, v) if number]:"),
)


@swept(("number", "right", "wrong"), REFUSED, every=6, ids=lambda value: value)
def test_a_slip_that_few_inputs_show_is_refused(number, right, wrong):
    exercise = find(number)
    assert right in exercise.solution
    found = check(exercise, exercise.solution.replace(right, wrong, 1))
    assert found.state == WRONG and found.input, found.said


def test_a_table_that_is_read_more_often_than_it_has_rows_is_asked_for():
    exercise = find("23")
    program = others(exercise)[1]
    assert (loop := "for row, upstream in zip(index, G):") in program
    assert check(exercise, "import numpy as np\n" + program.replace(loop, "for row, upstream in zip(index[:rows], G):")).state == WRONG


def test_a_wrong_part_is_not_named_after_an_answer_that_lacks_this_part():
    """A known wrong answer returns the value alone. It has no speed, so no wrong speed is like its own."""
    exercise = find("42")
    program = others(exercise)[0].replace("-x.value / y.value**2", "-x.value / y.value**3")
    found = check(exercise, program)
    assert (found.state, found.name) == (WRONG, ""), found.said
