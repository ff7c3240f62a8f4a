"""python -m tutorial train: train a network on a data set, resume a run, and write a page about it."""

import signal
from contextlib import contextmanager
from pathlib import Path

from tutorial.cli.parser import complain, integer, program

ABOUT = "train a network on moons, digits, mnist, cifar10 or a text"
DESCRIPTION = """\
Train a network, show the progress, and write a page about the run: curves, the
network's graph, the gradients of each layer, and the worst examples.

  moons     points on two half circles; a second
  digits    handwritten digits of 8x8 pixels; half a minute
  mnist     handwritten digits of 28x28 pixels; --data DIR has the files
  cifar10   photographs of 32x32 pixels; --data DIR has the files
  text      the characters of "Alice's Adventures in Wonderland"; minutes

The run is saved every few seconds, and at the end, to DIR/run.safetensors. After
Ctrl-C, or if the machine stops, --resume continues it: all numbers are the same
as without the interruption.
"""
EPILOG = """\
examples:
  python -m tutorial train moons
  python -m tutorial train digits --seed 3 --curves digits.svg
  python -m tutorial train digits --resume
"""
TASKS = {  # those of tutorial.training.tasks, with their networks; named here so that the help needs no NumPy
    "moons": ("mlp",),
    "digits": ("cnn", "mlp"),
    "mnist": ("cnn", "mlp"),
    "cifar10": ("resnet20", "resnet18", "resnet34", "resnet50"),
    "text": ("gpt",),
}
OF_FILES = ("mnist", "cifar10")
SETTINGS = ("model", "epochs", "batch", "lr", "seed")
USAGE, INTERRUPTED = 2, 130


def add(commands):
    """Add this command to the parser."""
    one = commands.add_parser("train", help=ABOUT, description=DESCRIPTION, epilog=EPILOG)
    one.add_argument("task", choices=TASKS, metavar="TASK", help=f"what to train on: {', '.join(TASKS)}")
    one.add_argument("--model", metavar="NAME", help="the network; digits: cnn, mlp; cifar10: resnet20, resnet18, resnet34, resnet50")
    one.add_argument("--epochs", type=integer(1, 10_000), metavar="N", help="passes over the data")
    one.add_argument("--batch", type=integer(1, 10_000), metavar="N", help="samples of a step")
    one.add_argument("--lr", type=float, metavar="RATE", help="the largest learning rate")
    one.add_argument("--seed", type=integer(0, 2**31 - 1), metavar="N", help="random seed (default: 0)")
    one.add_argument("--data", type=Path, metavar="DIR", help="folder with the files of mnist or cifar10")
    one.add_argument("--download", action="store_true", help="fetch the missing files of mnist or cifar10 into that folder")
    one.add_argument("--out", type=Path, metavar="DIR", help="folder for the run (default: gradsteps-out/TASK)")
    one.add_argument("--resume", action="store_true", help="continue the run in that folder")
    one.add_argument("--patience", type=integer(1, 10_000), metavar="N", help="stop if the test loss has not fallen for N epochs")
    one.add_argument("--save-every", type=integer(1, 10**9), metavar="N", help="save after every N steps (default: every 10 seconds)")
    one.add_argument("--curves", type=Path, metavar="FILE", help="also draw the curves, as .png, .svg or .pdf (needs matplotlib)")
    one.set_defaults(run=run)


def run(args):
    """Train, and return the exit code."""
    from tutorial.training.curves import ENDINGS

    if args.model and args.model not in TASKS[args.task]:
        complain(f"{args.task} has no network {args.model!r}; it has {', '.join(TASKS[args.task])}")
    elif (args.task in OF_FILES) != (args.data is not None):
        complain(f"{args.task} needs its files: --data DIR" if args.data is None else f"{args.task} needs no files; leave --data out")
    elif args.curves and args.curves.suffix.lower() not in ENDINGS:
        complain(f"the extension of {args.curves} is not one of {', '.join(ENDINGS)}")
    else:
        try:
            return trained(args)
        except FloatingPointError as wrong:
            complain(f"the training diverged: {wrong}")
        except FileNotFoundError as wrong:
            complain(str(wrong).replace("download=True", "--download"))
        except (ValueError, OSError) as wrong:
            complain(wrong)
    return USAGE


def trained(args):
    """Train or go on training. Raises ValueError or OSError if a file cannot be read or written."""
    from tutorial.training.downloading import downloading
    from tutorial.training.progress import follow

    with downloading() as progress:
        one = prepared(args, progress)
    print(introduction(one, args.resume))
    with stopping_after_a_step(one):
        follow(one, one.steps(args.patience, args.save_every))
    if one.stopping:
        complain(f"stopped and saved after step {len(one.history.losses)}; continue with: {program()} train {args.task} --resume")
        return INTERRUPTED
    one.save()
    report(one, args)
    return 0


@contextmanager
def stopping_after_a_step(one):
    """Let Ctrl-C stop the run after the step that is under way, where it can be saved. A second Ctrl-C stops at once, without saving."""

    def stop(number, frame):
        one.stopping = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def prepared(args, progress):
    """Return the run: a new one, or with --resume the one in the folder. `progress` shows how far a download is."""
    from tutorial.training.run import CHECKPOINT, Run, settings_of
    from tutorial.training.tasks import settings_for, task_for

    folder = args.out or Path("gradsteps-out", args.task)
    files = {"folder": args.data, "download": args.download, "progress": progress} if args.data else {}
    if not args.resume:
        one = Run(task_for(settings_for(args.task, *(getattr(args, name) for name in SETTINGS)), **files), folder)
        one.save()  # a folder that cannot be written to is an error before the training
        return one
    path = folder / CHECKPOINT
    if not path.exists():
        raise ValueError(f"there is no run to resume: {path} does not exist")
    settings = settings_of(path)
    differ = [name for name in ("task", *SETTINGS) if getattr(args, name) not in (None, getattr(settings, name))]
    if differ:
        name = differ[0]
        raise ValueError(f"the run in {folder} has {name} {getattr(settings, name)}, not {getattr(args, name)}; leave the option out")
    one = Run(task_for(settings, **files), folder)
    one.load()
    return one


def introduction(one, resumed):
    """Return the first line: what is trained, or from where."""
    settings, task = one.task.settings, one.task
    numbers = sum(p.size for p in task.model.parameters())
    if resumed:
        return f"{settings.task}: the run continues after step {len(one.history.losses)} of {len(task.loader) * settings.epochs}."
    return f"{settings.task}: {settings.model} with {numbers:,} parameters, {len(task.train_set):,} samples, {settings.epochs} epochs."


def report(one, args):
    """Write the page, and the curves if they are asked for."""
    from tutorial.training.curves import draw_curves
    from tutorial.training.page import page
    from tutorial.training.progress import results
    from viz.files import write_file

    print(f"{one.task.settings.task}: {results(one)} after {len(one.history.test_losses)} epochs.")
    print(f"Page: {write_file(one.folder / 'report.html', page(one))}")
    if args.curves:
        try:
            draw_curves(one.history, f"{args.task}: {results(one)}", args.curves)
            print(f"Curves: {args.curves}")
        except ImportError:
            complain("cannot draw the curves: matplotlib is missing; python -m pip install matplotlib adds it")
