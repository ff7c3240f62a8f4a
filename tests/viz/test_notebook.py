"""In IPython, importing viz makes variables, graphs and traces show their drawing."""

import os
import subprocess
import sys

import numpy as np
import pytest

import viz
from scalargrad import Trace, named
from tensorgrad import Tensor
from viz import notebook

SESSION = """
import sys, warnings
warnings.simplefilter("error")
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config
shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))

def shown(cell):
    "What a notebook shows for a cell: the bundle of its output."
    bundles = []
    shell.displayhook.write_format_data = lambda bundle, metadata=None: bundles.append(bundle)
    result = shell.run_cell(cell)
    result.raise_error()
    return bundles[-1]
"""


def session(program, *options):
    """Run a program after SESSION in a new Python and return what it printed."""
    own = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}  # IPython warns of another active environment
    made = subprocess.run([sys.executable, *options, "-c", SESSION + program], capture_output=True, encoding="utf-8", env=own)
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_a_variable_shows_its_graph_once_viz_is_imported(tmp_path):
    out = session("""
shell.run_cell("from scalargrad import Value, Graph, Trace; x1 = Value(3); w = [Value(2), Value(-1)]; y = x1 * w[0] + w[1]")
assert "image/svg+xml" not in shown("y")
shell.run_cell("import viz")
bundle = shown("y")
assert "Value(5)" in bundle["text/plain"]
print(bundle["image/svg+xml"])
""")
    for text in (">x₁<", ">w[0]<", ">y<", ">5<"):
        assert text in out
    assert "dy/dx" not in out
    assert ">obj<" not in out and ">result<" not in out  # names that IPython itself has for y


@pytest.mark.processes
def test_an_unnamed_result_is_called_z_and_shows_its_gradients():
    out = session("""
shell.run_cell("import viz; from scalargrad import Value; x = Value(3); made = [x * x]; made[0].backward()")
print(shown("made.pop()")["image/svg+xml"])
""")
    assert ">z<" in out
    assert ">dz/dx = 6<" in out


@pytest.mark.processes
def test_constants_graphs_traces_and_drawings_show_themselves():
    session("""
shell.run_cell("import viz; from scalargrad import Value, Graph, Trace; x = Value(3); y = x * x")
for cell in ("x.detach()", "Graph(y)", "Trace(y)", "viz.draw(y)"):
    assert shown(cell)["image/svg+xml"].startswith("<?xml"), cell
assert ">dy/dx = 6<" in shown("Trace(y)")["image/svg+xml"]
assert ">dz/dx = 6<" not in shown("Graph(y)")["image/svg+xml"]
""")


@pytest.mark.processes
def test_a_trace_shows_its_page_in_a_frame_and_a_drawing_without_frames():
    session("""
shell.run_cell("import viz; from scalargrad import Value, Trace; x = Value(3, name='</iframe><script>'); y = x * x; t = Trace(y)")
bundle = shown("t")
assert {"text/plain", "text/html", "image/svg+xml"} == set(bundle)
import viz
from html.parser import HTMLParser
class Frames(HTMLParser):
    found = []
    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
frames = Frames()
frames.feed(bundle["text/html"])
[(tag, attributes)] = frames.found
assert (tag, attributes["sandbox"]) == ("iframe", "allow-scripts allow-forms"), attributes
assert attributes["srcdoc"] == viz.play(shell.user_ns["t"]).html and 'id="picture"' in attributes["srcdoc"]
assert "text/html" not in shown("y") and "text/html" not in shown("viz.draw(y)")
for cell in ("viz.play(y)", "viz.handout(y)", "viz.animate(y)"):
    assert shown(cell)["text/html"].startswith(("<iframe", "<img")), cell
for cell in ("viz.handout(y)", "viz.animate(y)"):
    assert "save(" in shown(cell)["text/plain"] and " at 0x" not in shown(cell)["text/plain"], cell
""")


@pytest.mark.processes
def test_a_traced_tensor_shows_its_page_too():
    session("""
shell.run_cell("import viz; from scalargrad import Trace; from tensorgrad import Tensor; A = Tensor([[1.0, 2.0]])")
shell.run_cell("t = Trace((A * A).sum())")
assert shown("t")["text/html"].startswith("<iframe")
""")


@pytest.mark.processes
def test_without_a_layout_engine_a_notebook_shows_text_and_pages_and_says_what_to_install():
    out = session("""
shell.run_cell("import viz; from scalargrad import Value; x = Value(3)")
import os
os.environ["GRADSTEPS_DOT"] = "/nowhere/dot"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    bundle = shown("x")
    traced = shown("from scalargrad import Trace; Trace(x * x)")
assert set(bundle) == {"text/plain"} and set(traced) == {"text/plain", "text/html"}
assert ["pip install graphviz-pure" in str(w.message) for w in caught] == [True, True]
""")
    assert "Traceback" not in out


@pytest.mark.processes
@pytest.mark.parametrize("before", ["", "import IPython; "])
def test_outside_a_notebook_importing_viz_is_silent_and_changes_nothing(before):
    program = before + "import sys; loaded = 'IPython' in sys.modules; import viz; assert ('IPython' in sys.modules) == loaded"
    made = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, encoding="utf-8")
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")


@pytest.mark.processes
def test_importing_viz_loads_nothing_large():
    large = {"numpy", "IPython", "matplotlib", "tensorgrad"}
    program = "import viz, sys; print(*{m.partition('.')[0] for m in sys.modules})"
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert not large & set(made.stdout.split())
    assert "viz" in made.stdout.split()


@pytest.mark.processes
def test_a_cell_keeps_the_names_of_the_locals_of_its_functions_and_a_long_one_stops_looking():
    session("""
from scalargrad import modes
shell.run_cell("import viz")
shell.run_cell('''
from scalargrad import Value
w, x = Value(2), Value(3)
def loss(w, x):
    hidden = w * x
    return hidden * hidden
z = loss(w, x)
''')
assert ">hidden<" in shown("z")["image/svg+xml"]
shell.run_cell("for _ in range(2000): x = x * w").raise_error()
assert not modes.active
shell.run_cell("1 / 0")
assert not modes.active and modes.witness.get() is None
""")


SCRIPT = """
import viz
from scalargrad import Trace, Value, modes

def loss(w):
    hidden = w * 3
    return hidden * hidden

print(*Trace(loss(Value(2.0))).names.values())
w, h = Value(0.5), Value(1.0)
for _ in range(3):
    h = w * h
print(*Trace(h).names.values())
for _ in range(100_000):
    h = w * h
print(modes.active)
"""


@pytest.mark.processes
def test_a_script_that_imports_viz_keeps_the_names_of_its_functions_and_a_long_one_stops_looking(tmp_path):
    (tmp_path / "program.py").write_text(SCRIPT, encoding="utf-8")
    run = subprocess.run([sys.executable, "-W", "error", tmp_path / "program.py"], capture_output=True, encoding="utf-8")
    assert (run.stdout.split("\n"), run.stderr) == (["w hidden z", "w h_0 h_1 h_2 h_3", "0", ""], "")


def test_only_a_file_of_the_user_is_a_script(tmp_path):
    installed = "/env/lib/site-packages/runner.py", "/env/bin/pytest", "/src/package/__main__.py", viz.__file__, ""
    assert notebook.is_script(str(tmp_path / "program.py")) and not any(map(notebook.is_script, installed))


def test_what_pictures_compute_is_not_among_the_first_variables_of_a_script():
    def line():
        weight = Tensor(np.ones((5, 8)))
        level = np.ones((4, 5)) @ weight
        return (level * level).sum()

    with named(12):
        viz.play(line())
        assert {"weight", "level"} < set(Trace(line()).names.values())
