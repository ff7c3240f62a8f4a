"""Which layout engine is used, and what the message says without one."""

import os
import subprocess
import sys
from pathlib import Path

import graphviz
import numpy as np
import pytest
from graphviz.backend import dot_command

from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.scalargrad.graphs import figure1
from viz import EngineFailed, NoEngine, draw, handout, play
from viz.drawing.svg import graphviz_engine
from viz.page.play import picture

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def settings_are_put_back(monkeypatch):
    monkeypatch.setattr(dot_command, "DOT_BINARY", graphviz_engine.DEFAULT)
    monkeypatch.setattr(graphviz_engine, "ours", graphviz_engine.DEFAULT)
    monkeypatch.delenv(graphviz_engine.VARIABLE, raising=False)


@pytest.fixture
def nothing_installed(monkeypatch, tmp_path):
    """A machine without any layout engine."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(graphviz_engine, "PURE", "graphviz-pure-that-is-not-there")
    monkeypatch.setenv("PATH", str(tmp_path))


def square():
    x = Value(3, name="x₁")
    return x * x


def program(folder, name):
    """Return a layout engine that reads its input and prints its name; on Windows a batch file."""
    path = folder / (name + (".bat" if os.name == "nt" else ""))
    path.write_text(f"@more > nul\n@echo {name}\n" if os.name == "nt" else f"#!/bin/sh\nwhile read -r line; do :; done\necho {name}\n")
    path.chmod(0o755)
    return path


@pytest.mark.processes
def test_svg_and_png_need_no_system_package():
    code = (
        "import sys; from scalargrad import Value; from viz import draw; x = Value(3)\n"
        "sys.stdout.buffer.write(draw(x * x, partials='both').pipe(sys.argv[1]))"
    )
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "HOME") if name in os.environ}
    for kind, start in (("svg", b"<?xml"), ("png", PNG)):
        made = subprocess.run([sys.executable, "-c", code, kind], env={**kept, "PATH": ""}, capture_output=True, check=True)
        assert made.stdout.startswith(start)
        assert made.stderr == b""  # the engine's warning about ∂ and ₁ is not shown


def test_save_render_and_pipe_are_graphvizs_own(tmp_path, capfd):
    drawing = draw(square())
    assert isinstance(drawing, graphviz.Digraph)
    assert Path(drawing.save(directory=tmp_path)).name == "graph.gv"
    rendered = Path(drawing.render("square", directory=tmp_path))
    assert rendered == tmp_path / "square.svg"
    assert rendered.read_text(encoding="utf-8") == drawing.pipe(encoding="utf-8")
    assert (tmp_path / "square").read_text(encoding="utf-8") == drawing.source
    assert Path(drawing.render(outfile=tmp_path / "s.png")).read_bytes().startswith(PNG)
    assert capfd.readouterr().err == ""


def test_notebooks_show_svg():
    drawing = draw(square())
    assert drawing._repr_svg_() == drawing._repr_mimebundle_()["image/svg+xml"] == drawing.pipe("svg", encoding="utf-8")
    assert drawing._repr_mimebundle_(include=["image/png"])["image/png"].startswith(PNG)


def test_the_environment_variable_comes_first(monkeypatch, tmp_path):
    monkeypatch.setenv(graphviz_engine.VARIABLE, str(program(tmp_path, "mine")))
    assert draw(square()).pipe("svg").split() == [b"mine"]
    monkeypatch.delenv(graphviz_engine.VARIABLE)
    assert draw(square()).pipe("svg").startswith(b"<?xml")


def test_the_environment_variable_may_name_a_program_on_the_path(monkeypatch, tmp_path):
    mine = program(tmp_path, "mine")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(graphviz_engine.VARIABLE, "mine")
    assert os.path.samefile(graphviz_engine.find_engine(), mine)


def test_a_named_program_that_does_not_exist_is_named_in_the_error(monkeypatch):
    monkeypatch.setenv(graphviz_engine.VARIABLE, "/nowhere/dot")
    with pytest.raises(NoEngine, match="no layout engine runs as '.nowhere.dot'"):
        draw(square()).pipe("svg")


def test_graphviz_pure_comes_before_dot(monkeypatch, tmp_path):
    program(tmp_path, "dot")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert graphviz_engine.find_engine().stem == "graphviz-pure"


def test_graphviz_pure_is_found_by_its_installed_files(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", "")
    assert graphviz_engine.find_engine().stem == "graphviz-pure"
    monkeypatch.setattr(sys, "executable", "")  # Python inside another program
    assert draw(square()).pipe("svg").startswith(b"<?xml")


def test_dot_on_the_path_is_the_last_resort(nothing_installed, tmp_path):
    program(tmp_path, "dot")
    assert draw(square()).pipe("svg").split() == [b"dot"]


def test_the_users_own_setting_stays(monkeypatch, tmp_path):
    mine = program(tmp_path, "mine")
    monkeypatch.setattr(dot_command, "DOT_BINARY", mine)
    assert draw(square()).pipe("svg").split() == [b"mine"]
    assert mine == dot_command.DOT_BINARY


def test_without_an_engine_the_message_says_what_to_install(nothing_installed, tmp_path):
    drawing = draw(square())
    with pytest.raises(NoEngine, match="pip install graphviz-pure"):
        drawing.pipe("svg")
    with pytest.raises(graphviz.ExecutableNotFound, match="GRADSTEPS_DOT"):
        drawing.render("square.gv", directory=tmp_path)
    assert (tmp_path / "square.gv").read_text(encoding="utf-8") == drawing.source


def test_without_an_engine_a_notebook_shows_the_dot_text_and_one_message(nothing_installed):
    drawing = draw(square())
    shown = drawing._repr_mimebundle_()
    assert list(shown) == ["text/plain"]
    assert shown["text/plain"].count("pip install") == 1
    assert shown["text/plain"].endswith(drawing.source)
    assert drawing._repr_svg_() is None


def test_an_unknown_format_is_an_error_that_lists_the_known_ones():
    with pytest.raises(graphviz.CalledProcessError, match="svg"):
        draw(square()).pipe("pdf")


@pytest.mark.parametrize(("name", "start"), [("z.svg", b"<?xml"), ("z.png", b"\x89PNG"), ("z.gv", b"digraph"), ("z", b"digraph")])
def test_the_extension_selects_what_save_writes(name, start, tmp_path):
    path = draw(Value(3.0, name="x") * 2).save(tmp_path / name)
    assert path == str(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


BROKEN = {  # {what a layout engine does: what the message says}
    "exit 1": "failed (exit code 1)",
    "echo no fonts >&2; echo at all >&2; exit 4": "failed (exit code 4): no fonts;",
    "exit 0": "wrote nothing",
    "exec 0<&-; exit 3": "failed (exit code 3)",
    "exec 0<&-; exit 0": "wrote nothing",
    "cat > /dev/null; echo": "wrote nothing",
    "kill -9 $$": "failed (exit code -9)",
}


def broken(folder, monkeypatch, script):
    """Make a layout engine that fails, name it in the environment variable, and return its path."""
    path = folder / "broken"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv(graphviz_engine.VARIABLE, str(path))
    return str(path)


def long_drawing():
    """Return a drawing with more text than fits into a pipe."""
    return draw(sum([Value(float(k), name=f"x{k}") for k in range(1, 60)], start=Value(0.0)), names={}, detail="operations")


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
@pytest.mark.processes
@pytest.mark.parametrize("script", BROKEN)
def test_an_engine_that_fails_is_named_in_one_line(script, monkeypatch, tmp_path):
    drawing = long_drawing()
    assert len(drawing.source) > 2**16
    name = broken(tmp_path, monkeypatch, script)
    (tmp_path / "old.svg").write_text("old")
    calls = [drawing.pipe, lambda: drawing.svg, lambda: drawing.save(tmp_path / "old.svg")]
    for call in calls:
        with pytest.raises(EngineFailed) as failed:
            call()
        said = str(failed.value)
        assert said.startswith(f"the layout engine {name!r} {BROKEN[script]}") and graphviz_engine.VARIABLE in said and "\n" not in said
    with pytest.raises(EngineFailed):
        drawing.render("z", directory=tmp_path)
    assert (tmp_path / "old.svg").read_text() == "old"
    assert drawing._repr_mimebundle_()["text/plain"].startswith("the layout engine")
    assert "the layout engine" in handout(figure1()["z"]).html
    assert "<p>the layout engine" in play(Trace(figure1()["z"], names={})).html  # for pages without scripts


@pytest.mark.sweep
def test_the_engine_is_not_asked_for_a_picture_that_is_too_large_for_a_page():
    asked, dice = [], np.random.default_rng(0)
    graphviz_engine.lay_out_with(lambda source, format: asked.append(source) or "<svg></svg>")
    try:
        for shape, is_large in ((2, 3), False), ((48, 48), True):
            z = sum(Tensor(dice.normal(size=shape)) ** 2 for _ in range(8)).sum()
            assert ("too large for a drawing without scripts" in picture(Trace(z, names={}), None)) == is_large
            assert len(asked) == 1, shape
    finally:
        graphviz_engine.lay_out_with(None)


def test_a_program_that_cannot_be_run_is_named_too(monkeypatch, tmp_path):
    (tmp_path / "text").write_text("no program")
    for path in tmp_path, tmp_path / "text":
        monkeypatch.setenv(graphviz_engine.VARIABLE, str(path))
        with pytest.raises(EngineFailed, match=f"^the layout engine {str(path)!r} does not run"):
            draw(square()).pipe("svg")


def test_output_that_is_not_a_picture_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv(graphviz_engine.VARIABLE, str(program(tmp_path, "mine")))
    with pytest.raises(EngineFailed, match="wrote no SVG"):
        str(draw(square()).svg)


@pytest.mark.processes
@pytest.mark.skipif(not os.path.exists("/bin/false"), reason="there is no /bin/false")
@pytest.mark.parametrize(("arguments", "code"), [(["-o", "z.svg"], 2), (["--walk"], 1)])
def test_the_command_line_fails_in_one_line_with_a_broken_engine(arguments, code, tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", "tutorial", *arguments],
        env={**os.environ, graphviz_engine.VARIABLE: "/bin/false", "PYTHONPATH": str(Path(__file__).parents[3])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    said = run.stderr + run.stdout.splitlines()[-1] if run.stdout else run.stderr
    assert run.returncode == code and "the layout engine '/bin/false' failed (exit code 1)" in said
    assert "Traceback" not in run.stderr and not (tmp_path / "z.svg").exists()


@pytest.mark.processes
def test_viz_keeps_the_state_of_random_when_it_is_imported_and_when_it_imports_the_terminal():
    code = "import random; state = random.getstate(); import viz; assert random.getstate() == state\n"
    code += "import sys; assert 'rich.console' not in sys.modules\n"
    code += "from scalargrad import Value; viz.walk(Value(1, name='x') * 2, names={}); assert random.getstate() == state"
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
