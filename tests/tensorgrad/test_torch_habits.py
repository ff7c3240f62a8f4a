"""Training programs as PyTorch's users write them: with only the imports changed they run here, and have PyTorch's losses."""

from types import SimpleNamespace

import numpy as np
import pytest

import tensorgrad
from tensorgrad import nn, optim
from tensorgrad.data import DataLoader
from tensorgrad.saving import load, save
from tests.each import each

RNG = np.random.default_rng(0)
IMAGES, LABELS = RNG.normal(size=(32, 3, 8, 8)), RNG.integers(0, 4, 32)

OURS = SimpleNamespace(nn=nn, optim=optim, F=tensorgrad, tensor=lambda x: x)


def theirs():
    """Return PyTorch under the names of the programs, for numbers of 64 bits."""
    torch = pytest.importorskip("torch")
    functions = SimpleNamespace(cross_entropy=torch.nn.functional.cross_entropy)
    scheduled = SimpleNamespace(**vars(torch.optim) | vars(torch.optim.lr_scheduler), clip_grad_norm_=torch.nn.utils.clip_grad_norm_)
    return SimpleNamespace(nn=torch.nn, optim=scheduled, F=functions, tensor=torch.tensor)


def model_of(lib):
    """Return the same network in either library, in float64."""
    n = lib.nn
    images = n.Conv2d(3, 6, 3), n.BatchNorm2d(6), n.ReLU(), n.MaxPool2d(2)
    model = n.Sequential(*images, n.Flatten(), n.Linear(54, 16), n.LayerNorm(16), n.GELU(), n.Linear(16, 4))
    rng, state = np.random.default_rng(1), model.state_dict()
    start = {name: rng.normal(size=tuple(x.shape)) / 5 for name, x in state.items() if name.endswith(("weight", "bias"))}
    model = model.astype(np.float64) if lib is OURS else model.double()
    model.load_state_dict({name: lib.tensor(x) for name, x in start.items()}, strict=False)
    return model


def steps(lib, model, optimizer, scheduler=None, epochs=2, clip=None):
    """Make the steps of a plain training loop, and return the losses."""
    losses = []
    for _ in range(epochs):
        for batch in DataLoader([{"image": x, "label": y} for x, y in zip(IMAGES, LABELS)], batch_size=8):
            loss = lib.F.cross_entropy(model(lib.tensor(np.asarray(batch["image"]))), lib.tensor(np.asarray(batch["label"])))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            if clip:
                lib.optim.clip_grad_norm_(model.parameters(), max_norm=clip)
            optimizer.step()
            if scheduler:
                scheduler.step()
            losses.append(loss.item())
    return losses


def one_cycle_with_groups_and_clipping(lib):
    model = model_of(lib)
    decay = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    optimizer = lib.optim.AdamW(groups, lr=1e-2, betas=(0.9, 0.95))
    scheduler = lib.optim.OneCycleLR(optimizer, max_lr=[1e-2, 2e-2], epochs=2, steps_per_epoch=5)
    return steps(lib, model, optimizer, scheduler, clip=0.5)


def warm_up_then_cosine(lib):
    model = model_of(lib)
    optimizer = lib.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
    warm = lib.optim.LinearLR(optimizer, start_factor=0.1, total_iters=3)
    scheduler = lib.optim.SequentialLR(optimizer, schedulers=[warm, lib.optim.CosineAnnealingLR(optimizer, T_max=5)], milestones=[3])
    return steps(lib, model, optimizer, scheduler)


def a_closure(lib):
    model = model_of(lib)
    optimizer = lib.optim.SGD(model.parameters(), lr=0.05)
    images, labels = lib.tensor(IMAGES), lib.tensor(LABELS)

    def closure():
        optimizer.zero_grad()
        loss = lib.F.cross_entropy(model(images), labels)
        loss.backward()
        return loss

    return [optimizer.step(closure).item() for _ in range(4)]


def resumed_with_last_epoch(lib):
    model = model_of(lib)
    optimizer = lib.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.5)
    scheduler = lib.optim.StepLR(optimizer, step_size=3, gamma=0.5)
    before = steps(lib, model, optimizer, scheduler, epochs=1)
    resumed = lib.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.5)
    resumed.load_state_dict(optimizer.state_dict())
    return before + steps(lib, model, resumed, lib.optim.StepLR(resumed, 3, 0.5, last_epoch=scheduler.last_epoch - 1), epochs=1)


def accumulated_gradients_and_a_rate_set_by_hand(lib):
    model = model_of(lib)
    optimizer, losses = lib.optim.Adam(model.parameters(), lr=1e-2, amsgrad=True), []
    for i in range(8):
        part = slice(4 * i, 4 * i + 4)
        loss = lib.F.cross_entropy(model(lib.tensor(IMAGES[part])), lib.tensor(LABELS[part])) / 2
        loss.backward()
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
        losses.append(loss.item())
    model.eval()
    return [*losses, lib.F.cross_entropy(model(lib.tensor(IMAGES)), lib.tensor(LABELS)).item()]


PROGRAMS = [
    one_cycle_with_groups_and_clipping,
    warm_up_then_cosine,
    a_closure,
    resumed_with_last_epoch,
    accumulated_gradients_and_a_rate_set_by_hand,
]


@each("program", PROGRAMS)
def test_a_program_in_pytorchs_habits_runs_and_learns(program):
    losses = program(OURS)
    assert np.isfinite(losses).all() and min(losses[4:] or losses[1:]) < losses[0]


@pytest.mark.torch
@each("program", PROGRAMS)
def test_a_program_in_pytorchs_habits_has_pytorchs_losses(program):
    np.testing.assert_allclose(program(OURS), program(theirs()), rtol=1e-10)


def as_torch(torch, x):
    """Return a state with PyTorch's tensors for arrays."""
    if isinstance(x, dict):
        return {key: as_torch(torch, y) for key, y in x.items()}
    return [as_torch(torch, y) for y in x] if isinstance(x, list) else torch.tensor(x) if isinstance(x, np.ndarray) else x


@pytest.mark.torch
@each("kind", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"])
def test_a_training_moves_from_pytorch_to_us_and_through_a_checkpoint_file_back(kind, tmp_path_factory):
    torch = pytest.importorskip("torch")
    path, lib = tmp_path_factory.mktemp("moved") / "run.safetensors", theirs()

    def run_of(lib):
        model = model_of(lib)
        optimizer = getattr(lib.optim, kind)(model.parameters(), lr=1e-2, **{"momentum": 0.9} if kind == "SGD" else {})
        return model, optimizer, lib.optim.ExponentialLR(optimizer, gamma=0.9)

    first, ours, last = run_of(lib), run_of(OURS), run_of(lib)
    steps(lib, *first, epochs=1)
    for part, other in zip(ours, first):
        part.load_state_dict(other.state_dict())
    np.testing.assert_allclose(steps(OURS, *ours, epochs=1), steps(lib, *first, epochs=1), rtol=1e-10)
    save(path, model=ours[0], optimizer=ours[1], scheduler=ours[2], epoch=2)
    for part, state in zip(last, load(path).values()):
        part.load_state_dict(as_torch(torch, state))
    np.testing.assert_allclose(steps(lib, *last, epochs=1), steps(OURS, *ours, epochs=1), rtol=1e-10)
