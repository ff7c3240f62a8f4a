"""The curves of a run as a picture, PNG, SVG or PDF, drawn with matplotlib."""

import io

from viz.whole_files import write_file

ENDINGS = ".png", ".svg", ".pdf"
BLUE, VERMILLION = "#0072B2", "#D55E00"


def draw_curves(history, title, path):
    """Write the picture: the loss of each step, the test loss after each epoch, and the accuracy. Raises ImportError without matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.2), dpi=150, layout="constrained")
    left = figure.subplots()
    steps = len(history.losses) / max(1, len(history.test_losses))
    ends = [steps * (i + 1) for i in range(len(history.test_losses))]
    left.plot(range(1, len(history.losses) + 1), history.losses, color=BLUE, linewidth=0.8, alpha=0.5, label="loss of each step")
    left.plot(ends, history.test_losses, color=BLUE, marker="o", markersize=3, label="test loss")
    left.set(title=title, xlabel="step", ylabel="loss", yscale="log")
    if history.accuracies and history.accuracies[0] is not None:
        right = left.twinx()
        right.plot(ends, [100 * a for a in history.accuracies], color=VERMILLION, marker="^", markersize=3, label="test accuracy")
        right.set(ylabel="accuracy, %")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower())
    write_file(path, picture.getvalue())
