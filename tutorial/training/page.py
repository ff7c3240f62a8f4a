"""The page of a run as the text of one HTML file, which runs no script and needs no other file."""

import re
from importlib import resources
from inspect import getsource
from statistics import median
from string import Template

from scalargrad.formulas.text import escape
from tutorial.training import examples
from tutorial.training.loop import train, train_together
from tutorial.training.plots import COLOURS, DASHES, plot
from tutorial.training.run import sample_loss
from viz.document import digest, surfaces
from viz.drawing.draw import draw
from viz.drawing.graphviz_engine import NoEngine

STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)  # in the drawing
MOST_LINES = 8  # of layers in a plot
COLUMNS = ("layer", "numbers", "norm of weights", "norm of gradients", "gradients that are 0", "norm of the update", "update / weight")


def page(run) -> str:
    """Return the page: results, curves, the graph of the network, the gradients of each layer, and the worst examples."""
    style = "\n".join([surfaces(), asset("page.css"), line_style()])
    heading, worst = examples.section(run.task)
    drawing = network(run.task)
    return Template(asset("page.html")).substitute(
        policy=allowing(style, *STYLE.findall(drawing)),
        style=style,
        title=f"Training on {escape(run.task.settings.task)}",
        numbers=numbers(run),
        curves=curves(run),
        network=drawing,
        loop=escape(getsource(train_together if run.task.settings.shards else train)),
        gradients=gradients(run.history),
        heading=escape(heading),
        examples=worst,
    )


def asset(name):
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


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
        (f"{len(task.train_set):,}", "samples for training"),
        (f"{len(history.losses):,}", f"steps in {len(history.test_losses)} epochs"),
        *([(f"{100 * accuracy:.2f} %", "test accuracy")] if accuracy is not None else []),
        *([(f"{history.test_losses[-1]:.4f}", "test loss")] if history.test_losses else []),
        (f"{settings.seed}", "seed"),
        *([(f"{settings.shards}", "shards of each batch")] if settings.shards else []),
    ]
    return "".join(f"<div><dt>{escape(what)}</dt><dd>{escape(number)}</dd></div>" for number, what in shown)


def curves(run):
    """Return the curves of the loss and of the accuracy."""
    history, per_epoch = run.history, len(run.task.loader)
    ends = [per_epoch * (i + 1) for i in range(len(history.test_losses))]
    losses = {"loss of each step": (range(1, len(history.losses) + 1), history.losses), "test loss": (ends, history.test_losses)}
    found = plot(losses, "step", "loss", logarithmic=True)
    if history.accuracies and history.accuracies[0] is not None:
        found += plot({"test accuracy": (ends, history.accuracies)}, "step", "test accuracy", percent=True)
    return found


def network(task):
    """Return the drawing of the loss of two samples, its layers folded."""
    try:
        return draw(sample_loss(task), depth=1, theme="auto").svg
    except NoEngine:
        return "<p>There is no layout engine to draw the network.</p>"


def gradients(history):
    """Return the gradient report of an epoch in the middle of the run, and the ratio of update and weight after each epoch."""
    if not history.gradients:
        return "<p>There is no epoch yet.</p>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in COLUMNS)
    middle = (len(history.gradients) - 1) // 2
    rows = "".join(map(row, history.gradients[middle]))
    about = f"<p>The table shows the last step of epoch {middle + 1} of {len(history.gradients)}.</p>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    table = f'<div class="wide" tabindex="0" role="region" aria-label="Table of gradients">{table}</div>'
    return about + table + plot(ratios(history.gradients), "epoch", "update / weight", logarithmic=True)


def ratios(epochs):
    """Return the lines of update / weight: one for each layer; of many layers only the largest, the median and the smallest."""
    numbers, layers = range(1, len(epochs) + 1), [one[0] for one in epochs[0]]
    if len(layers) <= MOST_LINES:
        return {layer: (numbers, [rows[i][-1] for rows in epochs]) for i, layer in enumerate(layers)}
    known = [[one[-1] for one in rows if one[-1] is not None] for rows in epochs]
    found = {"largest of all layers": max, "median": median, "smallest": min}
    return {name: (numbers, [of(x) if x else None for x in known]) for name, of in found.items()}


def row(one):
    """Return the row of one layer."""
    layer, count, weight, gradient, zeros, update, ratio = one
    texts = [f"{count:,}", *("–" if x is None else f"{x:.4g}" for x in (weight, gradient))]
    texts += ["–" if zeros is None else f"{100 * zeros:.0f} %", *("–" if x is None else f"{x:.3g}" for x in (update, ratio))]
    return f'<tr><th scope="row">{escape(layer)}</th>{"".join(f"<td>{escape(text)}</td>" for text in texts)}</tr>'
