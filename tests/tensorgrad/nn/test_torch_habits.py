"""Programs with recurrent layers, encoders, schedules and hooks as PyTorch's users write them: only the imports differ."""

from types import SimpleNamespace

import numpy as np
import pytest

from tensorgrad import Tensor, nn, optim, stack
from tests.each import each
from tests.tensorgrad.nn.case import pattern

RNG = np.random.default_rng(0)
LINES, CLASSES = RNG.normal(size=(8, 6, 5)), RNG.integers(0, 3, 8)
TOKENS = RNG.integers(1, 9, (6, 7))
TOKENS[1, 4:] = TOKENS[4, 2:] = 0  # padding
TAGS = RNG.integers(0, 3, 6)


def tensor(x):
    """Return floats as a Tensor; integers and truth values stay an array."""
    return Tensor(x, keep_grad=False) if x.dtype.kind == "f" else x


OURS = SimpleNamespace(
    nn=nn,
    optim=SimpleNamespace(**{name: getattr(optim, name) for name in optim.__all__}),
    double=lambda model: model.astype(np.float64),
    tensor=tensor,
    zeros=lambda *shape: np.zeros(shape),
    stack=stack,
)


def theirs():
    """Return PyTorch under the names of the programs."""
    torch = pytest.importorskip("torch")
    scheduled = SimpleNamespace(**vars(torch.optim) | vars(torch.optim.lr_scheduler), clip_grad_norm_=torch.nn.utils.clip_grad_norm_)
    return SimpleNamespace(
        nn=torch.nn,
        optim=scheduled,
        double=lambda model: model.double(),
        tensor=torch.tensor,
        zeros=lambda *shape: torch.zeros(*shape, dtype=torch.float64),
        stack=torch.stack,
    )


def started(lib, model):
    """Return the model in float64, at numbers that are the same in both libraries."""
    model = lib.double(model)
    state = {name: lib.tensor(pattern(tuple(x.shape), i) / 4) for i, (name, x) in enumerate(model.state_dict().items())}
    model.load_state_dict(state)
    return model


def trained(lib, model, x, target, optimizer=None, steps=5):
    """Make the steps of a plain training loop, and return the losses."""
    optimizer, losses = optimizer or lib.optim.Adam(model.parameters(), lr=0.01), []
    for _ in range(steps):
        loss = lib.nn.CrossEntropyLoss()(model(lib.tensor(x)), lib.tensor(target))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def a_character_rnn_with_its_state_detached(lib):
    n = lib.nn

    class Characters(n.Module):
        def __init__(self):
            super().__init__()
            self.embed = n.Embedding(9, 8)
            self.rnn = n.RNN(8, 8, batch_first=True)
            self.fc = n.Linear(8, 9)

        def forward(self, x, h=None):
            y, h = self.rnn(self.embed(x), h)
            return self.fc(y), h

    model = started(lib, Characters())
    optimizer, h, losses = lib.optim.RMSprop(model.parameters(), lr=0.01), None, []
    for _ in range(4):
        scores, h = model(lib.tensor(TOKENS[:, :-1]), h)
        h = h.detach()
        loss = n.CrossEntropyLoss()(scores.reshape(-1, 9), lib.tensor(TOKENS[:, 1:].reshape(-1)))
        optimizer.zero_grad()
        loss.backward()
        lib.optim.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def a_sequence_classified_by_the_last_state(lib):
    n = lib.nn

    class Classifier(n.Module):
        def __init__(self):
            super().__init__()
            self.lstm = n.LSTM(input_size=5, hidden_size=6, num_layers=2, batch_first=True)
            self.fc = n.Linear(6, 3)

        def forward(self, x):
            self.lstm.flatten_parameters()
            _, (h_n, _) = self.lstm(x, (lib.zeros(2, x.shape[0], 6), lib.zeros(2, x.shape[0], 6)))
            return self.fc(h_n[-1])

    return trained(lib, started(lib, Classifier()), LINES, CLASSES)


def a_bidirectional_lstm_with_the_mean_of_its_outputs(lib):
    n = lib.nn

    class Tagger(n.Module):
        def __init__(self):
            super().__init__()
            self.embed = n.Embedding(9, 4, padding_idx=0)
            self.lstm = n.LSTM(4, 5, bidirectional=True, batch_first=True)
            self.out = n.Linear(2 * 5, 3)

        def forward(self, x):
            kept = (x != 0)[..., None]
            return self.out((self.lstm(self.embed(x))[0] * kept).sum(1) / kept.sum(1))

    return trained(lib, started(lib, Tagger()), TOKENS, TAGS)


def cells_from_sequence_to_sequence(lib):
    n = lib.nn

    class Reverse(n.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.decoder = n.LSTMCell(5, 6), n.GRUCell(5, 6)
            self.out = n.Linear(6, 5)

        def forward(self, xs):
            state = None
            for t in range(xs.shape[1]):
                state = self.encoder(xs[:, t], state)
            h, x, outputs = state[0], lib.zeros(xs.shape[0], 5), []
            for _ in range(xs.shape[1]):
                h = self.decoder(x, h)
                x = self.out(h)
                outputs.append(x)
            return lib.stack(outputs, 1)

    model, losses = started(lib, Reverse()), []
    optimizer = lib.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(5):
        loss = n.MSELoss()(model(lib.tensor(LINES)), lib.tensor(LINES[:, ::-1].copy()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def an_encoder_with_a_padding_mask(lib):
    n = lib.nn

    class Model(n.Module):
        def __init__(self):
            super().__init__()
            self.embed = n.Embedding(9, 8)
            layer = n.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=12, dropout=0.0, activation="gelu", batch_first=True)
            self.encoder = n.TransformerEncoder(layer, num_layers=2, norm=n.LayerNorm(8), enable_nested_tensor=False)
            self.head = n.Linear(8, 3)

        def forward(self, x):
            return self.head(self.encoder(self.embed(x), src_key_padding_mask=x == 0)[:, 0])

    return trained(lib, started(lib, Model()), TOKENS, TAGS)


def a_causal_encoder(lib):
    n, causal = lib.nn, np.triu(np.ones((6, 6), bool), 1)

    class Language(n.Module):
        def __init__(self):
            super().__init__()
            self.token, self.place = n.Embedding(9, 8), n.Embedding(6, 8)
            layer = n.TransformerEncoderLayer(8, 2, 12, 0.0, batch_first=True, norm_first=True)
            self.encoder = n.TransformerEncoder(layer, 2, enable_nested_tensor=False)
            self.head = n.Linear(8, 9, bias=False)

        def forward(self, x):
            y = self.encoder(self.token(x) + self.place(lib.tensor(np.arange(6))), mask=lib.tensor(causal), is_causal=True)
            return self.head(y).reshape(-1, 9)

    return trained(lib, started(lib, Language()), TOKENS[:, :-1], TOKENS[:, 1:].reshape(-1))


def a_warm_up_by_lambda_lr(lib):
    model = started(lib, lib.nn.Sequential(lib.nn.Flatten(), lib.nn.Linear(30, 8), lib.nn.Tanh(), lib.nn.Linear(8, 3)))
    optimizer = lib.optim.Adam([{"params": model[1].parameters()}, {"params": model[3].parameters(), "lr": 0.01}], lr=0.05)
    scheduler, losses = lib.optim.LambdaLR(optimizer, lr_lambda=lambda step: min((step + 1) / 3, 1.0) * 0.9**step), []
    for _ in range(6):
        losses += trained(lib, model, LINES, CLASSES, optimizer, steps=1)
        scheduler.step()
    return losses + scheduler.get_last_lr()


def a_plateau_of_the_validation_loss(lib):
    model, losses = started(lib, lib.nn.Sequential(lib.nn.Flatten(), lib.nn.Linear(30, 3), lib.nn.LogSoftmax(dim=1))), []
    optimizer = lib.optim.SGD(model.parameters(), lr=3.0, momentum=0.9)
    scheduler = lib.optim.ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=1, cooldown=1, min_lr=0.01)
    for _ in range(12):
        losses += trained(lib, model.train(), LINES, CLASSES, optimizer, steps=1)
        validation = lib.nn.NLLLoss()(model.eval()(lib.tensor(LINES[::-1].copy())), lib.tensor(CLASSES))
        scheduler.step(validation.item())
    return [*losses, optimizer.param_groups[0]["lr"]]


def features_seen_by_hooks(lib):
    model, features = started(lib, lib.nn.Sequential(lib.nn.Flatten(), lib.nn.Linear(30, 8), lib.nn.ReLU(), lib.nn.Linear(8, 3))), {}

    def keep(name):
        def hook(module, input, output):
            features[name] = output.detach()

        return hook

    handles = [layer.register_forward_hook(keep(name)) for name, layer in model.named_children()]
    losses = trained(lib, model, LINES, CLASSES, steps=2)
    for handle in handles:
        handle.remove()
    with model[2].register_forward_hook(lambda module, input, output: output * 0.5):
        losses += trained(lib, model, LINES, CLASSES, steps=2)
    return [*losses, features["2"].sum().item(), features["3"].sum().item(), 0.0]


PROGRAMS = [
    a_character_rnn_with_its_state_detached,
    a_sequence_classified_by_the_last_state,
    a_bidirectional_lstm_with_the_mean_of_its_outputs,
    cells_from_sequence_to_sequence,
    an_encoder_with_a_padding_mask,
    a_causal_encoder,
    a_warm_up_by_lambda_lr,
    a_plateau_of_the_validation_loss,
    features_seen_by_hooks,
]


@each("program", PROGRAMS)
def test_a_program_in_pytorchs_habits_runs_and_learns(program):
    losses = program(OURS)
    assert np.isfinite(losses).all() and min(losses[1:4]) < losses[0]


@pytest.mark.torch
@each("program", PROGRAMS)
def test_a_program_in_pytorchs_habits_has_pytorchs_losses(program):
    np.testing.assert_allclose(program(OURS), program(theirs()), rtol=1e-9)


@pytest.mark.torch
@each("kind, options", [("LSTM", {"num_layers": 2, "bidirectional": True}), ("GRU", {}), ("RNN", {"bias": False}), ("LSTMCell", {})])
def test_a_state_dict_moves_from_pytorch_and_back(kind, options):
    torch = pytest.importorskip("torch")
    there, ours = getattr(torch.nn, kind)(5, 6, **options), getattr(nn, kind)(5, 6, **options)
    ours.load_state_dict(there.state_dict())
    x = LINES[0].astype(np.float32)
    first = lambda y: y[0] if isinstance(y, tuple) else y
    np.testing.assert_allclose(first(ours(x)).data, first(there(torch.tensor(x))).detach().numpy(), rtol=1e-5, atol=1e-6)
    there.load_state_dict({name: torch.tensor(array) for name, array in ours.state_dict().items()})
