"""python -m tutorial train: train a network on a data set, resume a run, and write a page about it."""

import os
import shlex
import signal
import sys
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path

from tutorial.cli.shared.parser import complain, in_words, integer, positive, program

ABOUT = "train a network on moons, digits, mnist, cifar10 or a text"
DESCRIPTION = """\
Train a network, show the progress, and write a page about the run: curves, the
network's graph, the gradients of each layer, and the worst examples.

  moons     points on two half circles; a second
  digits    handwritten digits of 8x8 pixels; half a minute
  mnist     handwritten digits of 28x28 pixels; --data DIR has the files
  cifar10   photographs of 32x32 pixels; --data DIR has the files
  text      the characters of "Alice's Adventures in Wonderland"; minutes

The run is saved every few seconds, and at the end, to DIR/run.safetensors.
After Ctrl-C, or if the machine stops, --resume continues it: all numbers are
the same as without the interruption. Without --resume a new run begins; the
earlier one is kept in DIR/previous.
"""
EPILOG = """\
examples:
  python -m tutorial train moons
  python -m tutorial train digits --seed 3 --curves digits.svg
  python -m tutorial train digits --resume
  mpirun -n 4 python -m tutorial train digits
      four processes; it needs the extra `distributed`
  python -m tutorial train digits --shards 8
      one process, with the same numbers as the four
"""
LOCK, BUSY = "run.lock", "{} trains in this folder; wait until it ends, or name another folder with --out"
OF_FILES = ("mnist", "cifar10")
SETTINGS = ("model", "epochs", "batch", "lr", "seed", "shards")
SHARDS = 8  # where mpirun has started several processes
USAGE, INTERRUPTED = 2, 130


def options(parser):
    from tutorial.training.settings import TASKS

    parser.add_argument("task", choices=[*TASKS], metavar="TASK", help=f"what to train on: {', '.join(TASKS)}")
    several = [f"{name}: {', '.join(task.models)}" for name, task in TASKS.items() if len(task.models) > 1]
    parser.add_argument("--model", metavar="NAME", help=f"the network, by default the first; {'; '.join(several)}")
    defaults = ", ".join(f"{name} {task.epochs}" for name, task in TASKS.items())
    about_epochs = f"passes over the data; with --resume, more than before (default: {defaults})"
    parser.add_argument("--epochs", type=integer(1, 10_000), metavar="N", help=about_epochs)
    parser.add_argument("--batch", type=integer(1, 10_000), metavar="N", help="samples of a step")
    parser.add_argument("--lr", type=positive, metavar="RATE", help="the largest learning rate")
    parser.add_argument("--seed", type=integer(0, 2**31 - 1), metavar="N", help="random seed (default: 0)")
    shards = f"cut each batch into N shards: 1 and many processes then give the same numbers (default: {SHARDS} with mpirun)"
    parser.add_argument("--shards", type=integer(1, 1024), metavar="N", help=shards)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the files of mnist or cifar10")
    parser.add_argument("--download", action="store_true", help="fetch the missing files of mnist or cifar10 into that folder")
    parser.add_argument("--own-files", action="store_true", help="read any files with the names and the format of mnist or cifar10")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the run (default: gradsteps-out/TASK)")
    parser.add_argument("--resume", action="store_true", help="continue the run in that folder")
    parser.add_argument("--patience", type=integer(1, 10_000), metavar="N", help="stop if the test loss has not fallen for N epochs")
    parser.add_argument("--save-every", type=integer(1, 10**9), metavar="N", help="save after every N steps (default: every 10 seconds)")
    parser.add_argument("--curves", type=Path, metavar="FILE", help="also draw the curves, as .png, .svg or .pdf (needs matplotlib)")


def run(args):
    """Train, and return the exit code. Of several processes, only the first prints."""
    from tensorgrad.parallel.mpi import launched_rank

    rank, mistake = launched_rank(), mistake_in(args)
    if mistake is None:
        try:
            with silent(rank > 0), group_for(args) as group, ending_all(group), alone_in(folder_of(args), rank):
                return trained(args, group)
        except (ValueError, OSError) as wrong:
            mistake = said(wrong)
    if rank == 0:
        complain(mistake)
    return USAGE


def alone_in(folder, rank):
    """Let no other run write to the folder in a `with` block. Of several processes, the first sees to it. Raises Held or OSError."""
    if rank > 0:
        return nullcontext()
    from tutorial.lock import held

    folder.mkdir(parents=True, exist_ok=True)
    return held(folder / LOCK, f"{folder}: {BUSY}")


@contextmanager
def silent(yes):
    """Print nothing in this block, if `yes`."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere if yes else sys.stdout):
        yield


@contextmanager
def ending_all(group):
    """If several processes train, turn a mistake into an exit with one line, which ends all of them."""
    try:
        yield
    except (ValueError, OSError) as wrong:
        if group and group.size > 1:
            raise SystemExit(said(wrong)) from None
        raise


def said(wrong):
    """Return an exception in the words of the command line."""
    return in_words(wrong).replace("download=True", "--download").replace("checksum=False", "--own-files")


def mistake_in(args):
    """Return what is wrong with the arguments, or None."""
    from tensorgrad.parallel.mpi import started_with
    from tutorial.training.run import ENDINGS
    from tutorial.training.settings import TASKS

    if args.model and args.model not in TASKS[args.task].models:
        return f"{args.task} has no network {args.model!r}; it has {', '.join(TASKS[args.task].models)}"
    if args.task not in OF_FILES and (args.data or args.download or args.own_files):
        return f"{args.task} needs no files; leave --data, --download and --own-files out"
    if args.task in OF_FILES and not args.data:
        return f"{args.task} needs its files: --data DIR names their folder; with --download, what is missing there is fetched"
    if (wrong := not_a_folder(folder_of(args))) is not None:
        return f"--out {folder_of(args)}: {wrong}"
    if args.download and started_with() > 1:
        return "several processes would fetch the same files; fetch them once, without mpirun"
    if args.curves and args.curves.suffix.lower() not in ENDINGS:
        return f"the extension of {args.curves} is not one of {', '.join(ENDINGS)}"
    return None


def not_a_folder(path):
    """Return why no files can be written to a folder, or None. The folder need not exist yet."""
    place = next((one for one in (path, *path.absolute().parents) if one.exists() or one.is_symlink()), Path())
    if not place.is_dir():
        return "this is a file; name a folder" if place == path else f"{place} is a file, not a folder"
    return None if os.access(place, os.W_OK | os.X_OK) else f"you may not write to the folder {place}; name another one"


def group_for(args):
    """Return the group of all processes, for a `with` block; None in the block if this process trains alone, on whole batches."""
    from tensorgrad import parallel
    from tensorgrad.parallel.mpi import started_with

    shards = settings_of_run(args).shards if args.resume else args.shards or (SHARDS if started_with() > 1 else 0)
    if not shards and started_with() > 1:
        raise ValueError("the run was begun with whole batches; resume it without mpirun, or begin a run with --shards")
    return parallel.open(shards=shards, task=args.task, resume=args.resume) if shards else nullcontext()


def trained(args, group):
    """Train or go on training. Raises ValueError or OSError if a file cannot be read or written."""
    from tensorgrad.parallel.mpi import launched
    from tutorial.training.settings import settings_for
    from tutorial.training.terminal_progress import downloading, follow

    with downloading() as progress:
        one = prepared(args, group, progress)
    print(introduction(one, args.resume), flush=True)
    alone = not launched()  # else mpirun gives us a terminal of its own, and ends all processes at Ctrl-C
    try:
        with stopping_after_a_step(one) if alone else nullcontext():
            follow(one, one.steps(args.patience, args.save_every), moves=alone)
        if one.stopping:
            if one.history.test_losses:
                write_page(one)
            complain(f"stopped and saved after step {one.saved_steps}; continue with: {program()} {resuming(args)}")
            return INTERRUPTED
        one.save()
        if not group or group.rank == 0:
            report(one, args)
    except FloatingPointError as wrong:
        settings, steps = one.task.settings, len(one.history.losses)
        smaller = min(settings_for(settings.task).lr, settings.lr / 10)
        why = in_words(wrong).partition(";")[0]
        raise ValueError(f"the training diverged after step {steps}: {why}; begin again with --lr {smaller:g}, or less") from None
    except OSError as wrong:
        saved = f"the run is saved up to step {one.saved_steps}; when this is mended, continue with: {program()} {resuming(args)}"
        raise ValueError(f"{in_words(wrong)}; {saved}") from None
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


def resuming(args):
    """Return the command that resumes the run, with the options that it needs again."""
    again = "".join(f" --{name} {shlex.quote(str(path))}" for name, path in (("out", args.out), ("data", args.data)) if path)
    again += " --own-files" * args.own_files
    return f"train {args.task} --resume{again}"


def prepared(args, group, progress):
    """Return the run: a new one, or with --resume the one in the folder. `progress` shows how far a download is."""
    from tutorial.training.run import Run
    from tutorial.training.settings import settings_for
    from tutorial.training.tasks import task_for

    folder = folder_of(args)
    files = {"folder": args.data, "download": args.download, "checksum": not args.own_files, "progress": progress} if args.data else {}
    if not args.resume:
        args.shards = group.shards if group else 0
        one = Run(task_for(settings_for(args.task, *(getattr(args, name) for name in SETTINGS)), **files), folder, group)
        if kept := one.keep_earlier():
            again = f"continue it with --resume --out {shlex.quote(str(kept))}"
            print(f"{args.task}: the earlier run is now in {kept}; {again}.")
        one.save()  # a folder that cannot be written to is an error before the training
        return one
    settings = settings_of_run(args)
    if settings.task != args.task:
        raise ValueError(f"the run in {folder} is one of {settings.task}, not of {args.task}; name {settings.task}, or another folder")
    differ = [name for name in SETTINGS if name != "epochs" and getattr(args, name) not in (None, getattr(settings, name))]
    if differ:
        name = differ[0]
        raise ValueError(f"the run in {folder} has {name} {getattr(settings, name)}, not {getattr(args, name)}; leave the option out")
    one = Run(task_for(settings.with_epochs(args.epochs or settings.epochs), **files), folder, group)
    with refusing_to_resume():
        one.load()
    if one.task.settings != settings:
        print(longer(settings.epochs, one.task))
    return one


def longer(epochs, task):
    """Return the line that says what more epochs change."""
    rate = (
        f"its learning rate now follows the cycle of {task.settings.epochs} epochs, so it goes on at {task.schedule.get_last_lr()[0]:.3g}"
    )
    return f"{task.settings.task}: the run of {epochs} epochs becomes one of {task.settings.epochs}; {rate}."


def folder_of(args):
    return args.out or Path("gradsteps-out", args.task)


def settings_of_run(args):
    """Return the settings of the run to resume. Raises ValueError if there is none."""
    from tutorial.training.run import CHECKPOINT, settings_of

    path = folder_of(args) / CHECKPOINT
    if not path.exists():
        raise ValueError(f"there is no run to resume: {path} does not exist")
    with refusing_to_resume():
        return settings_of(path)


@contextmanager
def refusing_to_resume():
    """Say of a checkpoint file that cannot be read what to do."""
    try:
        yield
    except ValueError as wrong:
        raise ValueError(f"{wrong}; this run cannot be resumed: begin a new one, without --resume") from None


def introduction(one, resumed):
    """Return the first line: what is trained, or from where."""
    from tutorial.training.terminal_progress import epochs

    settings, task = one.task.settings, one.task
    numbers = sum(p.size for p in task.model.parameters())
    done, steps = len(one.history.losses), len(task.loader) * settings.epochs
    if resumed and done == steps:
        longer = f"--epochs with a larger number than {settings.epochs} goes on"
        return f"{settings.task}: the run has ended after step {done} of {steps}; {longer}."
    if resumed:
        return f"{settings.task}: the run continues after step {done} of {steps}."
    return f"{settings.task}: {settings.model} with {numbers:,} parameters, {len(task.train_set):,} samples, {epochs(settings.epochs)}."


def write_page(one):
    """Write the page of the epochs so far, and say where it is."""
    from tutorial.training.page import run_page
    from tutorial.training.run import PAGE
    from viz.whole_files import write_file

    print(f"Page: {write_file(one.folder / PAGE, run_page(one))}")


def report(one, args):
    """Write the page, and the curves if they are asked for."""
    from tutorial.training.run import draw_curves
    from tutorial.training.terminal_progress import epochs, results

    print(f"{one.task.settings.task}: {results(one)} after {epochs(len(one.history.test_losses))}.")
    write_page(one)
    if args.curves:
        try:
            draw_curves(one.history, f"{args.task}: {results(one)}", args.curves)
            print(f"Curves: {args.curves}")
        except ImportError:
            complain("cannot draw the curves: matplotlib is missing; python -m pip install matplotlib adds it")
