"""The terminal stepper: its keys, its questions, and the program in a pseudo-terminal of 80 columns and 24 lines."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scalargrad import Trace, Value
from tests.each import each
from tests.page_scripts import SRC
from tests.scalargrad.statements.programs import spring
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from viz.questions.quiz import questions, right_number
from viz.terminal.keys import ACTIONS, DOES, ESCAPE
from viz.terminal.screen import screen
from viz.terminal.stepper import Stepper
from viz.text.formatter import UNICODE

RIGHT, LEFT, UP, DOWN, HOME, END = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"
ROOT = Path(__file__).parents[3]


# Without a terminal: what each key changes


def test_l_runs_over_the_loop_of_this_step_or_the_next_one():
    s = Stepper(Trace(spring, detail="statements"), UNICODE)
    press(s, "l")
    assert s.trace.names[s.trace[s.at].x] == "m" and s.trace[s.at].act == "visit"
    press(s, "l")
    assert "No folded loop comes after this step." in said(s)


def stepper(schedule="topological"):
    return Stepper(figure1_trace(schedule), UNICODE)


def press(stepper, *keys):
    return [stepper.press(key) for key in keys][-1]


def said(stepper):
    return " ".join(" ".join(line.plain for line in stepper.frame(80, 24)[:2]).split())


@each("key", [RIGHT, "\r", "\n", "\x1bOC", "\x1b[6~", "\x00M"])
def test_next_goes_to_the_next_step_and_stops_at_the_last(key):
    s = stepper()
    for i in range(60):
        assert s.at == min(i, 45)
        assert press(s, key)


@each("key", [LEFT, "\x7f", "\x1bOD", "\x1b[5~", "\x00K"])
def test_back_undoes_next(key):
    s = stepper()
    press(s, END)
    for i in range(45, -3, -1):
        assert s.at == max(i, 0)
        assert press(s, key)


@each("schedule", SCHEDULES)
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


def test_home_and_end_go_to_the_ends():
    s = stepper()
    for key, at in ((END, 45), (HOME, 0), ("\x1b[1~", 0), ("\x1b[4~", 45), ("\x00G", 0), ("\x00O", 45)):
        press(s, key)
        assert s.at == at


@each("key", [ESCAPE, "\x03", "\x04"])
def test_quit_ends_it(key):
    assert press(stepper(), RIGHT, key) is False


def test_unknown_keys_do_nothing():
    s = stepper()
    press(s, RIGHT, "x", "\x1b[15~", "é", "\x1ba", "7", "next", "predict")
    assert s.at == 1
    assert not s.question


def predicting(at):
    """Return a stepper in predict mode, with the question open that step `at`, from 0, answers."""
    s = stepper()
    s.at = at - 1
    press(s, "q")
    assert s.question.step == at
    return s


def test_predict_asks_before_the_step_that_shows_the_answer():
    s = stepper()
    press(s, "q")
    assert "Predict: each derivative is asked for before it is shown." in said(s) and not s.question
    for _ in range(6):
        press(s, RIGHT)
    assert s.at == 6 and not s.question
    press(s, RIGHT)
    assert said(s) == "iteration 1 of 6 What is dz/dy₂? _" and s.at == 6
    press(s, "1", "0", "\x7f")
    assert said(s).endswith("What is dz/dy₂? 1_")
    press(s, "\r")
    assert said(s) == "iteration 1 of 6 Right: dz/dy₂ = 1 · 1 = 1." and s.at == 7
    press(s, DOWN)
    assert not s.question and s.at == 9 and "Right" not in said(s)
    press(s, DOWN)
    assert said(s).endswith("What is ∂z/∂y₁? _"), "a partial, before the arithmetic"
    press(s, "q", "\x7f", *"3", "\r", "q")
    assert "Predict is off." in said(s)
    press(s, END)
    assert not s.question and s.at == 45


def test_there_are_two_tries_and_then_the_answer():
    s = predicting(28)
    press(s, *"6", "\r")
    assert said(s).startswith("iteration 4 of 6 Not 6. The term dz/dy₁ · ∂y₁/∂x₁ = 3 is missing: x₁ also reaches z through y₁. Try again.")
    assert s.question and s.at == 27 and any(line.plain.startswith(" y !  y₁ ") for line in s.frame(80, 24))
    assert not any("= 9" in line.plain for line in s.frame(80, 24)), "the answer stays secret"
    press(s, *"-9", "\r")
    assert said(s) == "iteration 4 of 6 Not -9: dz/dx₁ = 1 · 6 + 3 · 1 = 9. The sign is wrong."
    assert not s.question and s.at == 28 and not any(" y !" in line.plain for line in s.frame(80, 24))


def test_a_jump_into_an_iteration_asks_for_what_it_would_show():
    s = stepper()
    press(s, "q", END, *[LEFT] * 3)
    assert s.question.step == 41 and s.at == 40, "a partial of this iteration comes first"


@each("key", ["\r", "\n", ESCAPE])
def test_a_question_can_be_skipped_and_counts_as_looked_at(key):
    s = predicting(11)
    press(s, key)
    assert not s.question and s.at == 10
    press(s, RIGHT)
    assert s.at == 11 and s.quiz.tally()[1] == "looked at the answer: ∂z/∂y₁"


def test_escape_leaves_a_question_and_only_then_the_program():
    s = predicting(11)
    assert press(s, "4", ESCAPE) is True
    assert press(s, ESCAPE) is False
    assert press(predicting(11), "\x03") is False


def test_keys_that_move_do_not_move_while_a_question_is_open():
    s = predicting(11)
    press(s, RIGHT, END, DOWN, "\x1b[6~", "p", "q")
    assert s.at == 10
    assert said(s).endswith("pq_")


def test_an_answer_that_is_not_a_number_is_asked_again():
    s = predicting(7)
    press(s, *"x1+1", "\r")
    assert "'x1+1' is not a number; write for example 9, −2.5 or 1/3 What is dz/dy₂? _" in said(s)
    press(s, "1", "\r")
    assert "Right: dz/dy₂ = 1 · 1 = 1" in said(s) and s.quiz.tally() == ["1 of 1 question right at the first try."]


def test_an_answer_has_a_longest_length():
    s = predicting(7)
    press(s, *"9" * 500)
    assert all(len(line.plain) <= 80 for line in s.frame(80, 24))
    press(s, "\r")
    assert "Not 999" in said(s)


def test_at_the_end_there_is_nothing_left_to_predict():
    s = stepper()
    press(s, END, "q")
    assert not s.question
    assert "All derivatives are known here. Step back to predict one." in said(s)


@each("trace", [*map(figure1_trace, SCHEDULES), thirty_variables()], ids=lambda t: t.schedule.name)
def test_all_questions_can_be_answered_to_the_end(trace):
    s = Stepper(trace, UNICODE)
    press(s, "q")
    for q in questions(trace):
        while not s.question:
            press(s, RIGHT)
        assert s.question == q
        press(s, *f"{right_number(trace, q)}"[:30], "\r")
        assert "Right: " in said(s)
    press(s, END)
    count = len(questions(trace))
    assert f"{count} of {count} questions right at the first try." in said(s)


def test_the_tally_at_the_end_offers_to_repeat_what_was_wrong():
    s = stepper()
    press(s, "q")
    while not s.tallied:
        press(s, *(("-", "9", "\r", "9", "\r") if s.question and s.question.x.name == "x1" else (ESCAPE,) if s.question else (RIGHT,)))
    assert "0 of 9 questions right at the first try. Wrong sign: dz/dx₁. Looked at the answer:" in said(s)
    assert s.frame(80, 24)[-1].plain.startswith(" Enter do these again  Esc close ")
    s.quiz.first.update({q: None for q in s.quiz.round if q.x.name != "x1"})
    press(s, "\r")
    assert s.question.x.name == "x1" and s.quiz.round == [s.question] and s.at == 27
    press(s, "9", "\r", RIGHT)
    assert s.tallied and s.at == 45 and "1 of 1 question right at the first try." in said(s)
    assert "again" not in s.frame(80, 24)[-1].plain
    assert press(s, ESCAPE) is True and "The backward pass is complete." in said(s)
    assert press(s, ESCAPE) is False


def test_question_mark_shows_the_keys_until_any_key():
    s = stepper()
    press(s, RIGHT, "?")
    text = "\n".join(line.plain for line in s.frame(60, 20))
    assert all(action.does in text for action in ACTIONS.values())
    assert press(s, ESCAPE) is True and s.at == 1 and s.frame(80, 24)[0].plain.startswith("start")


def test_y_hides_and_shows_the_reasons():
    s = stepper()
    text = lambda: "\n".join(line.plain for line in s.frame(80, 24))
    assert "Why? For each variable we ask" in text()
    press(s, "y")
    assert "Why is off." in said(s)
    press(s, RIGHT)
    assert "Why?" not in text()
    press(s, "y")
    assert "Why? " in text()


def test_play_goes_on_until_a_key_the_end_or_a_question():
    s = stepper()
    press(s, " ")
    for i in range(1, 46):
        assert s.playing
        s.tick()
        assert s.at == i
    assert not s.playing
    press(s, "p")
    assert s.playing and s.at == 0, "it starts again"
    press(s, " ")
    assert not s.playing
    press(s, "q", " ")
    while s.playing:
        s.tick()
    assert s.question.step == 7 and s.at == 6
    press(s, ESCAPE, " ", RIGHT)
    assert not s.playing


# The page and the terminal


ON_THE_PAGE = {"\x1b[C": "ArrowRight", "\x1b[D": "ArrowLeft", "\x1b[A": "ArrowUp", "\x1b[B": "ArrowDown", "\x1b[H": "Home", "\x1b[F": "End"}
ON_THE_PAGE |= {"\x1b[5~": "PageUp", "\x1b[6~": "PageDown"}


def page_keys():
    """Return {key: what it does} of the page, from the table in its script, and from that of pages with loops."""
    code = (SRC / "controls.js").read_text(encoding="utf-8")
    rows = re.findall(r"^ *\[(.+), (?:\"#[\w-]+\"|null), (\".+\")\],", code, re.MULTILINE)
    of_loops = re.findall(r'key.toLowerCase\(\) === "(\w)".+?(\w+)\(\);', (SRC / "loops/register.js").read_text(encoding="utf-8"))
    return {key: does for does, keys in rows for key in re.findall(r'"(.+?)"', keys)} | dict(of_loops)


OF_A_FUNCTION = {'() => find("#keys").togglePopover()': "help", '() => find("#why").toggleAttribute("hidden")': "why"}


def snake(does):
    """Return the name of an action of the page as the terminal writes it."""
    name = {"startPredicting": "predict", **OF_A_FUNCTION}.get(does, does.removeprefix("player."))
    return re.sub(r"[A-Z]", lambda capital: f"_{capital[0].lower()}", name)


def test_a_key_of_the_terminal_means_what_it_means_on_the_page():
    page = page_keys()
    shared = {key: page[ON_THE_PAGE.get(key, key)] for key in DOES if ON_THE_PAGE.get(key, key) in page}
    assert {key: snake(does) for key, does in shared.items()} == {key: DOES[key] for key in shared}
    assert set(ACTIONS) - {"quit"} == {DOES[key] for key in shared}, "every action of the terminal has a key of the page"


def test_a_frame_is_the_screen_of_its_step():
    s = stepper()
    press(s, *[RIGHT] * 27)
    assert [line.plain for line in s.frame(80, 24)] == [line.plain for line in screen(s.trace, 27)]


# The real program


CHILD = """
import sys, termios
from tests.viz.graphs import figure1_trace
from viz import step
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
    for one in running:
        one.child.close(force=True)


@terminal
@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # pexpect forks
def test_in_a_terminal_it_uses_the_whole_screen_and_restores_it(program):
    p = program()
    lines = p.shows(1)
    assert len(lines) == 24
    assert "\x1b[?1049h" in p.child.before and "\x1b[?25l" in p.child.before
    left = p.press(ESCAPE).ends()
    assert "\x1b[?25h" in left
    assert "RESTORED" in left and "NOT" not in left
    assert p.child.exitstatus == 0


@terminal
@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # pexpect forks
class TestInATerminal:
    def test_every_key_of_the_help_line(self, program):
        p = program()
        p.shows(1)
        moves = [(RIGHT, 2), ("\r", 3), ("\x1b[6~", 4), ("\r", 5), (LEFT, 4), ("\x7f", 3), (DOWN, 4), (DOWN, 10), (UP, 4)]
        moves += [(END, 46), (HOME, 1), ("\x1b[1~", 1), ("\x1b[4~", 46), ("\x1b[5~", 45), ("\x1b[6~", 46), ("\x1bOD", 45)]
        for key, step in moves:
            lines = p.press(key).shows(step)
            assert lines[:23] == [line.plain.ljust(80)[:80] for line in screen(figure1_trace(), step - 1)][:23]
        p.press(ESCAPE).ends()

    def test_keys_typed_ahead_are_not_lost(self, program):
        p = program()
        p.shows(1)
        p.press(RIGHT * 20 + "\r" * 7).shows(28)
        p.press(f"q{RIGHT}9\r{RIGHT}\x03").ends()

    def test_predictions_right_and_wrong(self, program):
        p = program()
        p.shows(1)
        p.press(RIGHT * 27).shows(28)
        lines = p.press("q").until("What is dz/dx₁? _")
        assert [" ".join(line.split()) for line in lines if "? · ?" in line] == ["= ? · ? + ? · ?"] * 2
        assert any(re.match(r" x ▶  x₁ +3 +\? ", line) for line in lines)
        p.press("12").until("What is dz/dx₁? 12_")
        p.press("\x7f").until("What is dz/dx₁? 1_")
        p.press("\x7f6\r").until("= 3 is missing: x₁ also")
        p.press("6\r").until("Not 6: dz/dx₁ = 1 · 6 + 3 · 1 = 9.")
        assert "step 29/46" in p.raw
        p.press(DOWN * 2).until("What is dz/dx₃? _")
        p.press("3.0\r").until("Right: dz/dx₃ = 3 · 1 = 3")
        p.press(DOWN * 2).until("What is ∂y₂/∂x₄? _")
        p.press("eleven\r").until("'eleven' is not a number")
        p.press("8\r").until("Right: ∂y₂/∂x₄ = 2·x₄ = 8.")
        p.press("\x03").ends()

    def test_it_plays_by_itself(self, program):
        p = program(prepare="viz.terminal.stepper.PACE = 0.1")
        p.shows(1)
        p.press(" ").shows(4)
        p.press(ESCAPE).ends()

    @pytest.mark.parametrize("before", ["", "q"])
    @pytest.mark.parametrize("key", ["\x03", ESCAPE])
    def test_every_way_out_restores_the_terminal(self, program, key, before):
        p = program()
        p.shows(1)
        if before:
            p.press("q" + RIGHT * 7).until("What is dz/dy₂? _")
            if key == ESCAPE:
                p.press(ESCAPE).shows(7)
        left = p.press(key).ends()
        assert "RESTORED" in left and "NOT" not in left and "Traceback" not in left
        assert p.child.exitstatus == 0

    def test_an_exception_restores_the_terminal_first(self, program):
        p = program(prepare=BREAK_AT_STEP_5)
        p.shows(1)
        left = p.press(RIGHT * 4).ends()
        assert "RAISED on purpose" in left
        assert "RESTORED" in left and "NOT" not in left

    def test_nothing_typed_is_echoed(self, program):
        p = program()
        p.shows(1)
        p.press("zzzz\r").shows(2)
        assert "z" * 4 not in p.child.before + p.raw
        p.press(ESCAPE).ends()

    def test_a_new_size_is_noticed_without_a_key(self, program):
        p = program()
        p.shows(1)
        p.child.setwinsize(30, 100)
        lines = p.shows(1)
        assert len(lines) == 30
        assert "BACKPROPAGATION(Computation graph G, node z in G):" in "\n".join(lines)
        p.child.setwinsize(12, 60)
        assert len(p.shows(1)) == 12
        p.press(ESCAPE).ends()

    @pytest.mark.parametrize("schedule", [pytest.param(name, marks=[pytest.mark.slow] * (name != "topological")) for name in SCHEDULES])
    def test_all_schedules_can_be_stepped(self, program, schedule):
        p, steps = program(schedule), len(figure1_trace(schedule))
        p.shows(1)
        p.press(RIGHT * (steps - 1))
        assert "The backward pass is complete." in p.shows(steps)[0]
        p.press(ESCAPE).ends()

    def test_no_color_means_no_colour_and_marks_remain(self, program):
        p = program(NO_COLOR="1")
        p.shows(1)
        p.press(RIGHT * 27).shows(28)
        assert not re.search(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)(?:;[0-9;]*)?m", p.raw)
        text = "\n".join(p.lines)
        assert all(mark in text for mark in ("x ▶", "y →", "▶14", "← get"))
        p.press(ESCAPE).ends()

    def test_colour_is_used_where_it_is_allowed(self, program):
        p = program()
        p.shows(1)
        assert "38;5;" in p.raw
        p.press(ESCAPE).ends()

    @pytest.mark.parametrize("encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.slow)])
    def test_a_terminal_without_unicode_gets_ascii(self, program, encoding):
        p = program(PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        p.shows(1)
        lines = p.press(RIGHT * 27).shows(28)
        assert all(line.isascii() for line in lines)
        assert "Look up dz/dy1 = x1 = 3." in lines[0]
        p.press("q").until("What is dz/dx1? _")
        p.press("1234\r1234\r").until("Not 1234: dz/dx1 = 1 * 6 + 3 * 1 = 9.")
        p.press(ESCAPE).ends()

    def test_a_dumb_terminal_gets_the_printed_steps(self, program):
        p = program(TERM="dumb")
        p.child.expect("RESTORED")
        assert "4. current node: x₁" in p.child.before
        assert "\x1b" not in p.child.before


# Without a terminal


def piped(code, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONIOENCODING", "PYTHONUTF8")} | environment
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


@pytest.mark.processes
def test_in_a_pipe_all_steps_are_printed_as_plain_text():
    done = piped("from tests.viz.graphs import *; from viz import step; step(figure1_trace())", PYTHONUTF8="1", FORCE_COLOR="1")
    text = done.stdout.decode()
    assert done.returncode == 0 and not done.stderr
    assert "4. current node: x₁" in text and "7. final output" in text
    assert all(line.isprintable() for line in text.splitlines())


@pytest.mark.processes
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_a_pipe_of_any_encoding_works(encoding):
    done = piped(
        "from tests.viz.graphs import *; from viz import step; step(figure1_trace())",
        PYTHONIOENCODING=encoding,
        PYTHONUTF8="0",
    )
    assert done.returncode == 0, done.stderr.decode()
    assert ("dz/dx1 = dz/dz * " in done.stdout.decode(encoding)) == (encoding != "utf-16")


@pytest.mark.processes
@pytest.mark.parametrize("missing", ["sys.stdin = None", "sys.stdin.close()", "import io; sys.stdout = io.StringIO()"])
def test_without_standard_streams_nothing_breaks(missing):
    code = f"import sys\nfrom tests.viz.graphs import *\nfrom viz import step\n{missing}\nstep(figure1_trace())"
    done = piped(code, PYTHONUTF8="1")
    assert done.returncode == 0, done.stderr.decode()


def test_options_of_a_trace_may_be_given_with_a_variable(capsys):
    from viz import step

    x = Value(3, name="x")
    z = x * x
    step(z, schedule="counting", names={z: "out"})
    assert "d out/dx is now 6" in capsys.readouterr().out
    step(Trace(z, names={z: "other"}))
    assert "1. current node: x" in capsys.readouterr().out
