"""The page of a run as the text of one HTML file, which runs no script and needs no other file."""

import re
from inspect import getsource
from math import exp
from statistics import median

from scalargrad.formulas.text import escape
from tutorial.training import examples
from tutorial.training.loop import train, train_together
from tutorial.training.plots import COLOURS, DASHES, plot
from tutorial.training.progress import epochs
from tutorial.training.run import sample_loss
from tutorial.training.tasks import LENGTH
from viz.document import asset, digest, surfaces, with_head
from viz.drawing.draw import draw
from viz.drawing.svg.graphviz_engine import NoEngine

STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)  # in the drawing
MOST_LINES = 8  # of layers in a plot
COLUMNS = ("layer", "parameters", "norm of weights", "norm of gradients", "gradients that are 0", "norm of the update", "update / weight")


def run_page(run) -> str:
    """Return the page: results, curves, the graph of the network, the gradients of each layer, and the worst examples."""
    style = "\n".join([surfaces(), asset("report.css"), asset("page.css", __package__), line_style()])
    heading, worst = examples.section(run.task)
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
    """Return the line of numbers."""
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
    """Return the curves of the loss and of the accuracy."""
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
    """Return the row of one layer."""
    layer, count, weight, gradient, zeros, update, ratio = one
    texts = [f"{count:,}", *("–" if x is None else f"{x:.4g}" for x in (weight, gradient))]
    texts += ["–" if zeros is None else f"{100 * zeros:.0f} %", *("–" if x is None else f"{x:.3g}" for x in (update, ratio))]
    return f'<tr><th scope="row">{escape(layer)}</th>{"".join(f"<td>{escape(text)}</td>" for text in texts)}</tr>'
