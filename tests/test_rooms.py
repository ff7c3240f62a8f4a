"""The rooms of the house: arrows between them point one way, scalargrad needs nothing but Python, every public name is explained."""

import ast
import builtins
import doctest
import functools
import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import numpy
import pytest

import scalargrad
import tensorgrad
from tests.each import each

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {  # room: the rooms below it
    "scalargrad": set(),
    "tensorgrad": {"scalargrad"},
    "viz": {"scalargrad"},
    "tutorial": {"scalargrad", "tensorgrad", "viz"},
}
ROOMS = [room for room in MAY_IMPORT if (ROOT / room).is_dir()]
PYTHON_ONLY = set(sys.stdlib_module_names) | {"scalargrad"}


def sources(room):
    return sorted((ROOT / room).rglob("*.py"))


@functools.cache
def parsed(path):
    """Return the docstring of a file and its import statements, inside functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return ast.get_docstring(tree), [node for node in statements(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def statements(tree):
    """Yield all statements below a node, and not the many expressions in them, as `ast.walk` does."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, part, ()):
            yield node
            yield from statements(node)


def import_statements(path):
    return parsed(path)[1]


def imports(path):
    """(line, the first part of the name) of everything a file imports, inside functions too."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write the room's name, not a relative import"
            yield node.lineno, node.module.partition(".")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_below_it(room):
    for path in sources(room):
        for line, name in imports(path):
            assert name not in MAY_IMPORT or name == room or name in MAY_IMPORT[room], f"{path}:{line}: {room} must not import {name}"
            assert name not in ("tests", "benchmarks"), f"{path}:{line}: {room} must not import {name}"


def test_the_rooms_form_no_circle():
    seen = {room: {name for path in sources(room) for _, name in imports(path)} & set(ROOMS) - {room} for room in ROOMS}
    list(TopologicalSorter(seen).static_order())  # raises CycleError, with the circle


def module(path):
    """The dotted name of a file: scalargrad.value, and scalargrad for its __init__.py."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def modules_imported(path, modules):
    """The modules of the house that a file imports, inside functions too. A package stands for what its face imports."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names if f"{node.module}.{alias.name}" in modules)
            if node.module in modules and any(f"{node.module}.{alias.name}" not in modules for alias in node.names):
                yield node.module


def test_the_files_form_no_circle():
    files = {module(path): path for room in ROOMS for path in sources(room)}
    list(TopologicalSorter({name: set(modules_imported(path, files)) for name, path in files.items()}).static_order())


def test_the_folders_of_a_room_form_no_circle():
    """A folder imports only what stands below it; a file in the room's own floor is a folder of its own."""
    files = {module(path): path for room in ROOMS for path in sources(room) if path.name != "__init__.py"}
    folders: dict = {}
    for name, path in files.items():
        here = folders.setdefault(folder_of(path, name), set())
        here |= {folder_of(files[other], other) for other in modules_imported(path, files)} - {folder_of(path, name)}
    list(TopologicalSorter(folders).static_order())


def test_the_large_folders_of_a_room_form_no_circle():
    """A folder of the tutorial counts with all that stands within it: the book may import the classroom, or the reverse, not both."""
    files = {module(path): path for path in sources("tutorial")}
    large: dict = {}
    for name, path in files.items():
        here = large.setdefault(name.split(".")[1] if "." in name else name, set())
        here |= {other.split(".")[1] for other in modules_imported(path, files) if "." in other}
    list(TopologicalSorter({name: below - {name} for name, below in large.items()}).static_order())


def test_a_floor_holds_at_most_15_files():
    files = Counter(path.parent for room in ROOMS for path in sources(room) if path.name != "__init__.py")
    del files[ROOT / "tutorial" / "exercises" / "catalogue"]  # one file for each exercise
    assert not {folder: many for folder, many in files.items() if many > 15}


def test_a_file_has_at_most_400_lines():
    """A file of more lines holds two ideas. Built scripts and the kernels in C are not counted."""
    files = [path for room in ROOMS for kind in ("py", "js", "mjs", "css", "html") for path in (ROOT / room).rglob(f"*.{kind}")]
    assert len(files) > 1000
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in files if "built" not in path.parts}
    assert not {path.name: many for path, many in lines.items() if many > 400}


def test_no_folder_is_left_behind_when_its_files_move():
    """Each folder holds a file that defines something, and each folder of tests stands where its subject does."""
    files: dict = {}
    for path in (path for room in ROOMS for path in sources(room)):
        for folder in path.relative_to(ROOT).parents:
            files.setdefault(folder.as_posix(), []).append(path)
    assert not [folder for folder, found in files.items() if len(found) == 1 and len(ast.parse(found[0].read_text("utf-8")).body) < 2]
    folders = {path.parent.relative_to(ROOT / "tests") for room in ROOMS for path in (ROOT / "tests" / room).rglob("test_*.py")}
    assert not [folder for folder in folders if not (ROOT / folder).is_dir()]


NAMED = re.compile(r"(?<![\w./])(?:scalargrad|tensorgrad|viz|tutorial)/[\w/]+\.(?:py|js|css|html|md)\b")
NO_FILES = {"tutorial/exercises/catalogue/eNN_name.py"}  # examples of a name


def test_every_file_that_a_text_names_exists():
    texts = [ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
    for kind in ("py", "md", "js", "ts"):
        texts += [path for room in ROOMS for path in (ROOT / room).rglob(f"*.{kind}") if "built" not in path.parts]
    named = {(path, name) for path in texts for name in NAMED.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert not [f"{path}: {name}" for path, name in sorted(named) if name not in NO_FILES and not (ROOT / name).exists()]


def folder_of(path, name):
    return name if path.parent.parent == ROOT else module(path.parent / "__init__.py")


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda path: path.stem)
def test_every_name_of_ours_that_a_benchmark_imports_exists(path):
    """A benchmark imports within its functions, so a name that has moved would be missed until someone measures."""
    for node in import_statements(path):
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] in ROOMS:
            for alias in node.names:
                if ".beside_torch." in node.module:  # which cannot be imported without PyTorch
                    text = Path(importlib.util.find_spec(node.module).origin).read_text(encoding="utf-8")
                    found = re.search(rf"^(class |def |){alias.name}\b", text, re.M)
                else:
                    package = importlib.import_module(node.module)
                    found = hasattr(package, alias.name) or importlib.util.find_spec(f"{node.module}.{alias.name}")
                assert found, f"{path}:{node.lineno}: {node.module} has no {alias.name}"


def test_scalargrad_imports_only_the_standard_library():
    for path in sources("scalargrad"):
        if path.name == "__main__.py" or "demo" in path.name:
            continue
        for line, name in imports(path):
            assert name in PYTHON_ONLY, f"{path}:{line}: scalargrad imports {name}"


def python(program, *flags, **variables):
    """What a fresh Python prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        [sys.executable, *flags, "-c", program], capture_output=True, text=True, check=True, env=environment, cwd=ROOT.anchor
    ).stdout


def test_importing_scalargrad_loads_no_other_package():
    before = set(python("import sys; print(*sys.modules)").split())
    loaded = {name.partition(".")[0] for name in python("import scalargrad, sys; print(*sys.modules)").split()} - before
    assert "scalargrad" in loaded and loaded <= PYTHON_ONLY


def test_the_version_and_the_help_import_no_package():
    begin = "import contextlib, io, sys; from tutorial.cli.main import main"
    quietly = f"{begin}\nwith contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):"
    for option, unneeded in (("--version", "tutorial.cli.commands.play"), ("--help", "importlib.metadata")):
        loaded = set(python(f"{quietly} main([{option!r}])\nprint(*sys.modules)").split())
        assert "tutorial.cli.shared.find_command" in loaded and not loaded & {unneeded, "numpy", "scalargrad", "tensorgrad", "viz", "rich"}


@pytest.mark.processes
def test_importing_scalargrad_is_no_slower_than_importing_asyncio(tmp_path):
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}  # as users have it

    def cpu_seconds(package):
        program = f"from time import process_time; start = process_time(); import {package}; print(process_time() - start)"
        return float(python(program, **compiled))

    cpu_seconds("scalargrad"), cpu_seconds("asyncio")  # compiles them, the first time
    ours = theirs = float("inf")
    for rounds in range(1, 16):  # what else runs on the machine only adds to a time, so the fastest rounds count
        ours, theirs = min(ours, cpu_seconds("scalargrad")), min(theirs, cpu_seconds("asyncio"))
        if rounds >= 3 and ours / theirs < 1.4:
            break
    assert ours / theirs < 1.4  # 0.8 to 1.2 in CPython 3.11


@pytest.mark.parametrize("room", ROOMS)
def test_the_packages_that_are_tested_are_ours(room):
    package = importlib.import_module(room)
    assert Path(package.__file__) == ROOT / room / "__init__.py"


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_begins_by_saying_what_it_holds(room):
    for path in sources(room):
        docstring = parsed(path)[0]
        assert docstring and docstring.splitlines()[0].strip(), f"{path} has no docstring"


# Public names


LIBRARIES = [scalargrad, tensorgrad]
HIDES_PYTHON = {scalargrad: {"abs", "max", "pow", "sum"}, tensorgrad: {"abs", "all", "any", "max", "min", "pow", "round", "sum"}}
PUBLIC = [(library, name) for library in LIBRARIES for name in sorted({*library.__all__, *HIDES_PYTHON[library]})]


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.__name__)
def test_what_is_public_is_there_and_hides_nothing_of_python(library):
    names: dict = {}
    exec(f"from {library.__name__} import *", names)
    assert set(library.__all__) <= set(names)
    assert not set(library.__all__) & set(dir(builtins))


@each("library, name", PUBLIC, ids=lambda x: getattr(x, "__name__", x))
def test_every_public_name_has_a_docstring_whose_example_runs(library, name):
    thing = getattr(library, name)
    docstring = inspect.getdoc(thing) or ""
    assert len(docstring.splitlines()[0]) > 3, f"{name} has no docstring"
    if isinstance(thing, type) and (issubclass(thing, BaseException) or thing is scalargrad.Constant) or name == "from_torch":
        return  # the example of from_torch needs PyTorch: see beside_torch/test_recorder.py
    table = vars(importlib.import_module("scalargrad.rules")) if library is scalargrad else {"np": numpy}
    names = {"__name__": library.__name__, **table, **vars(library), **getattr(thing, "__globals__", {})}
    example = doctest.DocTestParser().get_doctest(docstring, names, name, None, None)
    assert example.examples, f"{name} has no example"
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)


@pytest.mark.parametrize("variable", [scalargrad.Value, tensorgrad.Tensor], ids=lambda kind: kind.__name__)
def test_public_methods_are_explained(variable):
    for name, method in inspect.getmembers(variable, lambda m: inspect.isfunction(m) or isinstance(m, property)):
        assert name.startswith("_") or inspect.getdoc(method), f"{variable.__name__}.{name} has no docstring"


def test_tensors_and_numpy_meet_by_name():
    """What NumPy and we both have, NumPy's own function reaches: np.tanh(t)."""
    missing = [
        n
        for n in tensorgrad.families.PUBLIC
        if callable(getattr(numpy, n, None)) and getattr(numpy, n) not in tensorgrad.numpy_dispatch.DISPATCH
    ]
    assert not missing


# The way of a variable through the files, from its making to its gradient


def files_entered(program):
    """Return the files of ours whose functions a program calls, in order; a file again when it is entered again."""
    entered: list = []
    ours = tuple(f"{ROOT / room}{os.sep}" for room in ROOMS)

    def note(frame, event, arg):
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(ours) and entered[-1:] != [path]:
            entered.append(path)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        program()
    finally:
        sys.setprofile(before)
    return [Path(path).relative_to(ROOT).with_suffix("").as_posix() for path in entered]


def differentiate_numbers():
    x, y = scalargrad.Value(2.0), scalargrad.Value(3.0)
    z = (x * y + x) * y
    z.backward()
    assert x.grad == 12


def differentiate_matrices():
    A, B = tensorgrad.Tensor([[1.0, 2.0], [3.0, 4.0]]), tensorgrad.Tensor([[1.0, 0.0], [0.0, 1.0]])
    numpy.matmul(A, B).sum().backward()
    assert (A.grad == 1).all()


def test_a_value_comes_to_its_gradient_through_four_files_and_enters_each_once():
    found = files_entered(differentiate_numbers)
    assert found == [f"scalargrad/fast/{name}" for name in ("value", "quick", "backward", "edges")]


def test_a_tensor_comes_to_its_gradient_through_twelve_files_and_none_for_errors():
    found = files_entered(differentiate_matrices)
    assert len(set(found)) <= 12 and len(found) <= 26, found
    assert not [path for path in found if "error" in path]
