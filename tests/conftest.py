"""Settings of all tests: generated examples are the same in every run, and a busy machine does not make a test fail."""

import gc
import linecache
import os
import re
import signal
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import graphviz
import pytest
from graphviz.backend import dot_command
from hypothesis import settings

from tests import each
from tests.examples import PROFILES

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # the case under nohup or in the background; the tests of Ctrl-C need the handler
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before NumPy is imported: the tests use all cores already, and threads that wait for one another took four times the CPU of a chapter.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Python looks through all objects for cycles far too often for tests that make large graphs, which took a fifth of their time.
gc.set_threshold(20_000, 20, 50)

BROWSER = Path(__file__).parent / "browser"
OWN_MARK = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.(\w+)", re.M)  # of all tests of a file

for name, count in PROFILES.items():
    settings.register_profile(name, derandomize=True, deadline=None, max_examples=count)
settings.load_profile("few")


def pytest_addoption(parser):
    parser.addoption("--case", default="", metavar="TEXT", help="of a test of many cases, run only those whose name has this text")


def pytest_configure(config):
    """Pass on which cases run.

    Compiled files are written also where Python is told not to: else each process of a run, and each program that a test starts, compiles
    all tests and packages again.
    """
    each.chosen = config.getoption("--case")
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if compares_with_torch(config):  # on a busy machine PyTorch's threads wait for each other, 27 s for a softmax of 9 entries
        os.environ.setdefault("OMP_NUM_THREADS", "1")


def compares_with_torch(config):
    return "torch" in config.option.markexpr and "not torch" not in config.option.markexpr


def pytest_report_header(config):
    """Say which peer of the comparisons with PyTorch is missing: one case of a test may be skipped while the others run."""
    missing = [name for name in ("torch", "torchvision", "safetensors") if find_spec(name) is None]
    return f"not installed, so not compared with: {', '.join(missing)}" if compares_with_torch(config) and missing else None


def pytest_ignore_collect(collection_path, config):
    """Do not even import tests that all have a mark that the run leaves out, nor browser tests in a run of tests of another mark.

    Most of them import other libraries. Where such a library is missing, pytest takes a third of a second to say that a file is skipped.
    """
    marks = config.option.markexpr
    if collection_path == BROWSER:
        left_out = "not browser" in marks or marks and "browser" not in marks
    elif collection_path.name.startswith("test_"):
        own = OWN_MARK.search(collection_path.read_text(encoding="utf-8")) if collection_path.suffix == ".py" else None
        left_out = own and f"not {own[1]}" in marks
    else:
        return None
    named = any(collection_path.name in argument for argument in config.args)
    return True if left_out and not named else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Do not look for doctests in the tests: each process of a run would import all their helpers and read all their docstrings."""
    return [collector for collector in (yield) if type(collector) is pytest.Module]


@pytest.fixture(scope="module", autouse=True)
def without_older_objects():
    """Exclude the tests and what earlier files left from what Python looks through again and again.

    Each garbage collection looks through all objects; before each doctest, the time of every file whose lines were read is asked for.
    """
    gc.freeze()
    linecache.clearcache()


def pytest_xdist_auto_num_workers(config):
    """Use one process for tests that measure time or open a browser, because others would disturb them; else let pytest-xdist
    choose.
    """
    marks = config.option.markexpr
    return None if "not browser" in marks or "processes" in marks else 0


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """The temporary folder that all processes of one run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session", autouse=True)
def layouts_are_kept(shared):
    """Let graphviz-pure lay out a drawing once in a run: half of the layouts are of a drawing that another test lays out, too.

    Its answer to the same text is always the same bytes. Failures and other engines are not kept.
    """
    lay_out, folder = graphviz.pipe, shared / "layouts"
    folder.mkdir(exist_ok=True)

    def kept(engine, format, data, **options):
        program = str(dot_command.DOT_BINARY)
        if Path(program).stem != "graphviz-pure":
            return lay_out(engine, format, data, **options)
        path = folder / sha256(repr((program, engine, format, data, options)).encode()).hexdigest()
        if not path.exists():
            part = path.with_suffix(f".{os.getpid()}")
            part.write_bytes(lay_out(engine, format, data, **options))
            part.replace(path)  # other processes see it whole or not at all
        return path.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphviz, "pipe", kept)
        yield


@pytest.fixture(scope="session")
def site(shared):
    """The folder of the built book, which GRADSTEPS_SITE may name. Else the first process that needs it builds it, in a process of its own.

    Others see it whole or not at all. If it could not be built, the reason is that of all of them: none tries it again.
    """
    from filelock import FileLock

    if built := os.environ.get("GRADSTEPS_SITE"):
        return Path(built).resolve()
    folder, why_not = shared / "a site", shared / "why there is no site"
    with FileLock(f"{folder}.lock"):
        if not folder.exists() and not why_not.exists():
            part = shared / "part of a site"
            done = subprocess.run([sys.executable, "-m", "tutorial", "build", "-o", part], capture_output=True, text=True)
            part.rename(folder) if done.returncode == 0 else why_not.write_text(done.stderr)
    assert folder.exists(), why_not.read_text()
    return folder
