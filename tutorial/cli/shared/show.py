"""Run backpropagation from z and show it as the options say: on a page, in the terminal, as text, as JSON or in a file."""

import os
import tempfile
from pathlib import Path

import viz
from scalargrad import Trace
from scalargrad.formulas.text import printable
from scalargrad.tracing.schedules import SCHEDULES
from tutorial.cli.shared.browser import Unshown, show_page
from tutorial.cli.shared.options import FOLDER
from tutorial.cli.shared.parser import Mistake, remark
from viz.whole_files import write_file

OF_A_HANDOUT = ("solution", "blanks", "symbols", "seed")  # options of handout()
WITHOUT_FUNCTIONS = ("handout", "slides", "memory", "trace")  # kinds of files that draw no function as a node of its own


def show(z, order, args):
    """Show backpropagation from z as the options say, draw the graph, and return the exit code."""
    options = own_options(args)
    try:
        trace = Trace(z, order if SCHEDULES[args.schedule].takes_order else None, args.schedule, **options)
        if args.order is not None:
            trace = Trace(z, variables_named(trace, args.order), args.schedule, **options)
    except ValueError as wrong:  # an illegal order, or more paths than the schedule can follow
        raise Mistake(wrong) from None
    if args.output is not None or args.kind or handout_options(args):
        return write(trace, args)
    where = folder(args.svg or FOLDER)
    if args.json:
        print(trace.to_json(indent=1))
        said, code = draw(trace, where, args.functions)
        remark(said)
        return code
    if args.walk:
        viz.walk(trace)
    else:
        play(trace, args, where)
    said, code = draw(trace, where, args.functions)
    print(printable(said))
    return code


def own_options(args):
    """Return the options of the schedule, and of the names. Raises Mistake for an option that the schedule does not take."""
    given = {name: getattr(args, name) for name in ("queue", "first") if getattr(args, name) is not None}
    for name in given:
        takers = [schedule.name for schedule in SCHEDULES.values() if name in schedule.options]
        if args.schedule not in takers:
            raise Mistake(f"--{name} requires --schedule {' or '.join(takers)}, got {args.schedule}")
    detail = args.detail or ("operations" if args.order or args.numbers or args.functions else None)
    return {**given, "detail": detail, **({"names": "numbers"} if args.numbers else {})}


def variables_named(trace, text):
    """Return the variables that a list of names stands for."""
    variables = {name: v for v, name in trace.names.items()}
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in variables:
            raise Mistake(f"--order: unknown variable {name!r}; the variables are {', '.join(variables)}")
    return [variables[name] for name in names]


def play(trace, args, where):
    """Open the page in the browser, or start the stepper if a page cannot be shown or the user asked for the terminal."""
    if not args.terminal:
        try:
            print(printable(f"Page: {show_page(trace, where, args.functions)}, opened in the browser (with --terminal you step here)."))
            return
        except Unshown as why:
            if why.args:
                print(printable(f"{why}. Stepping in the terminal instead."))
    viz.step(trace)


def write(trace, args):
    """Write the file that the options name, and return the exit code."""
    if args.output is None:
        raise Mistake(
            f"--as {args.kind} needs a name for the file: -o {args.kind}{'.svg' if args.kind in ('animation', 'memory') else '.html'}"
        )
    if args.svg:
        raise Mistake("--svg does not go with -o, which writes one file")
    if args.output and os.path.isdir(args.output):
        raise Mistake(f"{args.output} is a folder; name a file in it: -o {Path(args.output, 'z.html')}")
    return exported(trace, args, **handout_options(args), **functions(args))


def exported(z, args, **options):
    """Write the file that -o names and say so, and return the exit code. Raises Mistake."""
    try:
        path = viz.export(z, args.output, args.kind, **options)
    except (ValueError, TypeError, viz.NoEngine) as wrong:
        raise Mistake(wrong) from None
    except OSError as wrong:
        raise Mistake(f"{args.output} cannot be written: {wrong.strerror}") from None
    print(printable(f"Written: {path}"))
    return 0


def functions(args):
    """Return the option functions=, if it was given. Raises Mistake for a file that draws no function as a node."""
    if args.functions is None:
        return {}
    kind = args.kind or ("trace" if args.output.lower().endswith(".json") else "page")
    if kind in WITHOUT_FUNCTIONS:
        raise Mistake(f"--functions {args.functions} does not go with a file of kind {kind}")
    return {"functions": args.functions}


def handout_options(args):
    """Return the options of the handout that were given. Raises Mistake if they are given for something else."""
    given = {name: getattr(args, name) for name in OF_A_HANDOUT if hasattr(args, name)}
    if given and args.kind != "handout":
        option = "no-solution" if given.get("solution") is False else next(iter(given))
        raise Mistake(f"--{option} requires --as handout")
    return given


def folder(asked):
    """Return the folder `asked`, or a temporary one if `asked` cannot be written."""
    try:
        asked.mkdir(parents=True, exist_ok=True)
        writable = os.access(asked, os.W_OK)
    except OSError:
        writable = False
    return asked if writable else Path(tempfile.mkdtemp(prefix="gradsteps-"))


def draw(trace, where, functions=None):
    """Write the diagrams into a folder. Return a sentence that says where, and the exit code: 1 if the layout engine failed."""
    z, totals = trace.graph.z, {x: dz_dx.number for x, dz_dx in trace.computed.items()}
    pictures = {
        "graph.svg": viz.draw(z, names=trace.names, gradients={}, functions=functions, detail="operations"),
        "derivatives.svg": viz.draw(z, names=trace.names, gradients=totals, partials="both", functions=functions, detail="operations"),
    }
    try:
        for name, picture in pictures.items():
            write_file(where / name, picture.pipe(format="svg"))
    except (viz.NoEngine, OSError) as why:
        return f"No diagrams: {why}", int(isinstance(why, viz.EngineFailed))
    return f"Diagrams: {where / 'graph.svg'} (the graph) and {where / 'derivatives.svg'} (with every partial and total derivative).", 0
