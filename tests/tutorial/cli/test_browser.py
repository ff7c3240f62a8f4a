"""python -m tutorial in a terminal: the page is opened where it can be, and else one steps there."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.viz.graphs import figure1_trace
from tutorial.cli.shared import browser
from tutorial.cli.shared.browser import Unshown, has_screen, show_page

ROOT = Path(__file__).parents[3]
terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not have pseudo-terminals, which pexpect needs")
DISPLAYS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION")


class Recorded:
    """A browser that notes what it is asked to open."""

    def __init__(self, opens=True):
        self.opens, self.addresses = opens, []

    def open(self, address):
        self.addresses.append(address)
        return self.opens


@pytest.fixture
def seat(monkeypatch):
    """A user at a terminal with a display and a browser. The function changes what there is."""

    def there_is(found, at_terminal=True, system="linux", **environment):
        monkeypatch.setattr(browser.webbrowser, "get", lambda: found)
        monkeypatch.setattr(browser, "at_terminal", lambda: at_terminal)
        monkeypatch.setattr(sys, "platform", system)
        for name in DISPLAYS:
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return found

    return there_is


def test_the_page_is_written_and_opened(seat, tmp_path):
    found = seat(Recorded(), DISPLAY=":0")
    path = show_page(figure1_trace(), tmp_path)
    assert found.addresses == [(tmp_path / "page.html").as_uri()] and path == str(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("shown", "where"),
    [
        (True, {"DISPLAY": ":0"}),
        (True, {"WAYLAND_DISPLAY": "wayland-0"}),
        (True, {"BROWSER": "w3m"}),
        (True, {"system": "darwin"}),
        (True, {"system": "win32"}),
        (False, {}),
        (False, {"system": "darwin", "SSH_CONNECTION": "::1 1 ::1 22"}),
        (False, {"DISPLAY": ":0", "at_terminal": False}),
        (False, {"system": "win32", "at_terminal": False}),
    ],
)
def test_a_page_needs_a_user_at_a_terminal_with_a_display(seat, tmp_path, shown, where):
    seat(Recorded(), **where)
    assert has_screen() is shown
    if not shown:
        with pytest.raises(Unshown) as why:
            show_page(figure1_trace(), tmp_path)
        assert why.value.args == () and not list(tmp_path.iterdir())


def test_a_browser_that_fails_is_told(seat, tmp_path, monkeypatch):
    seat(Recorded(opens=False), DISPLAY=":0")
    with pytest.raises(Unshown, match=r"did not open .*page\.html"):
        show_page(figure1_trace(), tmp_path)
    with pytest.raises(Unshown, match="Cannot show a page"):
        show_page(figure1_trace(), tmp_path / "missing")

    def none():
        raise browser.webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(browser.webbrowser, "get", none)
    with pytest.raises(Unshown, match="could not locate"):
        show_page(figure1_trace(), tmp_path)


def test_a_pipe_is_not_a_terminal(capfd):
    assert not has_screen()


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, args, folder, **environment):
        import pexpect

        env = {k: v for k, v in os.environ.items() if k not in (*DISPLAYS, "COLUMNS", "LINES", "PYTHONIOENCODING")}
        env |= {"TERM": "xterm-256color", "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), **environment}
        self.child = pexpect.spawn(
            sys.executable, ["-m", "tutorial", *args], cwd=folder, env=env, dimensions=(24, 80), encoding="utf-8", timeout=30
        )

    def steps(self):
        """Wait for the stepper and leave it."""
        self.child.expect(r"step 1/\d+")
        said = self.child.before
        self.child.send("\x1b")  # Esc
        self.ends()
        return said

    def ends(self):
        import pexpect

        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == 0
        return re.sub(r"\s+", " ", self.child.before)


def program(folder, code):
    """A browser of our own: notes what it is asked to open, and ends with `code`."""
    script = folder / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {folder}/opened\nexit {code}\n')
    script.chmod(0o755)
    return str(script)


@terminal
@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # pexpect forks
class TestInATerminal:
    @pytest.mark.parametrize("args", [[], ["x*x", "x=3"], ["play", "x*x", "x=3"], ["matrices"]])
    def test_the_page_opens_in_the_browser(self, args, tmp_path):
        said = Terminal(args, tmp_path, BROWSER=program(tmp_path, 0)).ends()
        page = tmp_path / "gradsteps-out" / "page.html"
        assert "Page: gradsteps-out/page.html, opened in the browser" in said and "Diagrams:" in said
        assert (tmp_path / "opened").read_text().strip() == page.resolve().as_uri()
        assert "</html>" in page.read_text(encoding="utf-8")

    def test_page_and_diagrams_share_one_temporary_folder_if_the_usual_one_cannot_be_written(self, tmp_path):
        (tmp_path / "file").write_text("")
        said = Terminal(["--svg", "file/below"], tmp_path, BROWSER=program(tmp_path, 0)).ends()
        assert len(set(re.findall(r"(\S+)/(?:page\.html|graph\.svg|derivatives\.svg)", said))) == 1

    def test_without_a_display_the_user_steps_in_the_terminal(self, tmp_path):
        Terminal([], tmp_path).steps()
        assert not (tmp_path / "gradsteps-out" / "page.html").exists()

    @pytest.mark.parametrize("args", [["--terminal"], ["step", "x*x", "x=3"], ["matrices", "--terminal"]])
    def test_the_terminal_can_be_asked_for(self, args, tmp_path):
        Terminal(args, tmp_path, BROWSER=program(tmp_path, 0)).steps()
        assert not (tmp_path / "opened").exists()

    def test_if_the_browser_fails_the_program_says_so_and_steps_in_the_terminal(self, tmp_path):
        said = Terminal([], tmp_path, BROWSER=program(tmp_path, 1)).steps()
        assert "The browser did not open gradsteps-out/page.html. Stepping in the terminal instead." in re.sub(r"\s+", " ", said)
