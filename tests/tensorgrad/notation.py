"""Evaluate the formulas of docstrings, as they are written: y[i] = Σ over k: A[i,k] x[k]. Knows nothing of the functions.

A sum reaches to the next +, - or /. Two terms side by side are a product, of matrices if both have axes. Indices count from 0; a single
index of an array with several axes counts its entries in row-major order. A formula is read into a function of {name: value}.
"""

import re

import numpy as np

TOKEN = re.compile(
    r"\s*(?:(?P<ratio>dz/d[A-Za-z][A-Za-z0-9_]*)|(?P<big>(?:[ΣΠ]|max) over)|(?P<word>[A-Za-zΣΠπΦ][A-Za-z0-9_ᵢ]*)|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<above>⁻¹|⁻ᵀ|[ᵀ²³ⁿ])|(?P<sign><=|>=|.))"
)
COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "=": np.equal}
BIG = {"Σ over": (sum, 0), "Π over": (lambda terms: product(terms), 1), "max over": (max, 0)}  # and what no term gives
KEYWORDS = {"where", "else", "is", "mod", "and", "with"}
BRACKETS = {"(": (")", lambda x: x), "⌊": ("⌋", lambda x: whole(np.floor(x))), "⌈": ("⌉", lambda x: whole(np.ceil(x)))}


class InWords(Exception):
    """The formula has words that stand for no number."""


class Formula:
    """Calling it with {name: value} evaluates it. `indexed` are its letters as indices, (name, place, letter), `summed` those of sums."""

    def __init__(self, text, condition=False):
        self.tokens = [(found.lastgroup, found[found.lastgroup]) for found in TOKEN.finditer(text.strip())]
        self.place, self.indexed, self.summed = 0, [], set()
        self.value = self.condition() if condition else self.choice()
        if self.place < len(self.tokens):
            raise InWords(f"{text!r}: {self.text()!r} is left over")

    def __call__(self, names):
        return self.value(names)

    def text(self, ahead=0):
        return self.tokens[self.place + ahead][1] if self.place + ahead < len(self.tokens) else ""

    def kind(self):
        return self.tokens[self.place][0] if self.text() else ""

    def passes(self, text):
        """Pass the next token if it is this one."""
        found = self.text() == text
        self.place += found
        return found

    def needs(self, text):
        if not self.passes(text):
            raise InWords(f"{self.text()!r} stands where {text!r} should")

    def choice(self):
        """A sum, or `a where condition, else b`; without `else` it is nan there."""
        value = self.sum()
        if not self.passes("where"):
            return value
        holds, other = self.condition(), lambda names: np.nan
        if self.text() == "," and self.text(1) == "else":
            self.place += 2
            other = self.choice()
        return lambda names: chosen(holds(names), lambda: value(names), lambda: other(names))

    def condition(self):
        """A chain of comparisons, `x is finite`, or a mask."""
        terms, signs = [self.sum()], []
        if self.passes("is"):
            test = np.isfinite if self.passes("finite") else lambda x: ~np.isnan(x)
            if test is not np.isfinite:
                self.needs("not"), self.needs("nan")
            return lambda names: test(terms[0](names))
        while self.text() in COMPARE:
            signs.append(COMPARE[self.text()])
            self.place += 1
            terms.append(self.sum())
        if not signs:
            return lambda names: np.asarray(terms[0](names), bool)
        pairs = list(zip(signs, terms, terms[1:]))
        return lambda names: np.all([compare(a(names), b(names)) for compare, a, b in pairs], axis=0)

    def sum(self):
        value = self.product()
        while self.text() in ("+", "-"):
            sign = self.text()
            self.place += 1
            value = combined(np.add if sign == "+" else np.subtract, value, self.product())
        return value

    def product(self):
        """Factors up to the next + or -, with a minus in front."""
        if self.passes("-"):
            inner = self.product()
            return lambda names: -inner(names)
        value = self.factors()
        while self.text() in ("/", "mod", "×"):
            operation = {"/": np.true_divide, "mod": np.mod, "×": np.cross}[self.text()]
            self.place += 1
            value = combined(operation, value, self.power())
            value = self.factors(value)
        return value

    def factors(self, value=None):
        value = value or self.power()
        while True:
            if self.passes("·") or self.passes("∘"):
                value = combined(np.multiply, value, self.power())
            elif self.starts_term():
                value = combined(beside, value, self.power())
            else:
                return value

    def starts_term(self):
        words = self.kind() == "word" and self.text() not in KEYWORDS
        return words or self.kind() in ("ratio", "big", "number") or bool(self.text()) and self.text() in "(√⌊⌈"

    def power(self):
        value = self.atom()
        while self.kind() == "above" or self.text() == "^":
            sign = self.text()
            self.place += 1
            value = combined(to_the_power, value, self.signed()) if sign == "^" else above(value, sign)
        return value

    def signed(self):
        if self.passes("-"):
            inner = self.atom()
            return lambda names: -inner(names)
        return self.atom()

    def atom(self):
        kind, text = self.kind(), self.text()
        self.place += 1
        if text in BRACKETS:
            closing, function = BRACKETS[text]
            inner = self.choice()
            self.needs(closing)
            return lambda names: function(inner(names))
        if text == "|":
            inner = self.sum()
            self.needs("|")
            return lambda names: names["size"](inner(names))
        if text == "√":
            inner = self.atom()
            return lambda names: np.sqrt(inner(names))
        if kind == "number":
            return lambda names: float(text) if "." in text else int(text)
        if kind == "big":
            return self.over(*BIG[text])
        if text in ("Σ", "Π"):
            inner = self.factors()
            return lambda names: (np.sum if text == "Σ" else np.prod)(inner(names))
        if kind not in ("word", "ratio"):
            raise InWords(f"{text!r} begins no term")
        name = f"G_{text[4:]}" if kind == "ratio" else text
        return self.call(name) if self.text() == "(" else self.entry(name)

    def call(self, name):
        """A function of terms; for a name that is not a function, the product with the bracket."""
        self.needs("(")
        args = [self.choice()]
        while self.passes(","):
            args.append(self.choice())
        self.needs(")")

        def value(names):
            given = [arg(names) for arg in args]
            if f"{name}()" in names:
                return names[f"{name}()"](*given)
            return beside(looked_up(name, names), *given)

        return value

    def entry(self, name):
        """A name, with its indices."""
        value, of = (lambda names: looked_up(name, names)), (name,)
        while self.passes("["):
            start, terms = self.place, [self.index(of, 0)]
            while self.passes(","):
                terms.append(self.index(of, len(terms)))
            of += (tuple(text for _, text in self.tokens[start : self.place] if text != ","),)
            self.needs("]")
            value = indexed(value, terms)
        return value

    def index(self, of, place):
        letter = self.text()
        term = self.sum()
        if self.kind() and self.text() in ",]" and re.fullmatch("[a-z]", letter) and self.tokens[self.place - 1][1] == letter:
            self.indexed.append((of, place, letter))
        return term

    def over(self, total, empty):
        """A sum over the letters before the colon, `k`, `k < n` or `a <= k < b`, where a condition holds if there is one."""
        start = self.place
        while self.text() and self.text() != ":":
            self.place += 1
        said, _, condition = " ".join(text for _, text in self.tokens[start : self.place]).partition(" where ")
        self.needs(":")
        bounds, holds = [Bound(each.strip()) for each in said.split(" , ")], condition and Formula(condition, condition=True)
        first = len(self.indexed)
        inner = self.factors()
        self.summed |= {bound.letter for bound in bounds}
        uses = self.indexed[first:]

        def value(names):
            found = [inner(each) for each in walked(bounds, uses, names) if not condition or holds(each)]
            return total(found) if found else empty

        return value


class Bound:
    """A letter of a sum, with what it lies between."""

    def __init__(self, text):
        found = re.fullmatch(r"(?:(.*) <= (?=[a-z] <))?([a-z])(?: (<=?) (.*))?", text)
        if not found:
            raise InWords(f"over {text!r}")
        self.letter, self.closed = found[2], found[3] == "<="
        self.least, self.most = found[1] and Formula(found[1]), found[4] and Formula(found[4])

    def values(self, uses, names):
        if f"{self.letter} in" in names:
            return names[f"{self.letter} in"]
        least = int(self.least(names)) if self.least else 0
        return range(least, int(self.most(names)) + self.closed if self.most else length(self.letter, uses, names))


def walked(bounds, uses, names):
    """Give the names with each value of the letters."""
    if not bounds:
        yield names
        return
    for value in bounds[0].values(uses, names):
        yield from walked(bounds[1:], uses, names | {bounds[0].letter: value})


def length(letter, uses, names):
    """Return the length of the shortest axis that a letter indexes."""
    found = []
    for (name, *before), place, used in uses:
        if used == letter and name in names and all(each in names or each.isdigit() for terms in before for each in terms):
            array = looked_up(name, names)
            for terms in before:
                array = at(array, [int(each) if each.isdigit() else names[each] for each in terms])
            found.append(len(array) if isinstance(array, (list, tuple)) else np.shape(array)[place])
    if not found:
        raise InWords(f"no array is indexed by {letter} alone")
    return min(found)


def sides(line, names):
    """Give both sides of an equation, for each value of the letters by which it indexes."""
    left, right = (Formula(side) for side in line.split(" = ", 1))
    uses = left.indexed + right.indexed
    free = [letter for _, _, letter in uses if letter not in right.summed and letter not in names]
    given = [name.removesuffix(" in") for name in names if name.endswith(" in") and name[0] not in right.summed]
    outer = [Bound(letter) for letter in dict.fromkeys([letter for _, _, letter in left.indexed] + free + given)]
    for each in walked(outer, uses, names):
        yield left(each), right(each)


def looked_up(name, names):
    if name not in names:
        known = "n is the length of the last axis of the first array, N that of its first axis"
        raise InWords(f"{name!r} is not a name; {known}; other letters have a row in MORE of test_docstring_formulas.py")
    return names[name]


def indexed(value, terms):
    return lambda names: at(value(names), [term(names) for term in terms])


def at(array, index):
    """Return the entry; None, an argument that is not given, counts as 0."""
    if array is None:
        return 0
    index = [whole(i) for i in index]
    if isinstance(array, (list, tuple)):
        return array[index[0]]
    array = np.asarray(array)
    if any(np.any(i < 0) for i in index):
        raise IndexError(f"{index} in an array of shape {array.shape}")
    return array.ravel()[index[0]] if len(index) == 1 and array.ndim != 1 else array[tuple(index)]


def whole(x):
    return np.asarray(x).astype(int) if np.ndim(x) else int(x)


def to_the_power(x, n):
    return np.asarray(x, float) ** n


def combined(operation, left, right):
    return lambda names: operation(left(names), right(names))


def beside(a, b):
    """Return the product of two terms side by side: of matrices and vectors if both have axes."""
    if not (np.ndim(a) and np.ndim(b)):
        return np.multiply(a, b)
    return np.outer(a, b) if np.ndim(a) == 1 and np.ndim(b) == 2 and len(b) == 1 else np.matmul(a, b)


def product(terms):
    value = terms[0]
    for term in terms[1:]:
        value = beside(value, term)
    return value


def above(value, sign):
    """Return a power, a transposed matrix or an inverse."""
    transposed = lambda x: np.swapaxes(np.atleast_2d(x), -1, -2) if np.ndim(x) != 1 else np.asarray(x)[None]
    inverse = lambda x: np.linalg.inv(x) if np.ndim(x) else 1 / x
    functions = {"ᵀ": transposed, "⁻¹": inverse, "⁻ᵀ": lambda x: transposed(inverse(x)), "²": np.square, "³": lambda x: np.power(x, 3)}
    if sign == "ⁿ":
        return lambda names: np.linalg.matrix_power(value(names), names["n"])
    return lambda names: functions[sign](value(names))


def chosen(condition, value, other):
    if np.ndim(condition) == 0:
        return value() if condition else other()
    return np.where(condition, value(), other())
