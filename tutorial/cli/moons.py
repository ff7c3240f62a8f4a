"""python -m tutorial moons: train a small perceptron on points that a straight line cannot divide, and draw the boundary that it finds."""

import io
import random
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

import scalargrad
from scalargrad import Value, no_grad
from scalargrad.formulas.text import printable
from scalargrad.moons import two_moons
from scalargrad.nn import MLP, SGD
from tutorial.cli.parser import Parser, complain, integer, program
from viz.files import check_writable, write_file

ABOUT = """\
Train a network of 337 parameters on two moons. Each variable is one number.

Each point (x1, x2) lies on one of two moons, side +1 or -1. The network
MLP(2, [16, 16, 1]) has 2 inputs and three layers of 16, 16 and 1 neurons. It
gives every point a score; the sign of the score is the guess. A step:
  forward    the loss: the mean over all points of relu(1 - side * score), which
             is 0 when side * score is at least 1 for every point
  backward   loss.backward() fills p.grad with dloss/dp for every parameter p
  update     p.data -= lr * p.grad; the step size lr falls from 1 to 0.1
The picture shows the score at each point of the plane, and the boundary where
it is 0.
"""

EXAMPLES = """\
examples:
  python -m tutorial moons
  python -m tutorial moons --steps 3       too few: the boundary has hardly bent
  python -m tutorial moons --seed 7 --points 40
"""

WEIGHT_DECAY = 2e-4  # the gradient of 1e-4 · p², which bounds the scores
ENDINGS = ".png", ".svg", ".pdf"  # of the picture file
MOST_STEPS, MOST_POINTS = 1_000_000, 100_000
GRID = 60  # scores along each axis of the picture
MARGIN = 0.4  # of plane around the points
BLUE, VERMILLION = "#0072B2", "#D55E00"
PALE_BLUE, PALE_VERMILLION = "#8cbfdc", "#ecb48c"


def train(model, points, sides, steps):
    """Yield (step, loss, number of points on the right side) before each of `steps` updates and after the last."""
    sgd = SGD(model.parameters(), lr=1.0, weight_decay=WEIGHT_DECAY)
    for step in range(steps + 1):
        scores = [model(list(map(Value, point))) for point in points]
        loss = scalargrad.sum(*[(1 - side * score).relu() for side, score in zip(sides, scores)]) / len(points)
        yield step, loss.data, sum((score > 0) == (side > 0) for side, score in zip(sides, scores))
        if step < steps:
            sgd.lr = 1 - 0.9 * step / steps
            sgd.zero_grad()
            loss.backward()
            sgd.step()


def draw(model, points, sides, title, path):
    """Write the picture: the plane coloured by the model's score, the boundary, and the points.

    Raises ImportError without matplotlib.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    low, high = zip(*[(min(axis) - MARGIN, max(axis) + MARGIN) for axis in zip(*points)])
    xs, ys = [[a + (b - a) * i / (GRID - 1) for i in range(GRID)] for a, b in zip(low, high)]
    with no_grad():
        scores = [[model([Value(x), Value(y)]).data for x in xs] for y in ys]
    limit = min(2.0, max(1e-9, max(abs(score) for row in scores for score in row)))

    figure = Figure(figsize=(7.2, 4.9), dpi=150, layout="constrained")
    axes = figure.subplots()
    colours = LinearSegmentedColormap.from_list("sides", [PALE_BLUE, "#ffffff", PALE_VERMILLION])
    plane = axes.contourf(xs, ys, scores, levels=[limit * i / 10 for i in range(-10, 11)], cmap=colours, extend="both")
    if min(map(min, scores)) < 0 < max(map(max, scores)):
        axes.contour(xs, ys, scores, levels=[0], colors="black", linewidths=1.8)
        axes.plot([], [], color="black", linewidth=1.8, label="boundary: score 0")
    for side, marker, colour, label in (1, "^", VERMILLION, "side +1"), (-1, "o", BLUE, "side -1"):
        own = [point for point, s in zip(points, sides) if s == side]
        axes.scatter(*zip(*own), marker=marker, s=44, color=colour, edgecolors="white", linewidths=0.8, label=label, zorder=3)
    axes.set(title=title, xlabel="x1", ylabel="x2", aspect="equal")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    bar = figure.colorbar(plane, ax=axes, label="score of the network", aspect=24, shrink=0.84)
    bar.set_ticks([-limit, 0, limit], labels=[f"{-limit:.2g}", "0", f"{limit:+.2g}"])
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower())
    write_file(path, picture.getvalue())


def parser():
    parser = Parser(f"{program()} moons", description=ABOUT, epilog=EXAMPLES)
    parser.add_argument(
        "--steps", type=integer(1, MOST_STEPS), default=100, metavar="N", help="updates of the parameters (default: %(default)s)"
    )
    parser.add_argument(
        "--points", type=integer(2, MOST_POINTS), default=100, metavar="N", help="points on both moons together (default: %(default)s)"
    )
    parser.add_argument("--seed", type=integer(0, 2**64 - 1), default=1, metavar="N", help="random seed (default: %(default)s)")
    parser.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        default=Path("gradsteps-out", "moons.png"),
        help=f"file of the picture; its extension is {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} (default: %(default)s)",
    )
    return parser


def main(argv=None):
    """Train, report every step, draw the picture, and return the exit code."""
    args = parser().parse_args(argv)
    if why := why_unwritable(args.picture):
        complain(f"{args.picture} cannot be written: {why}")
        return 2
    random.seed(args.seed)
    points, sides = two_moons(args.points, random)
    model = MLP(2, [16, 16, 1])
    print(f"Two moons: {len(points)} points, {len(model.parameters())} parameters.")
    right = report(train(model, points, sides, args.steps), args.steps, len(points))
    title = f"Two moons: {right} of {len(points)} points correct after {args.steps} step{'s' * (args.steps > 1)}"
    print(title + ".")
    try:
        draw(model, points, sides, title, args.picture)
    except ImportError:
        complain("cannot draw the picture: matplotlib is missing; python -m pip install matplotlib adds it")
    except OSError as wrong:
        complain(f"{args.picture} cannot be written: {wrong.strerror}")
        return 2
    else:
        print(printable(f"Picture: {args.picture}"))
    return 0


def why_unwritable(path):
    """Return why a picture cannot be written to `path`, or None. Make its folder. So a mistake is found before the training."""
    if path.suffix.lower() not in ENDINGS:
        return f"its extension is not one of {', '.join(ENDINGS)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    except OSError as wrong:
        return wrong.strerror
    return None


def report(training, steps, count):
    """Print the steps of the training: in a terminal a progress bar and every tenth step, in a pipe every step."""
    console = Console(highlight=False)
    if not console.is_terminal:
        for step, loss, right in training:
            print(f"step {step:4}  {standing(loss, right, count)}")
        return right
    bar = TextColumn("step"), MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}")
    with Progress(*bar, console=console) as progress:
        task = progress.add_task("", total=steps)
        for step, loss, right in training:
            progress.update(task, completed=step, description=standing(loss, right, count))
            if step % max(1, steps // 10) == 0:
                console.print(f"step {step:4}  {standing(loss, right, count)}")
    return right


def standing(loss, right, count):
    return f"loss {loss:.4f}  accuracy {100 * right / count:5.1f} %"
