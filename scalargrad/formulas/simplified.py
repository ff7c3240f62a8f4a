"""Simplify a formula as a person writes it: h·h as h², (−1/3)·(1/p) as −1/(3·p), a·b/b as a.

A formula becomes a sum of terms. A term is a number and powers of factors; a factor is a name, a call or a sum in brackets.
Nothing is multiplied out.
"""

from fractions import Fraction
from math import isfinite

from scalargrad.formulas.operators import ADD, DIV, MUL, NEG, POW, SUB
from scalargrad.formulas.symbols import Application, Symbol, fold, render


class Term:
    """A number times powers of factors: {the text of a factor: (factor, its exponent)}."""

    __slots__ = ("number", "powers")

    def __init__(self, number, powers):
        self.number, self.powers = number, powers

    def __mul__(self, other):
        powers = dict(self.powers)
        for text, (factor, exponent) in other.powers.items():
            exponent += powers.get(text, (factor, 0))[1]
            if exponent:
                powers[text] = factor, exponent
            else:
                del powers[text]
        return Term(self.number * other.number, powers)

    def __pow__(self, n):
        return Term(self.number**n, {text: (factor, exponent * n) for text, (factor, exponent) in self.powers.items()})

    def written(self):
        """Return the term as a formula: a numerator, and a denominator if there is one. A minus stands at its first factor."""
        top = [power(factor, n) for factor, n in self.powers.values() if n > 0]
        bottom = [power(factor, -n) for factor, n in self.powers.values() if n < 0]
        number = self.number
        if isinstance(number, Fraction):
            number, below = number.numerator, number.denominator
            bottom = [below, *bottom] if below != 1 else bottom
        if not top or abs(number) != 1:
            top = [number, *top]
        elif number == -1:
            top[0] = Application(NEG, (top[0],))
        return Application(DIV, (product(top), product(bottom))) if bottom else product(top)


def simplified(formula):
    """Return a formula in its simplest form; a number if nothing else is left.

    >>> from scalargrad.formulas.symbols import Name
    >>> h, p = Name("h"), Name("p")
    >>> simplified((1 - h * h) * 0.5 * h / h), simplified(Fraction(-1, 3) * (1 / p))
    (<0.5*(1 - h**2)>, <-1/(3*p)>)
    """
    return of_sum(fold(formula, terms_of, combined)) if isinstance(formula, Symbol) else without_denominator(exact(formula))


def terms_of(x):
    """Return a name, a ratio or a number as a sum of terms."""
    if isinstance(x, Symbol):
        return [of_factor(x)]
    return [Term(exact(x), {})] if x != 0 else []


def combined(head, parts):
    """Return what an operator or a function makes of sums of terms, as a sum of terms."""
    if head is ADD:
        return alike(parts[0] + parts[1])
    if head is SUB:
        return alike(parts[0] + negative(parts[1]))
    if head is NEG:
        return negative(parts[0] and [one_term(parts[0])])
    if head is MUL:
        return [term] if (term := one_term(parts[0]) * one_term(parts[1])).number != 0 else []
    if head is DIV and parts[1] and is_invertible(one_term(parts[1]).number):
        return [one_term(parts[0]) * one_term(parts[1]) ** -1] if parts[0] else []
    if head is POW and len(parts[1]) == 1 and is_power(n := of_sum(parts[1])) and parts[0]:
        return [one_term(parts[0]) ** int(n)]
    return [of_factor(Application(head, tuple(map(of_sum, parts))))]


def is_invertible(number):
    return number != 0 and isfinite(number)


def is_power(n):
    """Return whether powers with this exponent may be multiplied: it is a small positive integer."""
    return not isinstance(n, Symbol) and n == int(n) and 0 < n < 100


def alike(terms):
    """Return a sum in which terms with the same factors are one term."""
    found = {}
    for term in terms:
        key = frozenset((text, n) for text, (_, n) in term.powers.items())
        found[key] = Term(found[key].number + term.number, term.powers) if key in found else term
    return [term for term in found.values() if term.number != 0]


def negative(terms):
    return [Term(-term.number, term.powers) for term in terms]


def one_term(terms):
    """Return a sum as one term: a sum of several becomes a factor."""
    return terms[0] if len(terms) == 1 else of_factor(of_sum(terms)) if terms else Term(Fraction(0), {})


def of_factor(factor):
    return Term(Fraction(1), {render(factor): (factor, 1)})


def of_sum(terms):
    """Return a sum of terms as a formula. It begins with a term that has no minus, if there is one."""
    total = None
    first = next((term for term in terms if not term.number < 0), None)
    for term in terms if first is None else [first, *(term for term in terms if term is not first)]:
        if total is None:
            total = term.written()
        elif term.number < 0:
            total = Application(SUB, (total, Term(-term.number, term.powers).written()))
        else:
            total = Application(ADD, (total, term.written()))
    return 0 if total is None else without_denominator(total)


def product(factors):
    """Return factors as a product; 1 if there are none."""
    found = factors[0] if factors else 1
    for factor in factors[1:]:
        found = Application(MUL, (found, factor))
    return found


def power(factor, n):
    return factor if n == 1 else Application(POW, (factor, n))


def exact(number):
    """Return a number whose quotients are exact: an integer as a fraction, also if it is a float."""
    return Fraction(number) if isinstance(number, int) or (isinstance(number, float) and number.is_integer()) else number


def without_denominator(x):
    """Return a fraction without a denominator as an integer."""
    return x.numerator if isinstance(x, Fraction) and x.denominator == 1 else x
