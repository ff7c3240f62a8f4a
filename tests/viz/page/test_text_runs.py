"""Runs of text for the graph: indices, powers and italics, for all names."""

from scalargrad import Trace, Value, exp
from scalargrad.formulas.notations import LATEX, MATHML, PRETTY
from scalargrad.formulas.symbols import Name, Ratio, Symbol
from scalargrad.formulas.text import look
from tests.each import each
from viz.page.page_data import page_data
from viz.text.mathml import END, SUB, SUP, runs

x, x1 = Name("x"), Name("x1")


@each(
    ("formula", "shown"),
    [
        (x, "𝑥"),
        (x1, "𝑥_1"),
        (Name("x_12"), "𝑥_12"),
        (Name("w16,15"), "𝑤_16,15"),
        (Name("h"), "ℎ"),
        (Name("w_out"), "𝑤_out"),
        (Name("w_out2"), "𝑤_out,2"),
        (Name("cross_entropy_of_classes"), "cross_entropy_of_classes"),
        (Ratio("d", "z", "cross_entropy_of_classes"), "𝑑𝑧/𝑑\u2009cross_entropy_of_classes"),
        (Ratio("∂", "y1", "x4"), "∂𝑦_1/∂𝑥_4"),
        (x1**2, "𝑥_1^2"),
        (2**x, "2^𝑥"),
        (2**x1, "2^𝑥_1"),
        (x ** (x + 1), "𝑥^(𝑥 + 1)"),
        (2 * exp(-x1), "2·exp(−𝑥_1)"),
        (Name(f"a{SUB}b{SUP}{END}"), "a�b��"),
    ],
)
def test_a_formula_as_runs(formula, shown):
    marks = {"": "", "sub": "_", "sup": "^"}
    found = "".join(marks[kind] + text for text, kind in runs(formula))
    assert found.replace("^_", "^") == shown


def test_an_index_is_one_run():
    class G(Symbol):
        __slots__ = ("names",)

        def __init__(self, *names):
            self.names, self.size = names, 1

        def written(self, notation):
            return notation.indexed("G", self.names, 2)

    assert runs(G("v1", "z")) == [["𝐺", ""], ["𝑣₁𝑧,2", "sub"]]
    assert runs(G("w_out", "z")) == [["𝐺", ""], ["w_out,𝑧,2", "sub"]]


def test_the_labels_of_a_page_are_the_formulas_of_the_trace_with_short_forms_of_long_names():
    names = ["cross_entropy_of_classes_in_batches", "x1"]
    a, b = (Value(2, name=name) for name in names)
    z = a * b
    z.name = "z"
    data = page_data(Trace(z))
    text = lambda label: "".join(text for text, _ in label)
    assert [text(v["label"]) for v in data["variables"]] == ["cros…batches", "𝑥1", "𝑧"]
    assert data["variables"][1]["totalLabel"] == [["𝑑𝑧/𝑑𝑥", ""], ["1", "sub"]]
    assert data["edges"][1]["label"] == [["∂𝑧/∂𝑥", ""], ["1", "sub"]]


def test_a_greek_letter_stands_for_its_english_name():
    assert runs(Name("theta1")) == runs(Name("θ1")) == [["θ", ""], ["1", "sub"]]
    assert runs(Name("mu[0]")) == [["μ[0]", ""]]


def test_an_item_of_what_has_an_index_has_its_key_behind_the_index():
    assert runs(Name("v1[3,3]")) == [["𝑣", ""], ["1", "sub"], ["[3,3]", ""]]
    assert [notation.name("theta1[3,3]") for notation in (PRETTY, LATEX)] == ["θ₁[3,3]", r"\theta_1[3,3]"]
    assert MATHML.name("v1[3,3]") == "<mrow><msub><mi>v</mi><mn>1</mn></msub><mtext>[3,3]</mtext></mrow>"
    assert PRETTY.name("w[0]_3") == "w[0]₃" and look("w_1[0]") == look("w1[0]") != look("w1[1]")


def test_a_letter_with_a_word_below_it_is_as_italic_as_one_with_a_digit():
    assert runs(Name("k_el") + Name("k12")) == [["𝑘", ""], ["el", "sub"], [" + 𝑘", ""], ["12", "sub"]]
    assert runs(Name("sigma_x_2")) == [["σ", ""], ["x,2", "sub"]] and runs(Name("log_amp")) == [["log_amp", ""]]
    assert runs(Name("k_factor")) == [["k_factor", ""]] and runs(Ratio("d", "z", "loss")) == [["𝑑𝑧/𝑑\u2009loss", ""]]
    assert MATHML.name("h_prev") == "<msub><mi>h</mi><mi>prev</mi></msub>"
    assert LATEX.name("k_el_3") == r"k_{\mathrm{el},3}" and PRETTY.name("k_el") == "k_el"
