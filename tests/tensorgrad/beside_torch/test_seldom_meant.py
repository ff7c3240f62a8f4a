"""The report names what PyTorch allows and is seldom meant. What is meant gets no remark."""

import inspect

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

import viz  # noqa: E402
from scalargrad.graph import inputs_first  # noqa: E402
from scalargrad.user_names.remarks import remarks_of  # noqa: E402
from tensorgrad import from_torch  # noqa: E402
from tests.each import each  # noqa: E402

pytestmark = pytest.mark.torch

X, Y = torch.linspace(-1, 1, 24).view(8, 3), torch.linspace(0, 1, 8)
CLASSES = torch.arange(8) % 3


def column():
    torch.manual_seed(0)
    return nn.Linear(3, 1)(X)


def scores():
    torch.manual_seed(0)
    return nn.Linear(3, 3)(X)


class Listed(nn.Module):
    """A network that holds a layer in a list, and a parameter in a dictionary."""

    def __init__(self):
        super().__init__()
        self.first, self.layers, self.more = nn.Linear(3, 3), [nn.Linear(3, 3)], {"shift": torch.zeros(3, requires_grad=True)}
        self.aliases = [self.first]

    def forward(self, x):
        return self.layers[0](self.aliases[0](x)) + self.more["shift"]


def listed():
    net = Listed()
    return lambda: net(X).sum()


def still():
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5)).eval()
    return lambda: net(X).sum()


def alike():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    for p in net.parameters():
        nn.init.constant_(p, 0.5)
    return lambda: net(X).square().sum()


def silent():
    h = column()
    h.data.clamp_(-0.1, 0.1)
    return h.square().mean()


def not_frozen():
    net = nn.Sequential(nn.Linear(3, 1))
    net[0].requires_grad = False
    return lambda: net(X).sum()


def written_later():
    queue, h = torch.ones(4, 3), scores()
    y = h @ queue.T
    queue[0] = 0
    return y.sum()


def heads(mixing):
    """Return attention whose heads are split by a view, right or mixing places and channels."""
    net = nn.Linear(6, 6)

    def loss():
        h = net(torch.ones(2, 5, 6))
        q = h.view(2, 3, 5, 2) if mixing else h.view(2, 5, 3, 2).transpose(1, 2)
        return (q @ q.transpose(-1, -2)).softmax(-1).square().sum()

    return loss


def images(mixing):
    """Return a convolution of images whose last axis is that of colours."""
    net, x = nn.Conv2d(3, 2, 1), torch.ones(2, 4, 5, 3)

    def loss():
        y = net((x.reshape(2, 3, 4, 5) if mixing else x.permute(0, 3, 1, 2)) / 2)
        return F.cross_entropy(y.view(-1, 2) if mixing else y.permute(0, 2, 3, 1).reshape(-1, 2), torch.zeros(40).long())

    return loss


def relative(x):
    """Return scores of relative positions, shifted by a reshape of a padded array: it moves entries on purpose."""
    scores = x @ torch.ones(3, 6)
    padded = torch.cat([torch.zeros(8, 1), scores], -1)
    return padded.view(1, 7, 8)[:, 1:].view(1, 8, 6).square().sum()


class Residual(nn.Module):
    """A residual block. Its ReLU writes to its input, which is the shortcut too, or to what the block has computed."""

    def __init__(self, first):
        super().__init__()
        self.conv, self.relu, self.first = nn.Conv1d(3, 3, 1), nn.ReLU(inplace=True), first

    def forward(self, x):
        identity = x
        out = self.conv(self.relu(x)) if self.first else self.relu(self.conv(x))
        return out + identity


def residual(first):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv1d(1, 3, 1), Residual(first), Residual(first))
    return lambda: net(torch.randn(4, 1, 5)).square().sum()


def wants_the_write():
    h = scores()
    F.relu(h, inplace=True)
    return (h @ torch.ones(3, 1) + h).sum()


def one_of_two_ways():
    relu = nn.ReLU(inplace=True)

    def block(x, first):
        y = relu(x) if first else x + 1
        return y.sum()

    return block(scores(), True) + block(scores(), False)


def replaced(late):
    """Return a network of which a layer is replaced before, or after the optimiser is made."""
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 9))
    net[2] = net[2] if late else nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net[2] = nn.Linear(4, 3) if late else net[2]

    def loss():
        optimizer.zero_grad()
        return F.cross_entropy(net(X), CLASSES)

    return loss


def part_of_a_network_is_trained():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))
    optimizer = torch.optim.SGD(net[2].parameters(), lr=0.1)

    def loss():
        optimizer.zero_grad()
        return F.cross_entropy(net(X), CLASSES)

    return loss


def normalised(with_mean, by_root=False):
    gain = torch.ones(3, requires_grad=True)

    def loss():
        h = scores()
        mean = h.mean(-1, keepdim=True)
        top = h - mean if with_mean else h
        down = torch.sqrt(h.var(-1, keepdim=True) + 1e-5) if by_root else h.std(-1, keepdim=True) + 1e-5
        return (gain * top / down).pow(3).sum()

    return loss


def next_token(mask, shifted=True):
    """Return the loss of a small language model with attention."""
    torch.manual_seed(0)
    words, net, head = nn.Embedding(7, 4), nn.Linear(4, 4), nn.Linear(4, 7)
    tokens = torch.randint(0, 7, (2, 6))
    x, y = (tokens[:, :-1], tokens[:, 1:]) if shifted else (tokens, tokens % 3)

    def loss():
        h = words(x)
        scores = net(h) @ h.transpose(1, 2)
        if mask:
            scores = scores.masked_fill(torch.ones(scores.shape[1:]).triu(1) == 1, -torch.inf)
        logits = head(scores.softmax(-1) @ h)
        return F.cross_entropy(logits.flatten(0, 1), y.flatten())

    return loss


def rebuilt():
    """Return a network that was made anew after its optimiser."""
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))

    def loss():
        optimizer.zero_grad()
        return F.cross_entropy(net(X), CLASSES)

    return loss


def two_networks(trained):
    """Return the loss of one of two equal networks, or of both, each with an optimiser."""
    nets = [nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 3)) for _ in range(2)]
    optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets[:trained]]

    def loss():
        for optimizer in optimizers:
            optimizer.zero_grad()
        return F.cross_entropy(nets[1](X), CLASSES)

    return loss


def frozen(still):
    """Return a network on a frozen one with batch norm, in eval mode or not."""
    backbone, head = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)).requires_grad_(False), nn.Linear(4, 3)
    backbone.train(not still)
    return lambda: F.cross_entropy(head(backbone(X)), CLASSES)


def judged_by_a_frozen_one():
    """Return a generator before a discriminator that is frozen for its step."""
    generator, judge = nn.Linear(3, 4), nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 1)).requires_grad_(False)
    return lambda: judge(generator(X)).square().mean()


def measured(still, used=False):
    """Return a loss beside which the network runs under no_grad: in eval mode, or as a target of the loss."""
    net, head = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5)), nn.Linear(4, 3)

    def loss():
        y = head(net(X))
        net.train(not still)
        with torch.no_grad():
            other = head(net(-X))
        net.train()
        return F.cross_entropy(y, CLASSES) + ((y - other).square().mean() if used else 0)

    return loss


ODD = {
    "a loss that broadcasts": (lambda: F.mse_loss(column(), Y), "(8, 1) and (8,), which are broadcast to (8, 8)"),
    "a difference that broadcasts": (lambda: (column() - Y).square().mean(), "(8, 1) and (8,), which are broadcast to (8, 8)"),
    "its other side": (lambda: (Y.view(2, 4).repeat(4, 1)[:, :1] - column().squeeze(-1)).abs().mean(), "broadcast to (8, 8)"),
    "softmax twice": (lambda: F.cross_entropy(scores().softmax(1), CLASSES), "softmax is applied twice"),
    "softmax by hand": (lambda: F.cross_entropy(scores().exp() / scores().exp().sum(1, keepdim=True), CLASSES), "is applied twice"),
    "sigmoid twice": (lambda: F.binary_cross_entropy_with_logits(column().sigmoid(), Y[:, None]), "applies sigmoid itself"),
    "probabilities for logarithms": (lambda: F.nll_loss(scores().softmax(1), CLASSES), "log_softmax is meant"),
    "softmax of one class": (lambda: (column().softmax(1) - Y[:, None]).square().mean(), "an axis of one entry"),
    "softmax over the batch": (lambda: scores().softmax(0)[:, 0].sum(), "along axis 0 of (8, 3), the batch"),
    "a layer in a list": (listed(), "net.layers is a list, so net does not know what it holds"),
    "a parameter in a dictionary": (listed(), "net.more is a dict"),
    "running statistics": (still(), "1: in eval mode, with running statistics"),
    "no dropout": (still(), "2: in eval mode, so nothing is dropped"),
    "rows that are copies": (alike(), "0.weight: all rows are the same, and so are their gradients"),
    "a module that is not frozen": (not_frozen(), "0: .requires_grad of a module is an attribute of its own"),
    "numbers that backward() needs": (written_later, "needs numbers in the backward pass that are written to after it"),
    "a view for a transposition": (heads(True), "makes (2, 3, 5, 2) of (2, 5, 6) and keeps the order of the entries"),
    "how to split heads": (heads(True), "to move an axis, .view(2, 5, 3, 2).transpose(1, 2)"),
    "a reshape of data for a permutation": (images(True), "to move an axis, .permute(0, 3, 1, 2)"),
    "classes that are not the last axis": (images(True), ".movedim(1, -1).reshape(-1, 2)"),
    "an activation that changes the shortcut": (residual(True), "writes to its input, which is used again as identity"),
    "a layer that is replaced too late": (replaced(True), "net.2.weight, net.2.bias: optimizer does not train them"),
    "a network that is made anew": (rebuilt(), "make it after the model is replaced"),
    "a frozen batch norm": (frozen(still=False), "backbone.1: frozen, but in train mode"),
    "a measurement in train mode": (measured(still=False), "net.1: in train mode under no_grad"),
    "a layer norm without its mean": (normalised(False), "divides by the deviation of what h.mean"),
    "the same by the root of the variance": (normalised(False, by_root=True), "and nothing uses that mean"),
    "a missing mask": (next_token(mask=False), "its scores for the first place depend on the second token"),
    "a write by .data": (silent, "h has other numbers at test_seldom_meant.py:"),
}


def deep(scale, norm=nn.Identity, gain=1.0):
    """Return a network of six layers of these weights, the last of them, if `norm` is a batch norm, of this gain."""
    net = nn.Sequential(*[layer for _ in range(6) for layer in (nn.Linear(16, 16, bias=False), norm())])
    for layer in net[::2]:
        nn.init.normal_(layer.weight, std=scale)
    return lambda: net(torch.linspace(-1, 1, 128).view(8, 16).sin()).mean() * gain


def low_rank(x=X):
    """Return a frozen layer beside two thin ones, the second of which begins with 0."""
    frozen, thin, wide = nn.Linear(3, 3).requires_grad_(False), nn.Linear(3, 2, bias=False), nn.Linear(2, 3, bias=False)
    nn.init.zeros_(wide.weight)
    return lambda: F.cross_entropy(frozen(x) + wide(thin(x)), CLASSES)


def dead(bias, units=2):
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 3))
    with torch.no_grad():
        net[0].bias[:units] = bias
    return lambda: F.cross_entropy(net(X), CLASSES)


AT_PLACES = {  # programs: the label of the remark on a variable, and the function there
    "small weights": (deep(0.01), "gradients vanish", "linear"),
    "large weights": (deep(30.0), "gradients explode", "linear"),
    "half of the units are dead": (dead(-1e3), "dead units", "relu"),
    "flat units": (lambda: torch.sigmoid(scores() * 1e4).square().sum(), "dead units", "sigmoid"),
}
MEANT = {
    "weights of a usual size": deep(0.3),
    "a branch that begins with 0": low_rank(),
    "one dead unit": dead(-1e3, units=1),
    "a hinge that nothing violates": lambda: (column() * 0.01 + torch.clamp(scores() - 1e3, min=0).sum()).square().mean(),
    "columns against columns": lambda: F.mse_loss(column(), Y[:, None]),
    "all pairs": lambda: (column().squeeze(1)[:, None] - column().squeeze(1)).square().mean(),
    "all pairs with a target": lambda: (Y[:, None] - column().squeeze(1)).square().mean(),
    "a bias": lambda: (scores() + torch.ones(3, requires_grad=True)).square().mean(),
    "scores": lambda: F.cross_entropy(scores(), CLASSES),
    "log_softmax, which changes nothing": lambda: F.cross_entropy(scores().log_softmax(1), CLASSES),
    "logarithms": lambda: F.nll_loss(scores().log_softmax(1), CLASSES),
    "softmax over classes": lambda: scores().softmax(1)[:, 0].sum(),
    "heads that are split and moved": heads(False),
    "images and classes that are moved": images(False),
    "a reshape that shifts": lambda: relative(scores()),
    "axes that are merged by a product": lambda: scores().view(2, 4, 3).transpose(0, 1).reshape(2 * 4, 3).square().sum(),
    "an activation of what the block computes": residual(False),
    "a write that is wanted": wants_the_write,
    "an activation whose input is read on another way": one_of_two_ways,
    "a layer that is replaced in time": replaced(False),
    "one of two networks": two_networks(trained=1),
    "each network with its optimiser": two_networks(trained=2),
    "a frozen batch norm in eval mode": frozen(still=True),
    "a frozen discriminator": judged_by_a_frozen_one(),
    "a measurement in eval mode": measured(still=True),
    "a target under no_grad": measured(still=False, used=True),
    "an optimiser of a part": part_of_a_network_is_trained(),
    "a layer norm": normalised(True),
    "a mask": next_token(mask=True),
    "targets that are not the next tokens": next_token(mask=False, shifted=False),
    "softmax over a sequence": lambda: (torch.tanh(scores()).softmax(0) * X).sum(),
}


@each("program, text", ODD.values(), ODD)
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_what_is_seldom_meant_is_named(program, text):
    found = from_torch(program).report()
    assert any(text in remark for remark in found.remarks), found.remarks
    assert text[:20] in " ".join(str(found).split())


@each("program, label, function", AT_PLACES.values(), AT_PLACES)
def test_dead_units_and_far_gradients_are_said_at_their_place(program, label, function):
    seen = from_torch(program)
    source = viz.draw(seen).source
    (v,) = [v for v in inputs_first(seen.z.node) if any(remark.label == label for remark in remarks_of(v))]
    assert v.rule.name == function and f"! {label}" in source


@each("program", MEANT.values(), MEANT)
def test_what_is_meant_gets_no_remark(program):
    seen = from_torch(program)
    assert seen.report().remarks == []
    labels = {remark.label for v in inputs_first(seen.z.node) for remark in remarks_of(v)}
    assert labels <= {"", "gradient stops", "no gradient"}  # of what the program freezes, or leaves out


def test_a_list_of_layers_that_the_module_knows_too_gets_no_remark():
    assert not any("aliases" in remark for remark in from_torch(listed()).report().remarks)


def test_pytorch_warns_at_the_line_of_the_program_and_only_once():
    with pytest.warns(UserWarning, match="Using a target size") as warned:
        seen = from_torch(lambda: F.mse_loss(column(), Y))
        (remark,) = seen.report().remarks
        seen.check()
    (one,) = warned
    line = inspect.currentframe().f_lineno - 4
    assert (one.filename, one.lineno) == (__file__, line)
    assert remark.startswith(f"F.mse_loss (test_seldom_meant.py:{line})")


def test_each_line_of_the_program_warns():
    def program():
        first = F.mse_loss(column(), Y)
        return first + F.mse_loss(column(), Y)

    with pytest.warns(UserWarning, match="Using a target size") as warned:
        from_torch(program)
    first = program.__code__.co_firstlineno
    assert [w.lineno - first for w in warned] == [1, 2]


def test_the_check_says_where_pytorchs_backward_pass_raises():
    (problem,) = from_torch(written_later).check().problems
    assert "matmul at test_seldom_meant.py:" in str(problem) and "write to a copy, .clone()" in str(problem)


def test_a_loss_of_frozen_parameters_names_them():
    net = nn.Linear(3, 1).requires_grad_(False)
    with pytest.raises(RuntimeError, match="it depends on no tensor that does; frozen are weight, bias"):
        from_torch(lambda: net(X).sum())
