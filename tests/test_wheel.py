"""The wheel, installed alone in a fresh environment: its contents, the command `gradsteps`, the main jobs.

pip downloads the dependencies. Run with: python -m pytest -m slow tests/test_wheel.py
"""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tensorgrad.kernels.compiled.build import COMPILERS

ROOT = Path(__file__).parent.parent
ROOMS = ("scalargrad", "tensorgrad", "viz", "tutorial")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory):
    """Return the folder of programs of a new environment that holds only the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("with spaces") / "a fresh environment"
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "-q", wheel)
    return programs


def run(*command, cwd=None, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COVERAGE_PROCESS_START")} | variables
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment | {"PYTHONUTF8": "1"}, stdin=subprocess.DEVNULL, capture_output=True, timeout=1800
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode("utf-8", "replace")
    return done.stdout.decode("utf-8").replace("\r\n", "\n")


def test_the_wheel_holds_the_four_packages_and_their_types_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == set(ROOMS)
    assert {f"{room}/py.typed" for room in ROOMS} <= set(names)
    assert {"tensorgrad/data/files/README.md", "tensorgrad/data/files/alice.txt.gz"} <= set(names)
    assert wheel.name.endswith("-py3-none-any.whl") and not [name for name in names if ".so" in name]
    built = {path.relative_to(ROOT).as_posix() for room in ("viz", "tutorial") for path in (ROOT / room).rglob("built/*")}
    assert len(built) >= 7 and built <= set(names) and not [name for name in names if "/src/" in name or "tsconfig" in name]


def test_the_package_page_shows_figure_1_and_has_no_broken_links(wheel):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    page = archive.read(metadata).decode("utf-8")
    assert (ROOT / "tutorial" / "graphs" / "figure1.txt").read_text(encoding="utf-8") in page
    assert "![" not in page and "](" not in page.replace("](http", "")
    assert "CONTRIBUTING.md" in page and "## Install" in page


def test_the_installed_packages_are_those_of_the_wheel(fresh, tmp_path):
    program = f"import {', '.join(ROOMS)}; print(*[m.__file__ for m in ({', '.join(ROOMS)})], sep=chr(10))"
    for path in run(fresh / "python", "-c", program, cwd=tmp_path).splitlines():
        assert Path(path).is_relative_to(fresh.parent) and not Path(path).is_relative_to(ROOT)


def test_the_installed_commands_work(fresh, tmp_path):
    printed = run(fresh / "gradsteps", cwd=tmp_path)
    assert "current node: x₄" in printed and "dz/dx₄: x₁ + 2·x₄ = 11" in printed
    for name in ("graph.svg", "derivatives.svg"):
        ElementTree.parse(tmp_path / "gradsteps-out" / name)
    assert run(fresh / "python", "-m", "tutorial", cwd=tmp_path) == printed
    assert "dz/dB = G_BC + G_BE" in run(fresh / "python", "-m", "tutorial", "matrices", cwd=tmp_path)
    assert run(fresh / "gradsteps", "tanh(w*x + b)", "w=0.5", "x=2", "b=-1", "-o", "z.svg", cwd=tmp_path) == "Written: z.svg\n"
    assert "tanh" in ElementTree.tostring(ElementTree.parse(tmp_path / "z.svg").getroot(), "unicode")
    assert run(fresh / "gradsteps", "-o", "z.html", cwd=tmp_path) == "Written: z.html\n"
    assert run(fresh / "gradsteps", "--help").startswith("usage: gradsteps ")
    assert run(fresh / "gradsteps", "--version").startswith("gradsteps 0.")


@pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="there is no C compiler here")
def test_a_wheel_with_compiled_kernels_installs_without_a_compiler_and_runs_them(fresh, tmp_path):
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT, GRADSTEPS_COMPILED="1")
    (built,) = tmp_path.glob("*.whl")
    assert "-py3-none-" in built.name and not built.name.endswith("-any.whl")
    run(fresh / "python", "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", built, PATH="", CC="no compiler")
    program = "import numpy, tensorgrad as t; print(t.kernels.running()['gelu'], t.gelu(numpy.array([-1.0, 0, 1])).round(4).tolist())"
    assert run(fresh / "python", "-c", program, cwd=tmp_path) == "compiled [-0.1587, 0.0, 0.8413]\n"
    assert run(fresh / "python", "-c", program, cwd=tmp_path, GRADSTEPS_KERNELS="numpy") == "numpy [-0.1587, 0.0, 0.8413]\n"
