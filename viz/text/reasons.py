"""Why a step of a trace is done, and why a partial is what it is: one more sentence or two, the table WHYS beside `narration.SENTENCES`.

Knows steps, not their page.
"""

from weakref import WeakKeyDictionary

from scalargrad import rules
from scalargrad.formulas.symbols import Ratio, Symbol, names_in
from scalargrad.messages import anomaly
from scalargrad.user_names.remarks import remarks_of
from viz.text.array_text import is_array
from viz.text.formatter import LONGEST_FORMULA, LONGEST_PARTIAL, UNICODE, enumerated
from viz.text.narration import StepText, distinct_children

MOST_NAMED = 3  # children
MOST_WAYS = 4  # within a statement
FIRST: WeakKeyDictionary = WeakKeyDictionary()  # {trace: its first_adds}
ENTRY_BY_ENTRY = {"add", "sub", "mul", "elementwise"}  # rows of VJPS
LONGEST_FACTOR = 24  # characters; a longer factor is not repeated


def reason(trace, i, formatter=UNICODE):
    """Return why step i is done, in at most two lines; empty if there is nothing to say, and for a user-defined loop.

    >>> from scalargrad import Trace, Value
    >>> a, b = Value(3, name="a"), Value(6, name="b"); y = a * b; y.name = "y"; reason(Trace(y), 5)
    'Times 3: y takes b times a, and a is 3.'
    """
    if trace.loop is not trace.schedule.loop:
        return ""  # what a loop of the user's own does may be wrong
    if remarks := remarks_at(trace[i]):
        return formatter(formatter.words(" ".join(remark.text for remark in remarks)))
    why = WHYS.get(trace[i].act)
    return formatter(why(StepText(trace, i, formatter))) if why else ""


def remarks_at(step):
    """Return the remarks that belong to a step: on the function whose partial it computes, or on the input whose derivative it completes."""
    if step.act == "partial":
        return [remark for remark in remarks_of(step.y) if step.slot == (remark.slot or 0)]
    return remarks_of(step.x) if step.act == "insert" and not step.x.inputs else []


def is_finite(number):
    """A live number has another answer at other starting values."""
    return number.is_finite() if hasattr(number, "is_finite") else anomaly.is_finite(number)


# At the start


def call(s):
    return "For each variable we ask: if it grows a little, how much does the result grow? One walk back answers all these questions."


def sort(s):
    if s.trace.schedule.gathers:
        return f"A variable reads the results of its children. So the children come first, and the walk begins at {s.z}."
    return f"A variable passes its derivative on when it is complete. So its children come first, and the walk begins at {s.z}."


def visit(s):
    if s.trace.schedule.scatters:
        return scatter(s)
    edges, children = s.trace.graph.children[s.step.x], distinct_children(s.trace, s.step.x)
    if len(children) == 1 and len(edges) > 1:
        often = "twice" if len(edges) == 2 else f"{len(edges)} times"
        return f"{s.name(children[0])} takes {s.x} {often}, so a small change of {s.x} arrives there along {len(edges)} arrows."
    if len(children) == 1:
        return f"A small change of {s.x} is felt first by {s.name(children[0])}, and by nothing else: only one arrow leaves {s.x}."
    if len(children) > MOST_NAMED:
        return f"A small change of {s.x} is felt first by its {len(children)} children. Each of these ways counts."
    both = "Both ways count" if len(children) == 2 else "All these ways count"
    return f"A small change of {s.x} is felt first by {enumerated([s.name(y) for y in children])}: arrows go there. {both}."


def scatter(s):
    y = s.step.y
    if y is s.trace.graph.z:
        return f"The walk begins at {s.z}: if it grows by 1, it grows by 1. Now each of its inputs can learn how it acts on {s.z}."
    if not y.inputs:
        return "Nothing comes before an input, so it has nothing to pass on. Its derivative is an answer."
    return f"All that {s.y} has received is complete. So each of its inputs can learn how it acts on {s.z} through {s.y}."


# At an edge


def partial(s):
    number = s.step.partial.number
    if number is None:
        return contribution(s)
    if not is_finite(number):
        return f"The slope is not finite here. So nobody can say how much a small change of {s.x} changes {s.y}."
    return f"Times {s.number(s.step.partial)}: {because(s, s.step.partial.symbol)}."


def because(s, symbol):
    """Return the reason for the number of a partial, from its formula and the function's row."""
    x, y, slot = s.step.x, s.step.y, s.step.slot
    others = [v for k, v in enumerate(y.inputs) if k != slot]
    if y.rule is rules.mul and len(others) == 1:
        other = s.name(others[0])
        return (
            squared(s)
            if others[0] is x
            else f"{s.y} takes {s.x} times {other}, and {other} is {s.formatter.number(s.trace.on.data(others[0]))}"
        )
    if y.rule is None:
        return slope(s, None)
    if y.rule.name in SLOPES:
        return SLOPES[y.rule.name](s)
    if isinstance(symbol, Ratio):  # it has no short formula
        return along_ways(s)
    if not (names_in(symbol) & {s.trace.names[x], s.trace.names[y]}):
        return linear(s, symbol)
    return slope(s, symbol)


def along_ways(s):
    """Return how a statement's partial without a short formula comes about: each place in which it takes x contributes to it.

    A page also shows the sentence at other starting values, where these contributions are others: there it only counts them.
    """
    y, slot = s.step.y, s.step.slot
    operations, own = getattr(y.rule, "operations", ()), getattr(y.rule, "inputs", y.inputs)[slot]
    count = sum(x is own for v in operations for x in v.inputs)
    if count > 1:
        numbers = "" if count > MOST_WAYS or hasattr(s.step.partial.number, "is_finite") else ways_in_numbers(s)
        return f"inside {s.y} a change of {s.x} takes {count} ways, and their effects add up{numbers}"
    much = "just as much" if s.step.partial.number == 1 else f"{s.number(s.step.partial)} times as much"
    return f"if only {s.x} changes a little, {s.y} changes {much}"


def ways_in_numbers(s):
    try:
        ways = s.step.y.rule.ways(s.step.slot, [s.trace.on.data(x) for x in s.step.y.inputs])
    except ArithmeticError:  # at a pole
        return ""
    return f": {enumerated([s.formatter.number(number) for number in ways])}"


def squared(s):
    x = s.formatter.number(s.trace.on.data(s.step.x))
    return f"{s.y} takes {s.x} twice. For this arrow the other factor stays {x}"


def linear(s, symbol):
    """Return the reason for the partial of a function that takes x times something that does not depend on x."""
    if not isinstance(symbol, Symbol):
        if symbol == 0:
            return f"{s.y} does not use {s.x} here"
        if symbol == 1:
            return f"{s.y} takes {s.x} as it is"
        return f"{s.y} takes {s.x} with the opposite sign" if symbol == -1 else f"{s.y} multiplies {s.x} by {s.formatter.number(symbol)}"
    factor = s.formatter.formula(symbol)
    if len(UNICODE.formula(symbol)) > LONGEST_FACTOR:
        return slope(s, symbol)
    return f"{s.y} takes {s.x} times {s.formatter.factor(symbol)}, and {factor} is {s.number(s.step.partial)}"


def slope(s, symbol):
    """Return the reason for any other partial: its formula."""
    formula = UNICODE.formula(symbol) if isinstance(symbol, Symbol) else ""
    if not formula or len(formula) > LONGEST_PARTIAL:
        return f"that is the slope of {s.y} if only {s.x} changes"
    if len(formula) > LONGEST_FORMULA:
        return f"the slope of {s.y} is {s.formatter.formula(symbol)}"
    return f"the slope of {s.y} is {s.formatter.formula(symbol)}, and that is {s.number(s.step.partial)} here"


def contribution(s):
    """Return why a contribution between arrays is what it is."""
    return VJPS[kind_of_contribution(s)](s)


def kind_of_contribution(s):
    """Return the row of VJPS that says how a function of arrays passes the upstream gradient on."""
    rule = s.step.y.rule
    *before, last = getattr(rule, "operations", [s.step.y])
    if before and any(x is rule.inputs[s.step.slot] for y in before for x in y.inputs):
        return "several"
    name = last.rule.origin.name
    elementwise = isinstance(getattr(rules, name, None), type(rules.add))
    if elementwise and name not in ("sum", "mean") and s.step.x.shape != s.step.y.shape:
        return "other"  # repeated along axes
    if name not in VJPS and not elementwise and not s.step.y.shape:
        return "number"
    return name if name in VJPS else "elementwise" if elementwise else "other"


def get(s):
    if s.step.y is s.trace.graph.z:
        return f"The way ends at {s.y}: what arrives there counts in full, times 1."
    number = s.step.upstream.number
    if is_array(s.step.y) or hasattr(number, "shape"):
        return f"From {s.y} on, the way to {s.z} is known already. So it is not walked again."
    return f"From {s.y} on, the way to {s.z} is known already: times {s.number(s.step.upstream)}. So it is not walked again."


def add(s):
    if s.trace.schedule.along_paths:
        return "Over several paths, effects add up. So the products of all paths are added." if s.trace.graph.children[s.step.x] else ""
    edges = s.trace.graph.children[s.step.x]
    if first_adds(s.trace)[s.step.x] == s.i:
        if hasattr(s.step.total.number, "shape") or is_array(s.step.x):
            entries = " This is done entry by entry." if kind_of_contribution(s) in ENTRY_BY_ENTRY else ""
            return f"Along a path, factors multiply: a change passes this function first, then the rest of the way.{entries}"
        return "Along a path, factors multiply: a change passes this arrow first, then the rest of the way."
    both, before = ("both ways", "first way") if len(edges) == 2 else ("several ways", "ways before")
    return f"The change arrives along {both} at once, so the effects add up. A program that overwrites loses the {before}."


def first_adds(trace):
    """Return {variable: the first step that adds to its sum}."""
    if trace not in FIRST:
        FIRST[trace] = {}
        for i, step in enumerate(trace):
            if step.act == "add":
                FIRST[trace].setdefault(step.x, i)
    return FIRST[trace]


# At a total


def insert(s):
    if s.step.total is None:
        return ""
    complete = not s.trace.schedule.scatters or s.trace.known_total(s.step.x, s.i) is not None
    number = s.step.total.number
    if s.step.x.inputs:
        return f"{s.x} is complete: {grows(s, number)} The variables before it will read this number." if complete else ""
    return f"{s.x} is an input, so this is an answer: {grows(s, number)}"


def grows(s, number):
    """Return what a total derivative says: when x grows a little, z grows 9 times as much."""
    if hasattr(number, "shape") and number.shape:
        return f"each entry of {s.dz_dx} says how many times as much {s.z} grows as the same entry of {s.x}."
    if number is None or not is_finite(number):
        return f"it is not finite, so nobody can say how much {s.z} grows."
    if number == 0:
        return f"when {s.x} grows a little, {s.z} hardly changes."
    much = "just as much" if abs(number) == 1 else f"{s.formatter.number(abs(number))} times as much"
    return f"when {s.x} grows a little, {s.z} {'falls' if number < 0 else 'grows'} {much}."


def done(s):
    if not any(s.trace.graph.children.values()):
        return "The graph is one variable, so there is no arrow to walk."
    if s.trace.schedule.along_paths:
        return "The number of paths can double with each function. The other algorithms use each arrow only once."
    return "One walk back used each arrow once and answered for all inputs. With small changes, each input would need a run of its own."


def take(s):
    return f"No contribution to {s.y} is missing any more. So its derivative does not change again, and can be passed on."


def count_down(s):
    missing = s.state["pending"][s.step.x]
    return (
        f"{s.x} must wait: a part of its sum is still missing."
        if missing
        else f"That was the last contribution: nothing changes {s.dz_dx} any more."
    )


def keep(s):
    return "A gradient that is kept can be read afterwards. One that is dropped frees its memory."


# fmt: off
WHYS = {  # what a line of a schedule did: why
    "call":       call,
    "sort":       sort,
    "count":      lambda s: "A variable can pass its derivative on only after all its children. The count says how many contributions are missing.",
    "start":      lambda s: f"If {s.x} grows by 1, {s.x} grows by 1. We know nothing else yet, and we need nothing else.",
    "visit":      visit,
    "given":      lambda s: "What these entries passed is in the gradients already. The rest of the tape needs nothing else.",
    "skip":       lambda s: f"A change of {s.y} never reaches {s.z}. So {s.y} has nothing to pass back.",
    "take":       take,
    "zero":       lambda s: f"No way from {s.x} to {s.z} has been counted yet, so the sum begins at 0.",
    "partial":    partial,
    "call backward": lambda s: f"A function knows only its own inputs. The upstream gradient tells it all about the rest of the way to {s.z}.",
    "get":        get,
    "multiply":   lambda s: "Along a path, factors multiply: each arrow passes on a multiple of what reaches it.",
    "add":        add,
    "count down": count_down,
    "ready":      lambda s: f"Nothing changes {s.dz_dx} any more. So {s.x} may pass it on.",
    "disconnect": lambda s: f"Nobody asks {s.y} again. So what it saved for the backward pass is free.",
    "keep":       keep,
    "insert":     insert,
    "done":       done,
}
# fmt: on


def of(s):
    """Return the number at which the function is evaluated, as text."""
    return s.formatter.number(s.trace.on.data(s.step.x))


def value(s):
    return s.formatter.number(s.trace.on.data(s.step.y))


def square(s):
    return f"{s.y} takes {s.x} times itself, and both factors grow: {of(s)} + {of(s)} = {s.number(s.step.partial)}"


def power(s):
    if s.step.slot == 1:
        return f"the exponent grows. The slope is the power times the logarithm of the base, {s.number(s.step.partial)}"
    n = s.trace.on.data(s.step.y.inputs[1]) if len(s.step.y.inputs) > 1 else None
    return (
        square(s) if n == 2 else f"{s.y} is a power of {s.x}. A small change counts once for each factor, {s.number(s.step.partial)} in all"
    )


def passes(s, what):
    x = s.trace.on.data(s.step.x)
    if x == 0:
        return f"at 0 {what} has a corner, and we choose the slope {s.number(s.step.partial)}"
    if x > 0:
        return f"{s.x} is {of(s)}, and {what} passes a positive number on as it is"
    return f"{s.x} is {of(s)}, a negative number. There {what} is 0, and a small change leaves it 0"


def chosen(s):
    """Return the reason for maximum, minimum, max and min."""
    partial = s.step.partial.number
    kind = "larger" if "max" in s.step.y.rule.name else "smaller"
    if len(s.step.y.inputs) > 2:
        kind = {"larger": "largest", "smaller": "smallest"}[kind]
    if partial == 1:
        return f"{s.x} is the {kind} one, so {s.y} follows it"
    if partial == 0:
        return f"{s.x} is not the {kind} one, so a small change of it changes nothing"
    return f"{s.x} is one of several that are equally {kind[:-2] if kind.endswith('er') else kind}, so they share the slope"


def sign(s):
    x = s.trace.on.data(s.step.x)
    if x == 0:
        return "at 0 the absolute value has a corner, and we choose the slope 0"
    return f"{s.x} is {'positive, so its absolute value grows with it' if x > 0 else 'negative, so its absolute value falls when it grows'}"


# fmt: off
SLOPES = {  # row: why its partial is what it is, after "Times 8: "
    "square":   square,
    "relu":     lambda s: passes(s, "relu"),
    "maximum":  chosen, "minimum": chosen, "max": chosen, "min": chosen,
    "abs":      sign,
    "exp":      lambda s: f"the exponential function grows as fast as it is large, and {s.y} is {value(s)}",
    "log":      lambda s: f"the logarithm grows by 1 divided by {s.x}, and {s.x} is {of(s)}",
    "sqrt":     lambda s: f"the root grows by 1 divided by twice its value, and {s.y} is {value(s)}",
    "tanh":     lambda s: f"tanh is flatter the closer it is to 1 or −1. Its slope is 1 minus its square, and {s.y} is {value(s)}",
    "sigmoid":  lambda s: f"the sigmoid is flat near 0 and 1. Its slope is its value times 1 minus its value, and {s.y} is {value(s)}",
    "softplus": lambda s: f"softplus grows slowly for negative numbers and in full for large ones, and {s.x} is {of(s)}",
    "sin":      lambda s: f"the slope of the sine is the cosine, here of {of(s)}",
    "cos":      lambda s: f"the slope of the cosine is minus the sine, here of {of(s)}",
}
VJPS = {  # function of arrays: why its contribution is what it is
    "add":       lambda s: f"{s.y} takes each entry of {s.x} as it is. So each entry of {s.x} acts on {s.z} as the same entry of {s.y} does.",
    "sub":       lambda s: f"Each entry of {s.x} goes into one entry of {s.y}, as it is or with the opposite sign.",
    "mul":       lambda s: f"Each entry of {s.x} is multiplied by one other number. So its gradient is multiplied by that number too.",
    "sum":       lambda s: f"Each entry of {s.x} is added once, as it is. So all of them act on {s.z} in the same way as their sum.",
    "mean":      lambda s: f"Each entry of {s.x} counts once, divided by the number of entries. So they share the gradient of their mean.",
    "matmul":    lambda s: f"Each entry of {s.x} is used in several entries of {s.y}. The matrix product adds up what comes back from all of them.",
    "dot":       lambda s: f"Each entry of {s.x} is multiplied by one entry of the other array. So its gradient is multiplied by that entry.",
    "transpose": lambda s: f"Each entry of {s.x} only moves to another place. So the gradient moves back.",
    "view":      lambda s: f"Each entry of {s.x} only moves to another place. So the gradient moves back.",
    "reshape":   lambda s: f"Each entry of {s.x} only moves to another place. So the gradient moves back.",
    "elementwise": lambda s: f"{s.y} takes the entries of {s.x} one by one. So each entry of its gradient is multiplied by the slope at that entry.",
    "several":   lambda s: f"Inside {s.y} several functions follow one another. The gradient of {s.y} passes back through all of them, the last one first.",
    "number":    lambda s: f"{s.y} is one number. So each entry of {s.x} has one slope, that of {s.y} if only this entry changes.",
    "other":     lambda s: f"An entry of {s.x} may act on several entries of {s.y}. What comes back from all of them is added up.",
}
# fmt: on
