"""The examples that a network gets most wrong: images with the class that it takes them for, points of the plane, or a text."""

import numpy as np

from scalargrad import no_grad
from scalargrad.formulas.text import escape
from tensorgrad.data import confusion_matrix
from tutorial.training.loop import losses_of, outputs_of
from tutorial.training.plots import png
from tutorial.training.run import generated

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
