"""Kernels of chapters, forked from one process that has imported what each of them needs. So a kernel does not import it again.

Jupyter starts a program for each kernel. Here this is ASK: it asks for a kernel, and ends when the kernel ends.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory

NEEDED = [
    *("ipykernel.kernelapp", "ipykernel.debugger", "IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect"),
    *("IPython.extensions.storemagic", "tornado.platform.asyncio"),
    *("tensorgrad.data", "tensorgrad.optim"),  # not nn: it adds rules, and a chapter says how many there are
    *("graphviz", "rich.cells", "xml.etree.ElementTree"),  # of viz
]
WITHIN_VIZ = ["viz.animation", "viz.export", "viz.handout", "viz.in_terminal", "viz.large_graphs.explore", "viz.memory.lifetimes"]
WITHIN_VIZ += ["viz.mermaid", "viz.notebook", "viz.slides"]
ASK = """\
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect(sys.argv[1])
    socket.send_fds(asked, [b"."], [0, 1, 2])
    asked.sendall(json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode())
    asked.shutdown(socket.SHUT_WR)
    asked.recv(1)
"""


@contextmanager
def forked(environment):
    """Serve kernels inside the `with`, and return the environment in which Jupyter finds them. Only Linux forks."""
    if sys.platform != "linux":
        yield environment
        return
    from viz.whole_files import write_file  # the parent of kernels, which imports this file too, imports no viz

    with TemporaryDirectory(prefix="gradsteps-") as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address := f"{folder}/kernels.socket")
        listener.listen(128)
        kernel = Path(folder, "kernels", "python3", "kernel.json")
        kernel.parent.mkdir(parents=True)
        argv = [sys.executable, "-I", "-S", "-c", ASK, address, "-f", "{connection_file}", "--HistoryManager.enabled=False"]
        write_file(kernel, json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
        command = [sys.executable, "-m", __name__, str(listener.fileno())]
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, pass_fds=[listener.fileno()]):  # its end closes the pipe
            yield environment | {"JUPYTER_PATH": os.pathsep.join(filter(None, [folder, environment.get("JUPYTER_PATH")]))}


def serve(listener):
    """Fork a kernel for each that asks, until the pipe of standard input is closed. Then end those that are left."""
    kernels: set[int] = set()
    while sys.stdin not in select([listener, sys.stdin], [], [])[0]:
        if not kernels:
            import_what_is_needed()
        connection, _ = listener.accept()
        if not (kernel := os.fork()):
            listener.close()
            return become_kernel(connection)
        kernels.add(kernel)
        connection.close()
    for kernel in kernels:
        with suppress(ProcessLookupError):
            os.kill(kernel, signal.SIGTERM)
        os.waitpid(kernel, 0)


def import_what_is_needed():
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # no debugger: no page starts one, and it is a third of a kernel's start
    for name in NEEDED:
        import_module(name)
    import_within_viz()
    import_module("jupyter_client.localinterfaces").localhost()  # it asks for the addresses of this machine once
    gc.freeze()  # a collection in a kernel would copy the memory that all share


def import_within_viz():
    """Import the modules of viz, but not the package: it looks for a notebook when a chapter imports it."""
    sys.modules["viz"] = module_from_spec(find_spec("viz"))
    for name in WITHIN_VIZ:
        import_module(name)
    del sys.modules["viz"]


def become_kernel(connection):
    """Be the kernel that is asked for. The connection is open as long as it lives."""
    from ipykernel.kernelapp import IPKernelApp

    _, streams, *_ = socket.recv_fds(connection, 1, 3)
    with connection.makefile(encoding="utf-8") as asked:
        argv, folder, environment = json.load(asked)
    for k, stream in enumerate(streams):
        os.dup2(stream, k)
        os.close(stream)
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    IPKernelApp.launch_instance(argv)
    atexit.unregister(IPKernelApp.instance().close)  # it may wait for a thread that waits to tell what nobody receives any more


if __name__ == "__main__":
    with suppress(ValueError):
        sys.path.remove(os.getcwd())  # a kernel does not import from where the build was started
    serve(socket.socket(fileno=int(sys.argv[1])))
