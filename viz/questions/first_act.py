"""Act 1: a question, then the graph's values in parts, each with a sentence. Knows graphs, not where the sentences are shown."""

from itertools import accumulate, groupby

from rich.cells import cell_len

from scalargrad.user_names.names import Numbered
from viz.graphs.inputs import asked_input, inputs_of
from viz.text.formatter import enumerated, listed, name_of, plural, total_of
from viz.text.short_names import LONGEST
from viz.text.short_names import most as most_columns

MOST_SINGLY = 12  # functions, each with a sentence of its own; more are told in parts
PARTS = 5  # if scopes do not divide the functions
MOST_NAMES, FEWEST_NAMES, MOST_COLUMNS = 5, 2, 56  # in a row; columns of the names together
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def question(trace, formatter):
    """Return the parts of act 1: [{label, variable, said, words, computes}].

    `computes` are the variables whose values the part adds; `variable` names the part if `label` is None; `words` are those of the
    glossary that the sentence uses for the first time.

    >>> from scalargrad import Trace, Value
    >>> from viz.text.formatter import UNICODE
    >>> x = Value(3, name="x"); y = x * x; y.name = "y"; [part["said"] for part in question(Trace(y), UNICODE)][0]
    'If x grows a little, how much does y grow? That number is the derivative dy/dx.'
    """
    told = Told(trace, formatter)
    parts = [told.opening(), told.inputs(), *(told.part(*group) for group in groups(trace))]
    known = set()
    for part in parts:
        part["words"] = [word for word in part["words"] if word not in known]
        known.update(part["words"])
    return parts


def groups(trace):
    """Return [(label, functions)]: each function alone; of many the first alone, then the others by outermost scope or in a few parts."""
    made = [v for v in trace.graph.variables if v.rule]
    if len(made) <= MOST_SINGLY:
        return [(None, [v]) for v in made]
    first, rest = made[0], made[1:]
    scopes = [(scope, list(group)) for scope, group in groupby(rest, key=lambda v: (v.scope or ())[:1])]
    if 1 < len(scopes) <= 2 * PARTS:
        return [(None, [first]), *((scope[0] if scope else None, group) for scope, group in scopes)]
    size = -(-len(rest) // PARTS)
    return [(None, [first]), *((None, rest[i : i + size]) for i in range(0, len(rest), size))]


class Told:
    """The sentences about a graph, in one formatter."""

    def __init__(self, trace, formatter):
        self.trace, self.formatter, self.graph = trace, formatter, trace.graph
        self.given = inputs_of(trace)
        self.known, self.child_is_explained = set(self.given), False

    def name(self, v):
        return name_of(self.trace, v, self.formatter)

    def names(self, variables):
        """Return x₁, x₂ and x₃; of many the first few and a count. Of long names there are fewer."""
        names, known = [self.name(v) for v in variables], [self.trace.names[v] for v in variables[:MOST_NAMES]]
        wide = accumulate(min(cell_len(name), most_columns(name, LONGEST)) for name in known)
        most = max(FEWEST_NAMES, sum(columns <= MOST_COLUMNS for columns in wide))
        return enumerated(names) if len(names) <= most + 1 else listed(names, most=most)  # not "… 1 more"

    z = property(lambda self: self.name(self.graph.z))

    def made(self, label, said, words, computes=(), variable=None):
        return {"label": label, "variable": variable, "said": self.formatter(said), "words": words, "computes": list(computes)}

    def opening(self):
        x = asked_input(self.trace)
        name, derivative = self.name(x), total_of(self.trace, x, self.formatter)
        if x is self.graph.z:
            said = f"If {name} grows a little, it grows just as much: the derivative {derivative} is 1."
        elif getattr(x, "shape", ()):
            ask = f"If one entry of {name} grows a little, how much does {self.z} grow?"
            said = f"{ask} That number is one entry of the derivative {derivative}."
        else:
            said = f"If {name} grows a little, how much does {self.z} grow? That number is the derivative {derivative}."
        return self.made("the question", said, ["derivative"])

    def inputs(self):
        kind = "array" if any(getattr(v, "shape", ()) for v in self.given) else "number"
        if len(self.given) == 1:
            said = f"One {kind} goes in: {self.name(self.given[0])}. It is the input: you may choose it, and nothing comes before it."
        else:
            goes_in = f"{in_words(len(self.given)).capitalize()} {kind}s go in: {self.names(self.given)}."
            said = f"{goes_in} They are the inputs: you may choose them, and nothing comes before them."
        if all(type(self.trace.names[v]) is Numbered for v in self.given):
            said += " Their names are not known. Write play(f) in place of play(f()), and you see those of your program."
        return self.made("inputs", said, ["input"])

    def part(self, label, functions):
        self.known.update(functions)
        if len(functions) == 1:
            said, words = self.function(functions[0])
            return self.made(label, said, words, functions, functions[0])
        which = (
            f"The {plural(len(functions), 'function')} of {self.formatter.words(label)}"
            if label
            else f"The next {plural(len(functions), 'function')}"
        )
        said, words = self.with_ancestors(
            f"{which} give their values, from {self.name(functions[0])} to {self.name(functions[-1])}.", [], functions[-1]
        )
        return self.made(label, said, words, functions, functions[-1])

    def function(self, y):
        """Return what one function takes, and the words that this needs."""
        taken = list(dict.fromkeys(y.inputs))
        twice = " twice" if len(taken) == 1 and len(y.inputs) == 2 else ""
        passes = getattr(y.rule, "times", 1)  # of a loop
        said, words = f"After {in_words(passes)} more passes of the loop comes {self.name(y)}. It" if passes > 1 else self.name(y), []
        said += f" takes {self.names(taken)}{twice}."
        shared = next((x for x in taken if len(self.children(x)) > 1), None)
        if not self.child_is_explained:
            self.child_is_explained, words = True, ["child"]
            x = self.name(taken[0])
            lead = "an arrow leads" if len(y.inputs) == 1 else "two arrows lead" if twice else "arrows lead"
            them, each = ("them", "each of them") if len(taken) > 1 else (x, x)
            said = f"{said[:-1]}: {lead} from {them} to {self.name(y)}. We call {self.name(y)} a child of {each}."
        elif shared is not None and len(self.children(shared)) <= MOST_NAMES:
            children = self.children(shared)
            said += f" So {self.name(shared)} has {in_words(len(children))} children: {self.names(children)}."
        return self.with_ancestors(said, words, y)

    def with_ancestors(self, said, words, y):
        if y is not self.graph.z:
            return said, words
        many = len(self.graph.variables) - 1
        others = (
            f"{self.name(self.given[0])} is its ancestor: an arrow leads"
            if many == 1
            else "All other variables are its ancestors: their arrows lead"
        )
        return f"{said} {others} to {self.z}.", [*words, "ancestor"]

    def children(self, x):
        return [y for y in dict.fromkeys(edge.child for edge in self.graph.children[x]) if y in self.known]


def in_words(n):
    return NUMBERS[n] if n < len(NUMBERS) else f"{n:,}"
