"""python -m tutorial completion: a shell completes commands, options and choices."""

import shutil
import subprocess
import sys

import pytest

from tutorial.cli.commands.completion import SHELLS
from tutorial.cli.main import main

TYPED = {  # what is typed: what the shell offers
    "gradsteps tr": "train",
    "gradsteps train ": "moons digits mnist cifar10 text",
    "gradsteps train moons --sh": "--shards",
    "gradsteps teach gr": "grade",
    "gradsteps teach grade --on": "--only",
    "gradsteps play --schedule t": "topological tape",
    "gradsteps compare eng": "engine.py",
    "gradsteps teach grade cl": "class",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_lines_that_know_the_options_of_every_command(shell, capsys):
    pytest.importorskip("shtab")
    assert main(["completion", shell]) == 0
    lines = capsys.readouterr().out
    assert all(word in lines for word in ("shards", "blanks", "allow-weak", "cifar10"))


@pytest.mark.processes
@pytest.mark.skipif(not shutil.which("bash") or sys.platform == "win32", reason="needs bash")
def test_bash_completes_what_is_typed(tmp_path, capsys):
    pytest.importorskip("shtab")
    main(["completion", "bash"])
    (tmp_path / "engine.py").touch()
    (tmp_path / "class").mkdir()
    script = capsys.readouterr().out + "cd $1; shift\n"
    script += 'for typed; do COMP_WORDS=($typed); [[ $typed == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n'
    script += 'COMPREPLY=(); _shtab_gradsteps; echo "${COMPREPLY[*]}"; done\n'
    done = subprocess.run(["bash", "-c", script, "bash", tmp_path, *TYPED], capture_output=True, text=True)
    assert dict(zip(TYPED, done.stdout.splitlines())) == TYPED


def test_without_its_package_one_line_says_how_to_get_it(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "zsh"]) == 2
    assert capsys.readouterr().err == "tutorial: completion needs the package shtab: run `pip install shtab`\n"
