"""Every public function has a page, and what stands on it is computed."""

import re

import pytest

from scalargrad.formulas.symbols import Name
from tensorgrad.families import FAMILIES, PUBLIC
from tensorgrad.functions import class_losses, losses, normalisation
from tests.each import each
from tutorial.book.reference import functions, rooms, tools
from tutorial.book.reference.drawings import at_example
from tutorial.book.reference.examples import ROWS, cells, examples, names_for, shown, shown_as_cells
from tutorial.book.reference.functions import formula
from tutorial.book.reference.markdown import first_sentence
from tutorial.reading.chapter import BOOK
from tutorial.text.program import Program


@pytest.fixture
def pages(gathered):
    return {path.relative_to(gathered).as_posix(): path.read_text(encoding="utf-8") for path in (gathered / "functions").iterdir()}


def page_of(name):
    return functions.function_page(name, PUBLIC[name], next(family for family in FAMILIES if name in family.__all__), BOOK)


def test_every_public_function_is_in_a_family_and_has_a_line_in_the_index():
    index = functions.index()
    assert {name for family in FAMILIES for name in family.__all__} == set(PUBLIC)
    assert [name for name in PUBLIC if f"- [{name}]({name}.md): " not in index] == []


@pytest.mark.sweep
def test_every_public_function_has_a_page(pages):
    for name in PUBLIC:
        assert pages[f"functions/{name}.md"].startswith(f"---\norphan: true\n---\n# {name}\n")
    others = len(tools.tools()) + len(dict(rooms.pages())) + 2  # the index and the digest
    assert len(pages) == len(PUBLIC) + others


def test_what_the_index_says_of_a_function_or_a_family_is_not_cut_off():
    assert not [
        name for name, f in [*PUBLIC.items(), *((f.__name__, f) for f in FAMILIES)] if not first_sentence(f.__doc__).endswith((".", ":"))
    ]


def test_a_page_of_a_row_has_its_partials_its_kinks_and_a_graph():
    page = page_of("maximum")
    for part in (
        "## Partial derivatives",
        "## Where the derivative is a choice\n\nFor a tie both partials are 1/2",
        '<div class="drawing"><img alt="graph of maximum" src="data:image/svg+xml;base64,',
        "`numpy.maximum`",
    ):
        assert part in page
    assert page.count("<mi>∂</mi><mi>y</mi>") == 2 and "`torch.maximum`" in page


NO_DERIVATIVE = {  # their results are plain
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "equal",
    "not_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "argpartition",
    "one_hot",
    "matrix_rank",
}


@pytest.mark.sweep
def test_every_differentiable_function_has_typeset_formulas_and_no_page_has_a_freed_array(pages):
    without = [name for name in PUBLIC if "<math" not in pages[f"functions/{name}.md"]]
    assert set(without) == NO_DERIVATIVE
    assert [name for name in PUBLIC if "freed" in pages[f"functions/{name}.md"]] == []


@each("name", [name for name in PUBLIC if name not in NO_DERIVATIVE])
def test_a_differentiable_function_says_what_it_computes_and_its_derivative(name):
    """Its docstring does, or the table: test_docstring_formulas evaluates what docstrings say."""
    lines = [line for line in PUBLIC[name].__doc__.split("\n") if line.startswith("    ") and " = " in line]
    forward = [line for line in lines if not line.strip().startswith("dz/d")]
    row = ROWS.get(name)
    assert forward or formula(row, [Name(n) for n in row.parameters])
    assert row or len(lines) > len(forward) or name == "conv2d"  # whose vjps have formulas of their own


def test_losses_and_normalisations_say_what_they_compute_before_their_derivatives():
    for name in (*losses.__all__, *class_losses.__all__, *normalisation.__all__, "celu"):
        first, *_ = re.findall("<math>(.*?)</math>", page_of(name))
        assert re.match("<mi>y</mi><mo>=</mo>|<mrow><mi>y</mi><mo>=</mo>", first), (name, first)


def test_a_page_says_which_arrays_are_kept_and_where_to_go_on():
    softmax = page_of("softmax")
    assert "| x | 4 | no |\n| y | 4 | yes |" in softmax
    assert "- [log_softmax](log_softmax.md): " in softmax and "In the book: [](../chapters/" in softmax


@each("name", PUBLIC)
def test_examples_print_what_their_docstrings_say(name):
    session = shown(PUBLIC[name].__doc__, names_for(PUBLIC[name]))
    lines = [line for line in session.split("\n") if not line.startswith((">>> ", "... "))]
    assert lines == "".join(example.want for example in examples(PUBLIC[name].__doc__)).rstrip("\n").split("\n")


def page_marks(name):
    """Return how many cells the page's script finds."""
    marks = '<div class="cell docutils container">\n\n<div class="cell_input docutils container">'
    return shown_as_cells(cells(name, PUBLIC[name])).count(marks)


@each("name", PUBLIC)
def test_the_cells_of_an_example_show_what_the_page_says(name):
    """A cell shows the value of its last statement, in the namespace of those before it, and needs no name that it does not import."""
    program = Program("page")
    for source, shown_on_page in cells(name, PUBLIC[name]):
        assert repr(program.run(source).value) == shown_on_page, source
    assert page_marks(name) == len(cells(name, PUBLIC[name]))
    assert name not in ROWS or "tensorgrad" not in cells(name, PUBLIC[name])[0][0]


def test_an_example_that_raises_shows_its_error():
    assert shown(">>> 1 / x", {"x": 0}) == ">>> 1 / x\nTraceback (most recent call last):\nZeroDivisionError: division by zero"


def test_functions_with_a_derivative_have_a_graph():
    without = [name for family in FAMILIES for name in family.__all__ if at_example(name, PUBLIC[name]) is None]
    assert len(without) < 40 and not {"matmul", "conv2d", "softmax", "cross_entropy", "where", *ROWS} & set(without)


def test_pages_are_computed_again_only_if_a_package_changes(tmp_path, monkeypatch):
    def write(pages):
        for name, content in pages:
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    monkeypatch.setattr(tools, "pages", lambda: [])
    monkeypatch.setattr(rooms, "pages", lambda: [])
    monkeypatch.setattr(functions, "function_page", lambda name, *_: f"first {name}")
    write(functions.pages(None, tmp_path))
    monkeypatch.setattr(functions, "function_page", lambda name, *_: f"second {name}")
    write(functions.pages(None, tmp_path))
    assert (tmp_path / "functions" / "sin.md").read_text() == "first sin"
    monkeypatch.setattr(functions, "digest", lambda book: "another")
    write(functions.pages(None, tmp_path))
    assert (tmp_path / "functions" / "sin.md").read_text() == "second sin"
