"""A trace knows whether the user's program decides by a comparison, in itself or in a function that it calls."""

from scalargrad import Value, relu
from scalargrad.tracing.trace import Trace

THRESHOLD = 40


class Firm:
    def __init__(self, income):
        self.income = income

    def tax(self):
        return 0.3 * (self.income - THRESHOLD) if self.income.data > THRESHOLD else 0


def taxed():
    income = Value(90)
    return income - Firm(income).tax()


def payoffs():
    return sum([max(x - 1, 0) for x in (Value(3), Value(0.5))])


def power(x, n):
    return x if n == 1 else x * power(x, n - 1)


def smooth():
    return relu(power(Value(3), 4))


def test_a_comparison_is_found_in_methods_functions_and_comprehensions():
    assert Trace(taxed).compares and Trace(payoffs).compares


def test_a_function_of_the_engine_and_a_count_are_no_comparison():
    assert not Trace(smooth).compares


def test_it_is_found_for_a_result_too():
    def of(make):
        z = taxed() if make else smooth()
        return Trace(z)

    def smooth_one():
        return Trace(smooth())

    assert of(True).compares and not smooth_one().compares


def test_the_page_of_such_a_program_says_so():
    from viz.page.page_data import page_data

    assert page_data(Trace(taxed))["compares"] and "compares" not in page_data(Trace(smooth))
