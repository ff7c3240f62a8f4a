"""Long names and names of any script in the terminal: columns stand below each other, and no line is wider than the screen."""

from io import StringIO
from itertools import takewhile

from rich.cells import cell_len

from scalargrad.formulas.text import END_ISOLATE, ISOLATE
from tests.each import each, swept
from tests.viz.names_of_others import NAMES, named
from viz import walk
from viz.terminal.stepper import Stepper
from viz.terminal.style import cut, wrapped
from viz.text.formatter import ASCII, UNICODE
from viz.text.narration import heading, sentence

WIDTH, HEIGHT = 80, 24


def column(line, text):
    """Return the column at which a text ends in a line."""
    return cell_len(line[: line.index(text)]) + cell_len(text)


def printed(trace):
    file = StringIO()
    walk(trace, file)
    return file.getvalue().splitlines()


@swept("names", NAMES.values(), every=3, ids=list(NAMES))
def test_the_table_of_the_stepper_is_straight_at_every_step(names):
    trace = named(*names)
    for formatter in UNICODE, ASCII:
        stepper = Stepper(trace, formatter)
        for stepper.at in range(len(trace)):
            lines = [line.plain for line in stepper.frame(WIDTH, HEIGHT)]
            assert len(lines) == HEIGHT and all(cell_len(line) <= WIDTH for line in lines)
            head = next(k for k, line in enumerate(lines) if line.lstrip().startswith("node"))
            shown = [formatter.number(trace.on.data(v)) for v in trace.graph.order]
            rows = lines[head + 1 : head + 1 + len(shown)]
            assert {column(row, f" {number} ") for row, number in zip(rows, shown)} == {column(lines[head], "value ")}, stepper.at


@each("names", NAMES.values(), ids=list(NAMES))
def test_a_sentence_of_the_stepper_misses_nothing_before_its_end(names):
    trace = named(*names)
    stepper = Stepper(trace, UNICODE)
    for stepper.at in range(len(trace)):
        whole = f"{heading(trace, stepper.at)} {sentence(trace, stepper.at, stepper.formatter)}".replace(" ", "")
        lines = [line.plain for line in stepper.frame(WIDTH, HEIGHT)]
        head = next(k for k, line in enumerate(lines) if line.lstrip().startswith("node"))
        assert whole.startswith("".join(lines[:head]).replace(" ", "").removesuffix("…")), stepper.at


@each("names", NAMES.values(), ids=list(NAMES))
def test_the_printed_rows_of_a_sum_begin_below_each_other(names):
    lines = printed(named(*names))
    assert all(cell_len(line) <= WIDTH for line in lines)
    leads = [k + lines[k + 1].startswith("      = ") for k, line in enumerate(lines) if "invoke chain rule" in line]
    for k in leads:
        rows = [line for line in takewhile(str.strip, lines[k:]) if line is lines[k] or line.lstrip().startswith("=")]
        assert len(rows) > 1 and len({column(line, " =") for line in rows}) == 1


def test_both_say_which_name_a_short_form_stands_for():
    trace = named(*NAMES["paths"])
    line = "…neuron12…state stands for layer1/neuron12/weight_of_the_previous_state"
    assert printed(trace)[0] == line.replace("12…", "12/weight…") and sum("stands for" in each for each in printed(trace)) == 5
    stepper = Stepper(trace, UNICODE)
    stepper.press("?")
    assert line in [line.plain for line in stepper.frame(WIDTH, HEIGHT)]
    assert not any("stands for" in line for line in printed(named("x1", "x2", "y", "z")))


def test_a_text_is_wrapped_by_columns():
    text = "重み 重み重み 重みx 🙂🙂 e\N{COMBINING ACUTE ACCENT}" + "権" * 30
    for width in (8, 11, 20):
        lines = wrapped(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "") and max(map(cell_len, lines)) <= width


def test_a_cut_text_ends_its_direction():
    text = f"d{ISOLATE}خسارة_الشبكة_العصبية{END_ISOLATE}/d{ISOLATE}الوزن{END_ISOLATE} = 12"
    for width in range(1, 40):
        found = cut(text, width, UNICODE)
        assert found.count(ISOLATE) == found.count(END_ISOLATE) and cell_len(found) <= width
