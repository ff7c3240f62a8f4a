"""The program on standard streams that are closed, full, or without a reader: one line at most, and the right exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COMMANDS = {
    "walk": [],
    "read": ["read"],
    "help": ["--help"],
}

pytestmark = [pytest.mark.processes, pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a shell")]


def shell(args, redirection, folder):
    """Exit code and what still reaches the terminal, of the program in a shell."""
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            f'{{ "$@"; code=$?; echo $code >code; (exit $code); }} {redirection}',
            "sh",
            sys.executable,
            "-m",
            "tutorial",
            *args,
        ],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("command", ["walk", "help"])
def test_output_that_cannot_be_written_is_one_line_and_exit_code_2(command, tmp_path):
    redirections = {">&-": "Bad file descriptor"}
    if Path("/dev/full").exists():
        redirections[">/dev/full"] = "No space left on device"
    for redirection, why in redirections.items():
        said = shell(COMMANDS[command], redirection, tmp_path)
        assert said == (2, "", f"tutorial: standard output cannot be written: {why}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_of_only_the_first_line_gets_no_complaint(command, tmp_path):
    _, out, err = shell(COMMANDS[command], "| { read -r line; }", tmp_path)
    assert (out, err) == ("", "") and (tmp_path / "code").read_text() == "0\n"


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&-"])
def test_without_the_other_streams_it_works_as_ever(redirection, tmp_path):
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    code, out, _ = shell(["--json"], redirection, tmp_path)
    assert code == 0 and out.endswith("}\n")
    if redirection != "<&-":
        for mistake in (["--colour"], ["fly"]):
            assert shell(mistake, redirection, tmp_path) == (2, "", "")


def test_with_all_streams_closed_nothing_is_written_into_a_file_by_mistake(tmp_path):
    code, _, _ = shell(["-o", "z.svg"], ">&- 2>&- <&-", tmp_path)
    assert code == 2
    svg = (tmp_path / "z.svg").read_text(encoding="utf-8")
    assert svg.startswith("<?xml") and svg.rstrip().endswith("</svg>") and "cannot be written" not in svg
