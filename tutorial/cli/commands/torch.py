"""python -m tutorial torch FILE:FUNCTION: record the loss of a PyTorch program, report on it, check it, and write its page."""

import importlib.util
import sys
import traceback
from importlib import resources
from pathlib import Path

from tutorial.cli.shared.parser import Mistake, remark

ABOUT = "see, check and report on a PyTorch program of your own"
DESCRIPTION = """\
Record the loss of a PyTorch program, which runs unchanged, and print a report:
each parameter with its gradient, or why it has none, where gradients vanish or
become nan, a custom backward that is wrong, and what is saved for the backward
pass. The program is a file with a function of no arguments that returns the
loss:
    def loss():
        return F.cross_entropy(model(x), y)
With -o FILE the program writes a page that plays the backward pass; another
extension selects another format, as in the command play. The file runs with
your rights: run only what you trust. Its __name__ is not "__main__".
The exit code is 0, or 1 if a check fails or the file raises an exception, or 2
if there is nothing to record. In Python, `from tensorgrad import from_torch`
gives the same: from_torch(loss).report() and .check().
"""
BUGS = ("autoencoder.py", "training.py", "gate.py", "swish.py")  # programs of PyTorch's users with a bug each
EPILOG = f"""\
examples:
  python -m tutorial torch program.py:loss -o mine.html
  python -m tutorial torch program.py --check
  python -m tutorial torch --bugs DIR
      four programs with a bug each, to find:
      {", ".join(BUGS)}
"""
FUNCTION = "loss"  # that is recorded if none is named
FIRST = 24  # lines of the report that are printed
KINDS = ("explore", "handout", "slides", "memory", "animation")


def options(parser):
    parser.add_argument("program", nargs="?", metavar="FILE", help="a Python file, or FILE:FUNCTION (default: the function loss)")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write FILE: .html is the page, .svg and .png the drawing")
    parser.add_argument("--as", dest="kind", choices=KINDS, metavar="KIND", help=f"what FILE is: {', '.join(KINDS)}")
    parser.add_argument("--report", action="store_true", help=f"print the whole report, also what stands after its first {FIRST} lines")
    check = "compare our gradients, PyTorch's and finite differences; the program runs about 20 times"
    parser.add_argument("--check", action="store_true", help=check)
    parser.add_argument("--bugs", metavar="DIR", help="write four programs with a bug each into a folder, and end")


def run(args):
    if args.bugs is not None:
        print("\n".join(write_bugs(args.bugs)))
        return 0
    if args.program is None:
        raise Mistake("name a Python file with a function that returns the loss: torch program.py:loss")
    path, name = file_and_function(args.program)
    if args.kind and not args.output:
        raise Mistake(
            f"--as {args.kind} needs a name for the file: -o {args.kind}.{'svg' if args.kind in ('animation', 'memory') else 'html'}"
        )
    try:
        seen = recorded(path, name)
        print("\n".join(beginning(seen.report(), whole=args.report)))
        checked = seen.check() if args.check else True
    except (Mistake, KeyboardInterrupt):
        raise
    except ModuleNotFoundError as missing:
        if missing.name == "torch":
            raise Mistake("this needs PyTorch, which is not installed; python -m pip install torch") from None
        return complain_of(missing)
    except Exception as wrong:
        return complain_of(wrong)
    if args.check:
        print()
        print(checked)
    if args.output:
        from tutorial.cli.shared.show import exported

        exported(seen, args)
    return int(not checked)


def file_and_function(program):
    """Return the file and the function that FILE:FUNCTION names. Raises Mistake if there is no such file."""
    file, colon, name = program.rpartition(":")
    path, name = (Path(file), name) if colon and name.isidentifier() and file else (Path(program), FUNCTION)
    if not path.is_file():
        raise Mistake(f"there is no file {str(path)!r}")
    return path, name


def recorded(path, name):
    """Run a file, and return the recording of what its function returns."""
    from scalargrad.graph import is_function
    from tensorgrad import from_torch

    held = vars(loaded(path))
    if name not in held:
        raise Mistake(
            f"{path.name} has no function {name}; write def {name}(): ... that returns the loss, or name another: {path.name}:NAME"
        )
    function = held[name]
    if not callable(function) or isinstance(function, type) or hasattr(function, "forward") or needs_arguments(function):
        raise Mistake(f"{path.name}:{name} is not a function of no arguments; write one that returns the loss: def loss(): return ...")

    def program():
        loss = function()  # which the picture calls so, unless the function has a name for it
        return loss() if is_function(loss) else loss

    return from_torch(program)


def needs_arguments(function):
    from inspect import signature

    try:
        signature(function).bind()
    except TypeError:
        return True
    return False


def loaded(path):
    """Return the module of a file. It finds the files beside it, as a program does that Python runs."""
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    if spec is None:
        raise Mistake(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module


def beginning(report, whole):
    """Return the first lines of a report; all if the user wants the whole."""
    lines = str(report).splitlines()
    cut = [] if whole or len(lines) <= FIRST else [f"... {len(lines) - FIRST + 1} more lines: --report prints all"]
    return lines[: FIRST - 1] + cut if cut else lines


def complain_of(wrong):
    """Print an exception with the lines of the user's program, and return the exit code."""
    from scalargrad.callers import is_users
    from tutorial.program_error import described

    files = [frame.filename for frame in traceback.extract_tb(wrong.__traceback__)]
    own = [file for file in files if is_users(file) and not file.startswith(str(Path(__file__).parents[2]))]
    if not own and not isinstance(wrong, SyntaxError):
        raise Mistake(wrong) from None
    for line in described(wrong, own[0] if own else "", own)["text"].splitlines():
        remark(line)
    return 1


def source_of(name):
    """Return the text of one of the programs."""
    return resources.files("tutorial").joinpath("exercises", "torch_bugs", name).read_text(encoding="utf-8")


def write_bugs(folder):
    """Write the programs into a folder. Return a line for each: its path, and whether a file that was there is kept as it is."""
    from viz.whole_files import write_file

    found = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path in (Path(folder, name) for name in BUGS):
            kept = path.exists() and path.read_text(encoding="utf-8", errors="replace") != source_of(path.name)
            found.append(f"{path} (kept: it differs from the program that belongs here)" if kept else str(path))
            if not path.exists():
                write_file(path, source_of(path.name))
    except OSError as wrong:
        raise Mistake(f"{folder} cannot be written: {wrong.strerror}") from None
    return found


def drawing_of(name):
    """Return the recorded drawing of one of the programs as SVG. Tests marked `torch` compare it with what is drawn now."""
    return resources.files("tutorial").joinpath("exercises", "torch_bugs", f"{name}.svg").read_text(encoding="utf-8")
