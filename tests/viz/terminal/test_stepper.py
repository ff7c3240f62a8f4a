"""The terminal stepper: its keys, its questions, and the program in a pseudo-terminal of 80 columns and 24 lines."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scalargrad import Trace, Value
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from viz.ink import UNICODE
from viz.terminal.keys import ESCAPE
from viz.terminal.screen import screen
from viz.terminal.stepper import Stepper

RIGHT, LEFT, UP, DOWN, HOME, END = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"
ROOT = Path(__file__).parents[3]


# Without a terminal: what each key changes


def stepper(schedule="topological"):
    return Stepper(figure1_trace(schedule), UNICODE)


def press(stepper, *keys):
    return [stepper.press(key) for key in keys][-1]


def said(stepper):
    return " ".join(" ".join(line.plain for line in stepper.frame(80, 24)[:2]).split())


@pytest.mark.parametrize("key", [RIGHT, "n", "N", " ", "\r", "\n", "\x1bOC", "\x1b[6~", "\x00M"])
def test_next_goes_to_the_next_step_and_stops_at_the_last(key):
    s = stepper()
    for i in range(60):
        assert s.at == min(i, 45)
        assert press(s, key)


@pytest.mark.parametrize("key", [LEFT, "b", "\x7f", "\x1bOD", "\x1b[5~", "\x00K"])
def test_back_undoes_next(key):
    s = stepper()
    press(s, "e")
    for i in range(45, -3, -1):
        assert s.at == max(i, 0)
        assert press(s, key)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_down_and_up_go_from_iteration_to_iteration(schedule):
    s = stepper(schedule)
    seen = [s.at]
    while press(s, DOWN) and s.at != seen[-1]:
        seen.append(s.at)
    assert seen[-1] == len(s.trace) - 1
    assert [s.trace[i].iteration for i in seen[1:-1]] == list(range(1, s.trace.iterations + 1))
    assert all(s.trace[i - 1].iteration != s.trace[i].iteration for i in seen[1:])
    back = [s.at]
    while press(s, UP) and s.at != back[-1]:
        back.append(s.at)
    assert back == seen[::-1]


def test_up_first_goes_to_the_start_of_the_iteration():
    s = stepper()
    press(s, *[RIGHT] * 27, UP)
    assert s.at == 21
    press(s, UP)
    assert s.at == 15


def test_home_end_and_e_go_to_the_ends():
    s = stepper()
    for key, at in ((END, 45), (HOME, 0), ("e", 45), ("\x1b[1~", 0), ("\x1b[4~", 45), ("\x00G", 0), ("\x00O", 45)):
        press(s, key)
        assert s.at == at


@pytest.mark.parametrize("key", ["q", "Q", ESCAPE, "\x03"])
def test_quit_ends_it(key):
    assert press(stepper(), RIGHT, key) is False


def test_unknown_keys_do_nothing():
    s = stepper()
    press(s, RIGHT, "x", "\x1b[15~", "é", "\x1ba", "7", "next", "predict")
    assert s.at == 1
    assert not s.question


def test_predict_asks_for_the_next_variable_and_judges_the_answer():
    s = stepper()
    press(s, *[DOWN] * 4, "p")
    assert said(s) == "iteration 4 of 6 What is dz/dx₁? _"
    press(s, "1", "0", "\x7f", "\x7f", "9")
    assert said(s).endswith("What is dz/dx₁? 9_")
    press(s, "\r")
    assert said(s) == "iteration 4 of 6 Right: dz/dx₁ = 1 · 6 + 3 · 1 = 9."
    assert s.trace[s.at].act == "insert" and s.trace[s.at].x.name == "x1"
    press(s, RIGHT)
    assert "Right" not in said(s)
    press(s, "p", *"-3", "\r")
    assert "Not -3: dz/dx₃ = 3 · 1 = 3. The sign is wrong." in said(s)


@pytest.mark.parametrize("key", ["\r", "\n", ESCAPE])
def test_a_question_can_be_skipped(key):
    s = stepper()
    press(s, *[RIGHT] * 10, "p", key)
    assert not s.question
    assert s.at == 10
    assert "dz/dy₁" not in said(s) or "What" not in said(s)


def test_escape_leaves_a_question_and_only_then_the_program():
    s = stepper()
    assert press(s, "p", "4", ESCAPE) is True
    assert press(s, ESCAPE) is False
    assert press(s, "p", "\x03") is False


def test_keys_that_move_do_not_move_while_a_question_is_open():
    s = stepper()
    press(s, *[RIGHT] * 10, "p", RIGHT, END, DOWN, "\x1b[6~", "n", "q")
    assert s.at == 10
    assert said(s).endswith("nq_")


def test_an_answer_that_is_not_a_number_is_asked_again():
    s = stepper()
    press(s, "p", *"x1+1", "\r")
    assert "What is dz/dy₂? _ ('x1+1' is not a number; write for example 9, −2.5 or 1/3)" in said(s)
    press(s, "1", "\r")
    assert "Right: dz/dy₂ = 1 · 1 = 1" in said(s)


def test_an_answer_has_a_longest_length():
    s = stepper()
    press(s, "p", *"9" * 500)
    assert all(len(line.plain) <= 80 for line in s.frame(80, 24))
    press(s, "\r")
    assert "Not 999" in said(s)


def test_at_the_end_there_is_nothing_left_to_predict():
    s = stepper()
    press(s, "e", "p")
    assert not s.question
    assert "All total derivatives are known. Step back to predict one." in said(s)


@pytest.mark.parametrize("trace", [*map(figure1_trace, SCHEDULES), thirty_variables()], ids=lambda t: t.schedule.name)
def test_all_questions_can_be_answered_one_after_the_other(trace):
    s = Stepper(trace, UNICODE)
    for _ in trace.graph.order[1:]:
        press(s, "p")
        x = s.question[1]
        press(s, *f"{trace.computed[x].number}"[:30], "\r")
        assert "Right: " in said(s)
    press(s, "p")
    assert not s.question


def test_a_frame_is_the_screen_of_its_step():
    s = stepper()
    press(s, *[RIGHT] * 27)
    assert [line.plain for line in s.frame(80, 24)] == [line.plain for line in screen(s.trace, 27)]


# The real program


CHILD = """
import sys, termios
from tests.viz.graphs import figure1_trace
from viz.terminal.stepper import step
import viz.terminal.stepper
before = termios.tcgetattr(0)
{prepare}
try:
    step(figure1_trace({schedule!r}))
except RuntimeError as error:
    print("RAISED", error)
print("RESTORED" if termios.tcgetattr(0) == before else "NOT RESTORED", flush=True)
"""

BREAK_AT_STEP_5 = """
whole = viz.terminal.stepper.screen
def broken(trace, i, *args, **more):
    if i == 4:
        raise RuntimeError("on purpose")
    return whole(trace, i, *args, **more)
viz.terminal.stepper.screen = broken
"""

terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals for pexpect to drive")


class Program:
    """The stepper in a pseudo-terminal, and the contents of its screen."""

    def __init__(self, schedule="topological", prepare="", size=(24, 80), **environment):
        import pexpect

        env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")}
        env |= {"TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
        code = CHILD.format(schedule=schedule, prepare=prepare)
        self.child = pexpect.spawn(sys.executable, ["-c", code], cwd=ROOT, env=env, dimensions=size, encoding="utf-8", timeout=20)

    def until(self, text):
        """Wait for a frame that contains `text`, and return its lines."""
        self.child.expect_exact(text)
        self.child.expect(r"step \d+/\d+")
        self.raw = self.child.before + self.child.after
        return self.lines

    def shows(self, step):
        """Wait for the frame of a step, and return its lines."""
        self.child.expect(rf"\x1b\[H(?:(?!\x1b\[H)[\s\S])*step {step}/\d+")
        self.raw = self.child.after
        return self.lines

    @property
    def lines(self):
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.raw).replace("\r", "").split("\n")

    def press(self, keys):
        self.child.send(keys)
        return self

    def ends(self):
        """Wait for the end, and return the output after the screen was restored."""
        self.child.expect_exact("\x1b[?1049l")
        self.child.expect("RESTORED|NOT RESTORED")
        left = self.child.before + self.child.after
        import pexpect

        self.child.expect(pexpect.EOF)
        self.child.close()
        return left


@pytest.fixture
def program():
    running = []

    def start(*args, **more):
        running.append(Program(*args, **more))
        return running[-1]

    yield start
    for each in running:
        each.child.close(force=True)


@terminal
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # pexpect forks
class TestInATerminal:
    def test_it_uses_the_whole_screen_and_restores_it(self, program):
        p = program()
        lines = p.shows(1)
        assert len(lines) == 24
        assert "\x1b[?1049h" in p.child.before and "\x1b[?25l" in p.child.before
        left = p.press("q").ends()
        assert "\x1b[?25h" in left
        assert "RESTORED" in left and "NOT" not in left
        assert p.child.exitstatus == 0

    def test_every_key_of_the_help_line(self, program):
        p = program()
        p.shows(1)
        moves = [(RIGHT, 2), ("n", 3), (" ", 4), ("\r", 5), (LEFT, 4), ("b", 3), (DOWN, 4), (DOWN, 10), (UP, 4)]
        moves += [(END, 46), (HOME, 1), ("e", 46), ("\x1b[1~", 1), ("\x1b[4~", 46), ("\x1b[5~", 45), ("\x1b[6~", 46), ("\x1bOD", 45)]
        for key, step in moves:
            lines = p.press(key).shows(step)
            assert lines[:23] == [line.plain.ljust(80)[:80] for line in screen(figure1_trace(), step - 1)][:23]
        p.press("q").ends()

    def test_keys_typed_ahead_are_not_lost(self, program):
        p = program()
        p.shows(1)
        p.press(RIGHT * 20 + "n" * 7).shows(28)
        p.press("p9\rp3\rq").ends()

    def test_predictions_right_and_wrong(self, program):
        p = program()
        p.shows(1)
        p.press(DOWN * 4).shows(22)
        lines = p.press("p").until("What is dz/dx₁? _")
        assert [" ".join(line.split()) for line in lines if "? · ?" in line] == ["= ? · ? + ? · ?"] * 2
        assert any(re.match(r" x ▶  x₁ +3 +\? ", line) for line in lines)
        p.press("12").until("What is dz/dx₁? 12_")
        p.press("\x7f").until("What is dz/dx₁? 1_")
        p.press("\x7f6\r").until("Not 6: dz/dx₁ = 1 · 6 + 3 · 1 = 9.")
        assert "step 30/46" in p.raw
        p.press("p").until("What is dz/dx₃? _")
        p.press("3.0\r").until("Right: dz/dx₃ = 3 · 1 = 3")
        p.press("p").until("What is dz/dx₄? _")
        p.press("eleven\r").until("'eleven' is not a number")
        p.press("\r").shows(36)
        p.press("q").ends()

    @pytest.mark.parametrize("before", ["", "p"])
    @pytest.mark.parametrize("key", ["\x03", ESCAPE])
    def test_every_way_out_restores_the_terminal(self, program, key, before):
        p = program()
        p.shows(1)
        if before:
            p.press("p").until("What is dz/dy₂? _")
            if key == ESCAPE:
                p.press(ESCAPE).shows(1)
        left = p.press(key).ends()
        assert "RESTORED" in left and "NOT" not in left and "Traceback" not in left
        assert p.child.exitstatus == 0

    def test_an_exception_restores_the_terminal_first(self, program):
        p = program(prepare=BREAK_AT_STEP_5)
        p.shows(1)
        left = p.press("nnnn").ends()
        assert "RAISED on purpose" in left
        assert "RESTORED" in left and "NOT" not in left

    def test_nothing_typed_is_echoed(self, program):
        p = program()
        p.shows(1)
        p.press("zzzzn").shows(2)
        assert "z" * 4 not in p.child.before + p.raw
        p.press("q").ends()

    def test_a_new_size_is_noticed_without_a_key(self, program):
        p = program()
        p.shows(1)
        p.child.setwinsize(30, 100)
        lines = p.shows(1)
        assert len(lines) == 30
        assert "BACKPROPAGATION(Computation graph G, node z in G):" in "\n".join(lines)
        p.child.setwinsize(12, 60)
        assert len(p.shows(1)) == 12
        p.press("q").ends()

    @pytest.mark.parametrize("schedule", SCHEDULES)
    def test_all_schedules_can_be_stepped(self, program, schedule):
        p, steps = program(schedule), len(figure1_trace(schedule))
        p.shows(1)
        p.press(RIGHT * (steps - 1))
        assert "The backward pass is complete." in p.shows(steps)[0]
        p.press("q").ends()

    def test_no_color_means_no_colour_and_marks_remain(self, program):
        p = program(NO_COLOR="1")
        p.shows(1)
        p.press(RIGHT * 27).shows(28)
        assert not re.search(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)(?:;[0-9;]*)?m", p.raw)
        text = "\n".join(p.lines)
        assert all(mark in text for mark in ("x ▶", "y →", "▶14", "← get"))
        p.press("q").ends()

    def test_colour_is_used_where_it_is_allowed(self, program):
        p = program()
        p.shows(1)
        assert "38;5;" in p.raw
        p.press("q").ends()

    @pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
    def test_a_terminal_without_unicode_gets_ascii(self, program, encoding):
        p = program(PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        p.shows(1)
        lines = p.press(RIGHT * 27).shows(28)
        assert all(line.isascii() for line in lines)
        assert "Look up dz/dy1 = x1 = 3." in lines[0]
        p.press("p").until("What is dz/dx1? _")
        p.press("7\r").until("Not 7: dz/dx1 = 1 * 6 + 3 * 1 = 9.")
        p.press("q").ends()

    def test_a_dumb_terminal_gets_the_printed_steps(self, program):
        p = program(TERM="dumb")
        p.child.expect("RESTORED")
        assert "4. current node: x₁" in p.child.before
        assert "\x1b" not in p.child.before


# Without a terminal


def piped(code, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONIOENCODING", "PYTHONUTF8")} | environment
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def test_in_a_pipe_all_steps_are_printed_as_plain_text():
    done = piped("from tests.viz.graphs import *; from viz import step; step(figure1_trace())", PYTHONUTF8="1", FORCE_COLOR="1")
    text = done.stdout.decode()
    assert done.returncode == 0 and not done.stderr
    assert "4. current node: x₁" in text and "7. final output" in text
    assert all(line.isprintable() for line in text.splitlines())


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_a_pipe_of_any_encoding_works(encoding):
    done = piped(
        "from tests.viz.graphs import *; from viz import step; step(figure1_trace())",
        PYTHONIOENCODING=encoding,
        PYTHONUTF8="0",
    )
    assert done.returncode == 0, done.stderr.decode()
    assert ("dz/dx1 = dz/dz * " in done.stdout.decode(encoding)) == (encoding != "utf-16")


@pytest.mark.parametrize("missing", ["sys.stdin = None", "sys.stdin.close()", "import io; sys.stdout = io.StringIO()"])
def test_without_standard_streams_nothing_breaks(missing):
    code = f"import sys\nfrom tests.viz.graphs import *\nfrom viz.terminal.stepper import step\n{missing}\nstep(figure1_trace())"
    done = piped(code, PYTHONUTF8="1")
    assert done.returncode == 0, done.stderr.decode()


def test_options_of_a_trace_may_be_given_with_a_variable(capsys):
    from viz.terminal.stepper import step

    x = Value(3, name="x")
    z = x * x
    step(z, schedule="counting", names={z: "out"})
    assert "dout/dx is now 6" in capsys.readouterr().out
    step(Trace(z, names={z: "other"}))
    assert "1. current node: x" in capsys.readouterr().out
