"""Any graph is written to a file whose extension selects the format."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import viz
from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.viz.graphs import figure1_trace
from viz.export import KINDS

FIGURE1 = figure1_trace()


def test_the_extension_selects_the_format(tmp_path):
    made = {
        "z.html": viz.play(FIGURE1).html,
        "z.mmd": viz.mermaid(FIGURE1),
        "z.json": FIGURE1.to_json(indent=1),
        "Z.HTM": viz.play(FIGURE1).html,
        "z.MERMAID": viz.mermaid(FIGURE1),
    }
    for name, content in made.items():
        path = viz.export(FIGURE1, tmp_path / name)
        assert path == str(tmp_path / name) and Path(path).read_bytes().decode() == content


def test_the_drawing_of_a_trace_has_every_partial_and_total_derivative(tmp_path):
    svg = Path(viz.export(FIGURE1, tmp_path / "z.svg")).read_text(encoding="utf-8")
    for text in ("dz/dx₄ = 11", "∂y₂/∂x₄ = 2·x₄ = 8", "dz/dz = 1"):
        assert text in svg.replace("&#160;", " ")
    assert "current x" not in svg
    assert "current x" in Path(viz.export(FIGURE1, tmp_path / "z.svg", step=28)).read_text(encoding="utf-8")
    plain = Path(viz.export(FIGURE1.graph.z, tmp_path / "z.svg")).read_text(encoding="utf-8")
    assert "dz/dx" not in plain and ">34<" in plain
    assert Path(viz.export(FIGURE1, tmp_path / "z.png")).read_bytes()[:4] == b"\x89PNG"
    dot = Path(viz.export(FIGURE1, tmp_path / "z.gv")).read_text(encoding="utf-8")
    assert "digraph" in dot and "dz/dx₄ = 11" in dot
    assert Path(viz.export(FIGURE1, tmp_path / "z.dot")).read_text(encoding="utf-8") == dot


def test_kind_selects_a_handout_or_an_animation(tmp_path):
    assert Path(viz.export(FIGURE1, tmp_path / "z.html", "handout")).read_text(encoding="utf-8") == viz.handout(FIGURE1).html
    animation = Path(viz.export(FIGURE1, tmp_path / "z.svg", "animation", seconds=2)).read_text(encoding="utf-8")
    assert animation == viz.animate(FIGURE1, seconds=2).svg


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_made_from_values_tensors_and_traces(kind, tmp_path):
    x, A = Value(3, name="x"), Tensor([[1.0, 2.0]], name="A")
    z = (A * A).sum()
    drawn = (z, Trace(z)) if kind == "memory" else (x * x, z, Trace(z))  # a graph of numbers holds no arrays
    for number, z in enumerate(drawn):
        for ending in KINDS[kind].extensions:
            path = Path(viz.export(z, tmp_path / f"{number}{ending}", kind))
            assert path.stat().st_size > 10
            if ending == ".svg":
                ElementTree.parse(path)
            if ending == ".json":
                assert json.loads(path.read_text(encoding="utf-8"))["schema"] == "gradsteps/trace"


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("z.pdf", None, r"cannot tell the file type of 'z.pdf'; use one of the extensions \.html, "),
        ("z", None, "cannot tell the file type of 'z'"),
        ("z.svg", "film", "export: kind is 'film'; choose one of None, 'page', 'drawing'"),
        ("z.png", "page", r"kind 'page' needs the extension \.html or \.htm, got 'z.png'"),
    ],
)
def test_an_unknown_extension_or_kind_is_refused(name, kind, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        viz.export(FIGURE1, tmp_path / name, kind)
    assert not list(tmp_path.iterdir())
