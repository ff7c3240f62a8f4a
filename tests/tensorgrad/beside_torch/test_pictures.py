"""Pictures and pages take a recording: closed boxes are marked, and an intended −inf raises no alarm."""

import json

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402

import viz  # noqa: E402
from scalargrad import Trace  # noqa: E402
from tensorgrad import from_torch, zoom  # noqa: E402
from tests.each import each  # noqa: E402
from tests.viz.script_data import script_data  # noqa: E402
from viz.graphs.finite import warning_of  # noqa: E402

pytestmark = pytest.mark.torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, G):
        (x,) = ctx.saved_tensors
        return 2 * G * x


def squared():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    return lambda: Square.apply(w).sum()


def test_a_function_of_the_user_is_marked_and_cannot_be_opened():
    seen = from_torch(squared())
    assert "your own backward: Square" in viz.draw(seen).source
    nodes = json.loads(script_data(viz.explore(seen)))["nodes"]
    marked = next(node for node in nodes if node.get("elsewhere"))
    assert marked["elsewhere"] == "own" and marked["code"] == "return lambda: Square.apply(w).sum()"
    data = json.loads(script_data(viz.play(seen)))
    assert data["elsewhere"] == [["own", "your own backward"]] and "scalarGraphs" not in data or "1" not in data["scalarGraphs"]
    with pytest.raises(TypeError, match="Square: its entries cannot be opened, because your own backward computes this derivative"):
        zoom(seen.z)


def test_all_pictures_take_a_recording():
    w = torch.randn(2, 3, requires_grad=True)
    seen = from_torch(lambda: torch.tanh(w @ torch.ones(3)).sum())
    for page in (viz.play(seen), viz.handout(seen), viz.slides(seen), viz.explore(seen)):
        assert "loss" in page.html
    assert "<svg" in viz.lifetimes(seen).svg and "loss" in viz.mermaid(seen)


MASKS = {
    "masked_fill": lambda w, keep: w.masked_fill(~keep, float("-inf")),
    "sum": lambda w, keep: w + torch.zeros(4, 4).masked_fill(~keep, float("-inf")),
    "where": lambda w, keep: torch.where(keep, w, torch.tensor(float("-inf"))),
    "log": lambda w, keep: w + torch.log(keep.float()),
}


def set_items(w, keep):
    scores = w * 1
    scores[~keep] = float("-inf")
    return scores


@each("mask", [*MASKS.values(), set_items], ids=[*MASKS, "setitem"])
def test_an_intended_mask_is_no_alarm(mask):
    w, keep = torch.randn(4, 4, requires_grad=True), torch.ones(4, 4).tril() == 1
    seen = from_torch(lambda: F.softmax(mask(w, keep), -1)[0].pow(2).sum())
    assert warning_of(Trace(seen)) == "" and "! not finite" not in viz.draw(seen).source


def test_a_page_computes_no_box_of_pytorch_as_our_function_of_its_name():
    w = torch.ones(3, requires_grad=True)
    with pytest.warns(UserWarning, match="Using a target size"):
        seen = from_torch(lambda: F.mse_loss(w[:, None], torch.zeros(3)))
        assert "mse_loss" in viz.play(seen).html


def test_numbers_that_autocast_has_rounded_can_be_drawn():
    model, x = torch.nn.Linear(4, 4), torch.randn(5, 4)

    def program():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return model(x).float().pow(2).mean()

    assert "linear" in str(viz.draw(from_torch(program)))


def test_what_complex_numbers_compute_is_drawn_and_played_though_an_entry_is_tiny():
    w = torch.tensor([[1e-9, 1.0], [2.0, 3.0]], requires_grad=True)

    def program():
        turned = torch.view_as_real(torch.view_as_complex(w * 1.0) * 1j)
        return (turned * turned).sum() - turned.sum() * 1e-12

    seen = from_torch(program)
    assert "ViewAsReal" in viz.draw(seen).svg and "ViewAsReal" in viz.play(seen).html
