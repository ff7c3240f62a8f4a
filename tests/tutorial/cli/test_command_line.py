"""python -m tutorial, as a person runs it: in a pipe, with options, with mistakes."""

import ast
import inspect
import io
import json
import os
import platform
import runpy
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scalargrad.tracing.schedules import SCHEDULES
from tests.each import each
from tutorial.cli import program
from tutorial.cli.main import main
from tutorial.cli.shared.find_command import Command

ROOT = Path(__file__).parents[3]
LONG = "a" * 300  # longer than a file's name may be
RED = "\x1b[31m"  # colours what follows in a terminal


def encoded(encoding, *args):
    """Run a command with an output of some encoding, and return its exit code and what it printed."""
    with io.TextIOWrapper(output := io.BytesIO(), encoding) as stream, redirect_stdout(stream):
        code = main([*args])
        stream.flush()
        return code, output.getvalue().decode(encoding)


@pytest.fixture
def here(capsys):
    """Runs a command, and returns its exit code and what it wrote to both streams."""

    def here(*args):
        code = main([*args])
        return code, *capsys.readouterr()

    return here


def test_in_a_pipe_the_whole_walk_through_figure_1_is_printed_and_the_diagrams_are_written(tmp_path, monkeypatch, here):
    monkeypatch.chdir(tmp_path)
    code, out, err = here()
    assert (code, err) == (0, "")
    for name in ("y₂", "y₁", "x₂", "x₁", "x₃", "x₄"):
        assert f"current node: {name}" in out
    assert "y₁ + x₁" in out and "x₁ + 2·x₄" in out
    assert "\x1b" not in out
    for picture in ("graph.svg", "derivatives.svg"):
        assert picture in out
        ElementTree.parse(tmp_path / "gradsteps-out" / picture)


def test_any_expression_is_stepped_through(tmp_path, here):
    code, out, _ = here("step", "x1*(x1+x2+x3+x4)+x4**2", "x1=3", "x2=1", "x3=-2", "x4=4", "--svg", str(tmp_path))
    assert code == 0
    assert "current node: y₁" in out
    assert "11" in out
    assert "∂y₃/∂x₄" in (tmp_path / "derivatives.svg").read_text(encoding="utf-8")


def test_the_matrices_of_the_second_half_are_stepped_through(tmp_path, here):
    code, out, err = here("matrices", "--svg", str(tmp_path))
    assert (code, err) == (0, "")
    assert "z = sum(W) = 82" in out and "dz/dB = G_BC + G_BE" in out
    assert "= [ 5   5] + [1  1] = [ 6   6]" in out and "[12  12]   [1  1]   [13  13]" in out
    assert "G_BC = Aᵀ dz/dC = [[5, 5], [12, 12]]" in (tmp_path / "derivatives.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    code, out, _ = here("matrices", "C", "--svg", str(tmp_path))
    assert code == 0 and "z = sum(C) = 58" in out and "dz/dB = G_BC\n" in out


def test_matrices_have_the_options_of_every_walk(tmp_path, here):
    code, out, _ = here("matrices", "--json", "--schedule", "counting", "--svg", str(tmp_path))
    totals = {json.loads(out)["variables"][i["variable"]]["name"]: i["total"]["number"] for i in json.loads(out)["insertions"]}
    assert code == 0 and totals["B"] == [[6, 6], [13, 13]]
    code, _, err = here("matrices", "--order", "z,B,W,C,E,A,D", "--svg", str(tmp_path))
    assert code == 2 and "B stands before its child C" in err
    code, _, err = here("matrices", "--schedule", "paths", "--svg", str(tmp_path))
    assert code == 2 and "choose another schedule" in err
    code, out = encoded("ascii", "matrices", "--svg", str(tmp_path))
    assert code == 0 and "A^T dz/dC" in out


def test_json_is_the_trace_and_nothing_else(tmp_path, here):
    code, out, err = here("--json", "--svg", str(tmp_path))
    trace = json.loads(out)
    assert code == 0
    assert trace["schema"] == "gradsteps/trace" and trace["version"] == 1
    assert len(trace["steps"]) == 46
    assert [trace["variables"][v]["name"] for v in trace["order"]] == ["z", "y2", "y1", "x2", "x1", "x3", "x4"]
    assert "derivatives.svg" in err


@pytest.mark.parametrize("args", [["--json", "step", "x*x", "x=3"], ["step", "x*x", "x=3", "--json"], ["step", "--json", "x*x", "x=3"]])
def test_options_may_stand_before_and_after_the_command(args, tmp_path, capsys):
    assert main([*args, "--svg", str(tmp_path)]) == 0
    assert len(json.loads(capsys.readouterr().out)["variables"]) == 2


def test_the_first_entries_of_a_tape_can_be_walked_with_numbers_for_names(tmp_path, here):
    code, out, _ = here("--schedule", "tape", "--first", "5", "--numbers", "--svg", str(tmp_path))
    assert code == 0 and "The last 2 entries of the tape have passed gradients to v0, v4," in out.replace("₀", "0").replace("₄", "4")
    assert "Visit entry #4 on the tape" in out and "entry #5" not in out


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_can_be_walked(schedule, tmp_path, here):
    code, out, _ = here("--schedule", schedule, "--svg", str(tmp_path))
    assert code == 0
    assert "11" in out


@pytest.mark.parametrize(("detail", "steps"), [([], 7), (["--detail", "operations"], 13), (["--numbers"], 13)])
def test_an_expression_of_many_operations_is_walked_in_statements(detail, steps, tmp_path, capsys):
    graph = ["step", "(tanh(w1*0.5 + w2*x + b)*v + c - 1)**2", "w1=0.3", "w2=0.2", "x=1", "b=0.1", "v=0.7", "c=0"]
    assert main([*graph, "--walk", "--svg", str(tmp_path), *detail]) == 0
    assert capsys.readouterr().out.count("current node") == steps


def test_an_order_of_your_own_is_followed(tmp_path, here):
    code, out, _ = here("--order", "z,y1,y2,x4,x3,x2,x1", "--svg", str(tmp_path))
    assert code == 0
    assert out.index("current node: x₄") < out.index("current node: x₁")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--order", "z,x1,y1,y2,x2,x3,x4"], "x1 stands before its child y1"),
        (["--order", "z,y1"], "leaves out"),
        (["--order", "z,q"], "unknown variable 'q'; the variables are x1, x2"),
        (["--queue", "lifo"], "--queue requires --schedule counting, got topological"),
        (["--first", "3"], "--first requires --schedule tape, got topological"),
        (["--schedule", "tape", "--first", "8"], "tape: first=8 must be a number of entries; this tape has 7, so from 1 to 7"),
        (["step", "x1*(x1+", "x1=3"], "never closed"),
        (["step", "x1*x2", "x1=3"], "column 4 of \"x1*x2\", at 'x2': x2 has no value"),
        (["step", "x1", "x1=three"], "'x1=three': three is not a finite number"),
        (["step", "x1", "x1=nan"], "nan is not a finite number"),
        (["step", "x1", "x1"], "'x1' is not name=number"),
        (["x1", "*", "x2", "x1=3"], "'*' is not name=number, for example x1=3; put the whole expression in double quotes"),
        (["x1", "README.md", "x2", "x1=3"], "'README.md' is not name=number, for example x1=3; put the whole expression in double quotes"),
        (["x*x", "x", "=", "3"], "'x' is not name=number, for example x1=3; write no spaces around ="),
        (["x*x", "3"], "'3' is not name=number, for example x1=3\n"),
        (["x*x", "x=3", "out.svg"], "'out.svg' is not name=number, for example x1=3; write -o out.svg to name a file"),
        (["--", "train"], "train has no value; add train=1"),
        (["step", "x1", "x1=1", "x1=2"], "x1 is given twice"),
        (["step", "x1"], "x1 has no value"),
        (["fly"], "fly has no value; add fly=1"),
        (["--order", ""], "unknown variable ''"),
        (["-o", "z.pdf"], "cannot tell the file type of 'z.pdf'; use one of the extensions .html"),
        (["-o", "no/such/folder/z.html"], "no/such/folder/z.html cannot be written"),
        (["--functions", "nodes", "-o", "z.json"], "--functions nodes does not go with a file of kind trace"),
        (["--as", "handout"], "--as handout needs a name for the file: -o handout.html"),
        (["--seed", "3", "-o", "z.html"], "--seed requires --as handout"),
        (["--no-solution"], "--no-solution requires --as handout"),
        (["matrices", "--seed", "3", "--as", "handout", "-o", "z.html"], "seed=3 needs a graph of numbers; this graph has arrays"),
        (["--as", "animation", "-o", "z.html"], "kind 'animation' needs the extension .svg, got 'z.html'"),
        (["-o", ""], "cannot tell the file type of ''"),
        (["-o", "-"], "cannot tell the file type of '-'"),
        (["-o", "tests"], f"tests is a folder; name a file in it: -o {Path('tests', 'z.html')}"),
        (["--walk", "fly"], "fly has no value; add fly=1"),
        (["-o", f"{LONG}.html"], f"{LONG}.html cannot be written: "),
        (["-o", "README.md/z.html"], "README.md/z.html cannot be written: "),
        (["lambda*x", "lambda=1", "x=2"], "lambda is a keyword of Python"),
        (["x", "class=1"], "class is a keyword of Python"),
        (["np.sin(x)", "x=1"], "write sin(...) instead of np.sin(...)"),
        (["--symbols", "-o", "z.html"], "--symbols requires --as handout"),
        (["--blanks", "12"], "--blanks requires --as handout"),
        (["-o", "z.html", "--svg", "folder"], "--svg does not go with -o, which writes one file"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(args, said, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert err.count("\n") == 1 and out == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--schedule", "magic"], "argument --schedule: 'magic' is not one of topological, propagate, counting, tape, paths (see "),
        (["--schedule=tap"], "counting, tape, paths; did you mean tape? (see python -m tutorial --help)"),
        (["train", "moon"], "argument TASK: 'moon' is not one of moons, digits, mnist, cifar10, text; did you mean moons?"),
        (["--walk", "-o", "z.html"], "argument -o: not allowed with argument --walk"),
        (["--json", "--terminal"], "argument --terminal: not allowed with argument --json"),
        (["teach", "grade", "class", "--jobs", "2", "--dask", "local"], "argument --dask: not allowed with argument --jobs"),
        (["-o", "--as", "handout"], "argument -o: expected one argument"),
        (["step"], "required: expression"),
        (["--svg"], "argument --svg: expected one argument (see python -m tutorial --help)"),
        (["--colour"], "python -m tutorial has no option --colour (see python -m tutorial --help)"),
        (["--sched", "tape"], "python -m tutorial has no option --sched; did you mean --schedule?"),
        (["train", "digits", "-o", "run"], "16 others have it; did you mean --out?"),
        (["trian", "digits"], "there is no command trian; did you mean train?"),
        (["moons"], "there is no command moons; did you mean train moons?"),
        (["grade", "class"], "there is no command grade; did you mean teach grade?"),
        (["teach", "graed", "class"], "teach has no command graed; did you mean teach grade?"),
        (["teach-grade", "class"], "there is no command teach-grade; did you mean teach grade?"),
        (["TRAIN", "moons"], "there is no command TRAIN; did you mean train?"),
        (["--lr", "3", "trian", "moons"], "python -m tutorial has no option --lr; train has it"),
        (["exercises", "--check", "02"], "exercises has no option --check; torch and teach live have it; did you mean exercises check?"),
        (["teach", "export", "r.jsonl", "--canvas"], "teach export has no option --canvas; did you mean --to canvas?"),
        (["--tape"], "python -m tutorial has no option --tape; did you mean --schedule tape?"),
        (["teach", "x"], "teach has no command x; it has selftest, build, "),
        (["train", "moons", "twice"], "unrecognized arguments: twice (see python -m tutorial train --help)"),
        (["--seed", "5-3"], "'5-3' is not a seed such as 7, nor a range such as 1-25"),
        (["--blanks", "0"], "'0' is not an integer from 1 on, nor all"),
        (["matrices", "X"], "argument summed: 'X' is not one of W, C (see "),
        (["matrices", "w"], "; did you mean W?"),
        (["--walk=yes"], "--walk takes no value, got 'yes'"),
        (["version"], "there is no command version; did you mean --version?"),
        (["--output", "a.svg"], "python -m tutorial has no option --output; did you mean -o?"),
        (["--out", "a.svg"], "python -m tutorial has no option --out; train has it; did you mean -o?"),
        (["teach", "grade", "-j", "4", "class"], "teach grade has no option -j; did you mean --jobs?"),
        (["book", "3"], "unrecognized arguments: 3 (see python -m tutorial book --help)"),
        (["build", "--", "--site"], "unrecognized arguments: --site (see python -m tutorial build --help)"),
        (["--epochs", "0", "train", "moons"], "'0' is not an integer from 1 to 10,000 (see python -m tutorial train --help)"),
    ],
)
def test_options_that_cannot_be_read_are_one_line_and_exit_code_2(args, said, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(args)
    out, err = capsys.readouterr()
    assert said in err
    assert err.startswith("tutorial: ") and err.count("\n") == 1 and out == ""


@pytest.mark.parametrize(
    "args",
    [
        [f"--{RED}"],
        [RED],
        ["x", f"{RED}=3"],
        ["x", f"x={RED}"],
        ["--schedule", RED],
        ["--order", f"z,{RED}"],
        ["-o", RED],
        ["-o", f"no/{RED}.html"],
        ["--as", RED],
        ["matrices", RED],
        ["train", RED],
        ["train", "moons", "--epochs", RED],
        ["train", "moons", "--out", f"README.md/{RED}"],
        ["teach", RED],
        ["x\n+", "x=1"],
        [f"--{RED}\n\u202e"],
    ],
)
def test_what_the_user_typed_reaches_the_terminal_without_control_characters(args, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    try:
        code = main(args)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "") and err.endswith("\n") and err[:-1].isprintable()


def test_the_name_of_a_file_reaches_the_terminal_without_control_characters(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["-o", f"{RED}.mmd"]) == 0 and main(["--svg", RED, "--walk"]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("args", [["help"], ["help", "train"], ["help", "teach", "grade"], ["help", "step"]])
def test_the_word_help_prints_the_help(args, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(args)
    helped = capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        main([*args[1:], "--help"])
    assert capsys.readouterr().out == helped and "usage: python -m tutorial" in helped


@each(
    "args",
    [["-h", "train", "moons"], ["--seed", "3", "train", "-h"], ["train", "moons", "--seed", "x", "--help"], ["train", "--colour", "-h"]],
)
def test_help_is_that_of_the_command_wherever_it_stands(args, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(args)
    assert capsys.readouterr().out.startswith("usage: python -m tutorial train [-h] ")


def test_a_command_reads_only_arguments_that_its_parser_has():
    """No other test may run a new command."""
    modules = {c: c.declared for c in Command(program.__name__).leaves() if inspect.ismodule(c.declared)}
    assert len(modules) > 20
    for command, module in modules.items():
        nodes = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Attribute)]
        read = {node.attr for node in nodes if ast.unparse(node.value) == "args" and isinstance(node.ctx, ast.Load)}
        assert read <= {action.dest for action in command.parser._actions} | command.parser._defaults.keys(), str(command)


def test_the_version_is_one_line_with_what_it_runs_on(capsys):
    assert main(["--version"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    for part in (
        f"gradsteps {metadata.version('gradsteps')}",
        f"numpy {metadata.version('numpy')}",
        "graphviz-pure ",
        f"Python {platform.python_version()}",
    ):
        assert part in out


def test_the_installed_command_says_its_own_name(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/gradsteps"])
    for args in (["--help"], ["train", "--help"], ["step", "--help"]):
        with pytest.raises(SystemExit, match="0"):
            main(args)
        out = capsys.readouterr().out
        assert "usage: gradsteps" in out and "python -m" not in out
    assert main(["fly"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("gradsteps: ") and "python -m" not in err
    with pytest.raises(SystemExit, match="2"):
        main(["--colour"])
    assert capsys.readouterr().err == "gradsteps: gradsteps has no option --colour (see gradsteps --help)\n"


@pytest.mark.parametrize("args", [["step", "-x", "x=3"], ["-x", "x=3"], ["step", "-x*x", "x=-3"], ["x*x", "x=3"]])
def test_an_expression_may_begin_with_a_minus_and_needs_no_command(args, tmp_path, capsys):
    options = ["--walk", "--svg", str(tmp_path)]
    for written in [*args, *options], [*options, *args]:
        assert main(written) == 0
        assert "current node: x" in capsys.readouterr().out


def test_integers_beyond_all_floats_are_walked_too(tmp_path, capsys):
    assert main(["step", "x*y*x", f"x={10**400}", "y=0.5", "--walk", "--svg", str(tmp_path)]) == 0
    assert "inf" in capsys.readouterr().out


@pytest.mark.sweep
def test_help_teaches_by_example_and_every_example_of_it_runs(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "Without a command, the program plays the tutorial's Figure 1" in program.DESCRIPTION
    examples = [line.strip() for line in program.EPILOG.splitlines() if line.startswith("  python -m tutorial")]
    assert len(examples) >= 5
    import shlex

    for example in examples:
        args = shlex.split(example.partition(">")[0].replace("--seed 1-25", "--seed 1-2"))[3:]
        if args[:1] in (["playground"], ["build"], ["compare"], ["exercises"], ["teach"], ["book"], ["slides"], ["train"], ["torch"]):
            continue  # tests/browser builds and opens them; other tests give compare, exercises and train what they need
        alone = args[:1] in (["notebook"], ["read"]) or "-o" in args
        options = [] if alone else ["--svg", str(tmp_path)]
        assert main([*args, *options]) == 0, example
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"neuron.html", "handout.html", "class.html", "graph.svg", "derivatives.svg", "inductive-chain-rule.ipynb"}
    capsys.readouterr()


@pytest.mark.parametrize(
    ("args", "name", "begins", "holds"),
    [
        (["play", "-o"], "figure1.html", "<!doctype html>", "transcript"),
        (["play", "x*x", "x=3", "-o"], "square.html", "<!doctype html>", "transcript"),
        (["x*x", "x=3", "-o"], "square.svg", "<?xml", "dz/dx = 6"),
        (["-o=short.svg", "x*x", "x=3"], "short.svg", "<?xml", "dz/dx = 6"),
        (["x*x", "-oshort.svg", "x=3"], "short.svg", "<?xml", "dz/dx = 6"),
        (["step", "x*x", "x=3", "-o"], "square.png", "\x89PNG", ""),
        (["-x", "x=3", "-o"], "minus.mmd", "flowchart", "z = −x = −3"),
        (["-o"], "graph.gv", "", "digraph"),
        (["-o"], "trace.json", "{", "gradsteps/trace"),
        (["--as", "handout", "-o"], "sheet.html", "<!doctype html>", "____"),
        (["matrices", "--functions", "nodes", "-o"], "nodes.svg", "<?xml", ">matmul<"),
        (["matrices", "--as", "animation", "-o"], "pass.svg", "<svg", "@keyframes"),
        (["matrices", "--as", "explore", "-o"], "net.html", "<!doctype html>", "name, function or shape"),
        (["matrices", "--as", "memory", "-o"], "memory.svg", "<svg", "one rewind to the mark frees a batch"),
        (["--schedule", "counting", "-o"], "counting.json", "{", "DEPENDENCY_COUNTING"),
    ],
)
def test_the_option_o_writes_one_file(args, name, begins, holds, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*args, name] if args[-1] == "-o" else args) == 0
    assert capsys.readouterr().out == f"Written: {name}\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    text = (tmp_path / name).read_bytes().decode("utf-8" if name != "square.png" else "latin-1")
    assert text.lstrip("/ ").startswith(begins) and holds in text


@pytest.mark.parametrize(
    "options, sheets, blanks",
    [
        ([], 2, 12),
        (["--no-solution"], 1, 12),
        (["--solution", "--blanks", "5"], 2, 4),
        (["--blanks", "all", "--no-solution"], 1, 65),
        (["--symbols", "--seed", "1-3"], 6, 36),
        (["--seed", "7", "--no-solution"], 1, 12),
    ],
)
def test_the_options_of_a_handout(options, sheets, blanks, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["--as", "handout", "-o", "sheet.html", *options]) == 0
    text = Path("sheet.html").read_text(encoding="utf-8")
    assert (text.count("<section"), text.count(">____<")) == (sheets, blanks)


def test_without_a_layout_engine_the_walk_goes_on(tmp_path, here, monkeypatch):
    monkeypatch.setenv("GRADSTEPS_DOT", "/nowhere/dot")
    code, out, err = here("x*x", "x=3", "--svg", str(tmp_path))
    assert (code, err) == (0, "")
    assert "current node: x" in out and "No diagrams: no layout engine runs" in out and "pip install graphviz-pure" in out
    code, out, err = here("-o", str(tmp_path / "z.svg"))
    assert (code, out) == (2, "") and "pip install graphviz-pure" in err and err.count("\n") == 1


def test_without_a_writable_folder_the_diagrams_go_to_a_temporary_one(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["--walk", "--svg", str(tmp_path / "file" / "below")]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    folder = Path(said.removeprefix("Diagrams: ").partition(" (")[0]).parent
    ElementTree.parse(folder / "graph.svg")
    (tmp_path / "graph.svg").mkdir()
    assert main(["--walk", "--svg", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("No diagrams: ")


@pytest.mark.processes
def test_ctrl_c_does_not_print_a_traceback(tmp_path):
    interrupted = "import signal, viz; viz.walk = lambda trace: signal.raise_signal(signal.SIGINT)"
    program = f"{interrupted}; import runpy, sys; sys.argv = ['', '--walk']; runpy.run_module('tutorial', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True)
    assert (done.returncode, done.stderr) == (130, b"")


@each(
    "module",
    [
        "tutorial.cli.command",
        "tutorial.cli.shared.parser",
        "tutorial.cli.main",
        "tutorial.cli.commands.train",
    ],
)
def test_ctrl_c_while_modules_are_imported_prints_nothing(module, monkeypatch, capfd):
    class Interrupt:
        """A finder in which Ctrl-C arrives as soon as the module is asked for."""

        def find_spec(self, name, path, target=None):
            if name == module:
                signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        for name in [name for name in sys.modules if name.startswith("tutorial.cli")]:
            patch.delitem(sys.modules, name)
        patch.setattr(sys, "meta_path", [Interrupt(), *sys.meta_path])
        patch.setattr(sys, "argv", ["tutorial", "train", "moons"])
        with pytest.raises((SystemExit, KeyboardInterrupt)) as left:
            runpy.run_module("tutorial", run_name="__main__")
    assert left.type is SystemExit and left.value.code == 130 and capfd.readouterr() == ("", "")


@pytest.mark.processes
def test_a_reader_that_closes_the_pipe_is_not_an_error(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "tutorial", "--svg", str(tmp_path)],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PYTHONUTF8": "1"},
    )  # fmt: skip
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_an_encoding_without_greek_letters_gets_plain_ones(encoding, tmp_path):
    code, out = encoded(encoding, "--svg", str(tmp_path))
    assert code == 0 and "current node: x1" in out and "2*x4" in out
