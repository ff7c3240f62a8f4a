"""The page of a run as the text of one HTML file, which runs no script and needs no other file."""

import re
from inspect import getsource
from math import exp
from statistics import median

import numpy as np

from scalargrad import no_grad
from scalargrad.formulas.text import escape
from tensorgrad.data import confusion_matrix
from tutorial.training.loop import losses_of, outputs_of, train, train_together
from tutorial.training.page_plots import COLOURS, DASHES, plot, png
from tutorial.training.run import generated, sample_loss
from tutorial.training.tasks import LENGTH
from tutorial.training.terminal_progress import epochs
from viz.document import asset, digest, surfaces, with_head
from viz.drawing.draw import draw
from viz.drawing.svg.graphviz_engine import NoEngine

STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)  # in the drawing
MOST_LINES = 8  # of layers in a plot
COLUMNS = ("layer", "parameters", "norm of weights", "norm of gradients", "gradients that are 0", "norm of the update", "update / weight")


def run_page(run) -> str:
    """Return the page: results, curves, the graph of the network, the gradients of each layer, and the worst examples."""
    style = "\n".join([surfaces(), asset("report.css"), asset("page.css", __package__), line_style()])
    heading, worst = section(run.task)
    drawing = network(run.task)
    return with_head(
        asset("page.html", __package__),
        policy=allowing(style, *STYLE.findall(drawing)),
        style=style,
        title=f"Training on {escape(run.task.settings.task)}",
        numbers=numbers(run),
        about_curves=about_curves(run),
        curves=curves(run),
        about_network=about_network(run.task),
        network=drawing,
        loop=escape(getsource(train_together if run.task.settings.shards else train)),
        gradients=gradients(run.history, run.task.settings.lr),
        heading=escape(heading),
        examples=worst,
    )


def allowing(*styles):
    """Return a Content-Security-Policy that allows these style sheets, and images in the page itself."""
    digests = " ".join(f"'{digest(style)}'" for style in styles)
    return f"default-src 'none'; style-src {digests}; img-src data:; base-uri 'none'; form-action 'none'"


def line_style():
    """Return the style of the lines of plots: each colour, each dash."""
    rules = [f".c{i} {{ stroke: var(--{name}); }}" for i, name in enumerate(COLOURS)]
    return "\n".join(rules + [f".d{i} {{ stroke-dasharray: {dash}; }}" for i, dash in enumerate(DASHES) if dash])


def numbers(run):
    task, history = run.task, run.history
    settings, accuracy = task.settings, history.accuracies[-1] if history.accuracies else None
    shown = [
        (settings.model, "network"),
        (f"{sum(p.size for p in task.model.parameters()):,}", "parameters"),
        (f"{len(task.train_set):,}", f"texts of {LENGTH} characters for training" if task.characters else "samples for training"),
        (f"{settings.batch}", "samples of a step"),
        (f"{settings.lr:g}", "largest learning rate"),
        (f"{len(history.losses):,}", f"steps in {epochs(len(history.test_losses))}"),
        *([(f"{100 * accuracy:.2f} %", "test accuracy")] if accuracy is not None else []),
        *([(f"{history.test_losses[-1]:.4f}", "test loss")] if history.test_losses else []),
        (f"{settings.seed}", "seed"),
        *([(f"{settings.shards}", "shards of each batch")] if settings.shards else []),
    ]
    return "".join(f"<div><dt>{escape(what)}</dt><dd>{escape(number)}</dd></div>" for number, what in shown)


def about_curves(run):
    """Return the sentences above the curves: the unit of the loss, and on what it is measured."""
    task, history = run.task, run.history
    of = "each character" if task.characters else "the samples"
    said = [f"The loss is the mean cross entropy of {of}, in nats. Its axis is logarithmic."]
    said += [f"After each epoch, the test data show what the network has learnt: {len(task.test_set):,} samples that it is not trained on."]
    if task.characters and history.test_losses:
        loss = history.test_losses[-1]
        said += [f"A test loss of {loss:.2f} is that of a guess among e^{loss:.2f} = {exp(loss):.1f} equally probable characters."]
    return escape(" ".join(said))


def curves(run):
    history, per_epoch = run.history, len(run.task.loader)
    ends = [per_epoch * (i + 1) for i in range(len(history.test_losses))]
    losses = {"loss of each step": (range(1, len(history.losses) + 1), history.losses), "test loss": (ends, history.test_losses)}
    found = plot(losses, "step", "loss", logarithmic=True)
    if len(history.accuracies) > 1 and history.accuracies[0] is not None:
        found += plot({"test accuracy": (ends, history.accuracies)}, "step", "test accuracy", percent=True)
    return found


def depth_of(task):
    """Return how deep the drawing opens the network: the GPT is one part of its own, which the layers are in."""
    return 2 if task.characters else 1


def about_network(task):
    """Return the sentences above the drawing."""
    depth = depth_of(task)
    said = f"<code>viz.draw(loss, depth={depth})</code> draws the graph of the loss of two samples. "
    said += "Each layer is one box. " if depth == 1 else "Each part of the network is one box. "
    return said + "A larger depth, or expand=, opens boxes. Blue entries are below 0, orange ones above; large arrays show means of blocks."


def network(task):
    """Return the drawing of the loss of two samples, its layers folded."""
    try:
        return draw(sample_loss(task), depth=depth_of(task), theme="auto").svg
    except NoEngine:
        return "<p>There is no layout engine to draw the network.</p>"


def gradients(history, lr):
    """Return the gradient report of an epoch in the middle of the run, and the ratio of update and weight after each epoch."""
    if not history.gradients:
        return "<p>There is no epoch yet.</p>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in COLUMNS)
    middle = (len(history.gradients) - 1) // 2
    rows = "".join(map(layer_row, history.gradients[middle]))
    last = len(history.gradients)
    middle_of_run = f"So the table shows the middle of the run: the last step of epoch {middle + 1} of {last}."
    about = f"<p>The learning rate rises to {lr:g} and falls to almost 0 at the end, and the updates fall with it. "
    about += f"{middle_of_run if last > 1 else 'The table shows the last step of the only epoch, so its updates are small.'}</p>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    table = f'<div class="wide" tabindex="0" role="region" aria-label="Table of gradients">{table}</div>'
    return about + table + (plot(ratios(history.gradients), "epoch", "update / weight", logarithmic=True) if last > 1 else "")


def ratios(reports):
    """Return the lines of update / weight: one for each layer; of many layers only the largest, the median and the smallest."""
    numbers, layers = range(1, len(reports) + 1), [one[0] for one in reports[0]]
    if len(layers) <= MOST_LINES:
        return {layer: (numbers, [rows[i][-1] for rows in reports]) for i, layer in enumerate(layers)}
    known = [[one[-1] for one in rows if one[-1] is not None] for rows in reports]
    found = {"largest of all layers": max, "median": median, "smallest": min}
    return {name: (numbers, [of(x) if x else None for x in known]) for name, of in found.items()}


def layer_row(one):
    layer, count, weight, gradient, zeros, update, ratio = one
    texts = [f"{count:,}", *("–" if x is None else f"{x:.4g}" for x in (weight, gradient))]
    texts += ["–" if zeros is None else f"{100 * zeros:.0f} %", *("–" if x is None else f"{x:.3g}" for x in (update, ratio))]
    return f'<tr><th scope="row">{escape(layer)}</th>{"".join(f"<td>{escape(text)}</td>" for text in texts)}</tr>'


SHOWN = 18  # images
PAIRS = 3  # of classes that are mixed up
GRID = 160  # pixels along an axis of the plane
MARGIN = 0.3
WRITTEN = 400  # characters
TEMPERATURE = 0.8
BLUE, VERMILLION = np.array([0, 114, 178]), np.array([213, 94, 0])


def section(task):
    """Return (heading, HTML) of the examples of a task."""
    if task.characters is not None:
        return "What the network writes", text(task)
    if task.settings.task == "moons":
        return "The plane", plane(task)
    return "The worst examples", images(task)


def images(task):
    """Return the images of the test data with the largest losses."""
    outputs, targets = outputs_of(task.model, task.test_set)
    losses = losses_of(outputs, targets)
    scores = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    shares = scores / scores.sum(axis=1, keepdims=True)
    worst = np.argsort(-losses, kind="stable")[:SHOWN]
    wrong = int((outputs.argmax(axis=1) != targets).sum())
    figures = [image(task, task.test_set[int(i)][0], int(targets[i]), shares[i]) for i in worst]
    about = [f"Of {len(targets):,} test images, the network takes {wrong:,} for another class."]
    about += [mixed_up(task, outputs, targets), f"These {len(figures)} have the largest losses."]
    about += ["Below each image are its class and the probabilities that the network gives."]
    return f'<p>{escape(" ".join(filter(None, about)))}</p><ul class="examples">{"".join(figures)}</ul>'


def mixed_up(task, outputs, targets):
    """Return a sentence about the classes that the network most often takes for another, or nothing if there is no such class."""
    counts = confusion_matrix(outputs, targets)
    np.fill_diagonal(counts, 0)
    pairs = [divmod(int(i), len(counts)) for i in np.argsort(-counts, axis=None, kind="stable")[:PAIRS] if counts.flat[i]]
    name = lambda k: task.classes[k] if task.classes else str(k)
    said = [f"{name(real)} for {name(taken)} ({times(int(counts[real, taken]))})" for real, taken in pairs]
    return f"Most often it takes {', '.join(said)}." if said else ""


def times(count):
    return f"{count} time{'s' * (count > 1)}"


def image(task, pixels, target, shares):
    """Return one image with its class, the class that the network prefers, and their probabilities."""
    name = lambda k: task.classes[k] if task.classes else str(k)
    best = int(shares.argmax())
    said = f"is {name(target)}, taken for {name(best)}" if best != target else f"is {name(target)}, correct"
    numbers = ", ".join(f"{name(k)}: {100 * shares[k]:.0f} %" for k in dict.fromkeys([best, target]))
    kind = "wrong" if best != target else "right"
    picture = f'<img src="{png(as_pixels(pixels))}" alt="test image, {escape(said)}">'
    return f'<li class="{kind}">{picture}<b>{escape(said)}</b><span>{escape(numbers)}</span></li>'


def as_pixels(image):
    """Return an image (channels, height, width) of any range as bytes; grey digits become dark on light."""
    low, high = float(image.min()), float(image.max())
    scaled = (image - low) / ((high - low) or 1)
    if len(image) == 1:
        return (255 - 255 * scaled[0]).astype(np.uint8)
    return (255 * scaled).astype(np.uint8).transpose(1, 2, 0)


def plane(task):
    """Return the plane, coloured by the class that the network gives each point, with the test points."""
    points, labels = task.test_set.arrays
    (left, bottom), (right, top) = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    rows = round(GRID * (top - bottom) / (right - left))
    x, y = np.meshgrid(np.linspace(left, right, GRID), np.linspace(top, bottom, rows))
    with no_grad():
        scores = task.model(np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)).data
    share = 1 / (1 + np.exp(np.clip(scores[:, 0] - scores[:, 1], -30, 30)))  # of class 1
    mixed = share[:, None] * VERMILLION + (1 - share[:, None]) * BLUE
    pixels = (255 - 0.45 * (255 - mixed)).astype(np.uint8).reshape(rows, GRID, 3)
    wrong = outputs_of(task.model, task.test_set)[0].argmax(axis=1) != labels
    height = 100 * rows / GRID
    across, up = 100 * (points[:, 0] - left) / (right - left), height * (top - points[:, 1]) / (top - bottom)
    marks = "".join(mark(a, b, label, bad) for a, b, label, bad in zip(across, up, labels, wrong))
    said = f"{len(points):,} test points of two classes. On the wrong side of the boundary: {int(wrong.sum())}."
    picture = f'<svg class="plane" viewBox="0 0 100 {height:.2f}" role="img" aria-label="{escape(said)}">'
    background = f'<image href="{png(pixels)}" width="100" height="{height:.2f}" preserveAspectRatio="none"/>'
    key = '<ul class="legend"><li>● upper moon</li><li>▲ lower moon</li><li>a wrong guess has a black frame</li></ul>'
    return f"<p>{escape(said)}</p><figure>{picture}{background}{marks}</svg>{key}</figure>"


def mark(x, y, label, wrong):
    kind = f'class="m{int(label)}{" bad" if wrong else ""}"'
    if label == 0:
        return f'<circle {kind} cx="{x:.2f}" cy="{y:.2f}" r="0.55"/>'
    return f'<path {kind} d="M{x:.2f} {y - 0.7:.2f}l0.65 1.2h-1.3z"/>'


def text(task):
    """Return a text that the network writes."""
    about = "One character after the other, each drawn by its probability. "
    about += f"The scores are divided by the temperature {TEMPERATURE} before, which makes probable characters more probable."
    return f"<p>{about}</p><pre>{escape(generated(task, WRITTEN, TEMPERATURE))}</pre>"
