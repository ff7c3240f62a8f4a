"""Kernels of chapters are forked from one process that has imported what they need. Each is a process of its own."""

import os
import sys
import time

import pytest

from tutorial.book.kernels import forked

ASKED = """import os, sys
print(os.getcwd(), os.getppid(), *(name in sys.modules for name in ("tensorgrad", "viz", "mine", "pydevd")))
sys.modules["mine"] = sys"""
DIES = "import os; os._exit(3)"

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each kernel starts by itself"),
]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """run(program) starts a kernel in tmp_path, and returns what the program prints in it; the kernel ends then."""
    manager = pytest.importorskip("jupyter_client.manager", reason="the kernels need the extra `tutorial`")

    def run(program):
        kernel, client = manager.start_new_kernel(cwd=str(tmp_path))
        printed = []
        if program == DIES:
            client.execute(program)
            for _ in range(1200):
                if not kernel.is_alive():
                    break
                time.sleep(0.05)
            assert not kernel.is_alive()
        else:
            client.execute_interactive(program, timeout=60, output_hook=lambda message: printed.append(message["content"].get("text", "")))
            kernel.shutdown_kernel()
        client.stop_channels()
        client.context.destroy()
        kernel.context.destroy()
        return "".join(printed)

    with forked(dict(os.environ)) as environment:
        monkeypatch.setenv("JUPYTER_PATH", environment["JUPYTER_PATH"])
        yield run


def test_kernels_have_one_parent_and_know_nothing_of_each_other(run, tmp_path):
    (folder, parent, *first), second = run(ASKED).split(), run(ASKED).split()
    assert second == [folder, parent, *first] and folder == str(tmp_path.resolve()) and int(parent) != os.getpid()
    assert first == ["True", "False", "False", "False"]  # viz looks for a notebook when the chapter imports it; no page has a debugger


def test_viz_looks_for_a_notebook_where_it_is_imported(run):
    program = """import sys
before = "viz" in sys.modules, [*get_ipython().display_formatter.formatters["image/svg+xml"].type_printers]
import viz
from scalargrad import Value
print(*before, Value in get_ipython().display_formatter.formatters["image/svg+xml"].type_printers, viz.play.__module__)"""
    assert run(program) == "False [] True viz.page.play\n"


def test_a_kernel_that_dies_is_seen_to_be_dead(run):
    run(DIES)


def test_a_kernel_ends_without_waiting_for_its_threads(run, tmp_path):
    """ipykernel's own end joins a thread that may wait forever; the build then waited for a kernel that held its output."""
    run("from ipykernel.iostream import IOPubThread; IOPubThread.stop = lambda thread: open('waited', 'w').close()")
    assert not (tmp_path / "waited").exists()
