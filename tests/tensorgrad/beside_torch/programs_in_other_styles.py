"""Programs as other people write them: old tutorials, research code, functions alone, physics, games of two networks."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable
from torch.nn.utils import parametrizations, spectral_norm, weight_norm


def old_tutorial():
    x, y = Variable(torch.randn(8, 5)), Variable(torch.randn(8, 2), requires_grad=False)
    w1, w2 = Variable(torch.randn(5, 4), requires_grad=True), Variable(torch.randn(4, 2), requires_grad=True)

    def step():
        y_pred = x.mm(w1).clamp(min=0).mm(w2)
        return (y_pred - y).pow(2).sum()

    return step


def data_everywhere():
    w, x = torch.randn(4, 3, requires_grad=True), torch.randn(2, 4)

    def step():
        w.data.clamp_(-1, 1)
        h = x.mm(w)
        running = h.data.mean(0)
        h = h - Variable(running)
        scale = h.data.abs().max()
        return (h / scale).view(-1).pow(2).sum()

    return step


def in_place_everywhere():
    conv, x = nn.Conv2d(1, 2, 3, bias=False), torch.randn(2, 1, 6, 6)

    def step():
        h = conv(x)
        F.relu_(h.add_(1).mul_(2))
        h = h + 0
        h[:, 0] *= 0.5
        h[h > 3] = 3
        out = torch.zeros(h.size(0), 2)
        out[:, 0].copy_(h[:, 0].sum((1, 2)))
        out[:, 1].add_(h[:, 1].mean((1, 2)))
        out.div_(out.size(1))
        return out.sum()

    return step


def functional_style():
    def init(sizes):
        return [(torch.randn(m, n).div_(m**0.5).requires_grad_(), torch.zeros(n, requires_grad=True)) for m, n in zip(sizes, sizes[1:])]

    params, x = init([3, 5, 5, 1]), torch.randn(4, 3)

    def forward(params, x):
        for w, b in params[:-1]:
            x = torch.tanh(x @ w + b)
        w, b = params[-1]
        return x @ w + b

    return lambda: forward(params, x).pow(2).mean() + 1e-3 * sum((w**2).sum() for w, _ in params)


def generator_step():
    G = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 3), nn.Tanh())
    D = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1))
    real, bce = torch.randn(4, 3), nn.BCEWithLogitsLoss()

    def step():
        fake = G(torch.randn(4, 2))
        loss_d = bce(D(real), torch.ones(4, 1)) + bce(D(fake.detach()), torch.zeros(4, 1))
        loss_g = bce(D(fake), torch.ones(4, 1))
        return loss_d + loss_g

    return step


def gradient_penalty():
    D, real = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1)), torch.randn(4, 3)

    def step():
        fake = torch.randn(4, 3)
        alpha = torch.rand(4, 1)
        mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        scores = D(mixed)
        (grad,) = torch.autograd.grad(scores, mixed, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True)
        return D(fake).mean() - D(real).mean() + 10 * ((grad.norm(2, dim=1) - 1) ** 2).mean()

    return step


def physics_informed():
    net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    t = torch.linspace(0, 1, 6).view(-1, 1).requires_grad_()

    def residual():
        x = net(t)
        dx = torch.autograd.grad(x.sum(), t, create_graph=True)[0]
        ddx = torch.autograd.grad(dx.sum(), t, create_graph=True)[0]
        return (ddx + 0.5 * dx + 4 * x).pow(2).mean() + (x[0] - 1).pow(2).sum()

    return residual


def inner_gradient_steps():
    w, x, y = torch.randn(3, 1, requires_grad=True), torch.randn(5, 3), torch.randn(5, 1)

    def outer():
        fast = w
        for _ in range(2):
            inner = F.mse_loss(x @ fast, y)
            (grad,) = torch.autograd.grad(inner, fast, create_graph=True)
            fast = fast - 0.1 * grad
        return F.mse_loss(x @ fast, y)

    return outer


def weight_normed():
    model, x = nn.Sequential(parametrizations.weight_norm(nn.Linear(3, 4)), nn.Tanh(), nn.Linear(4, 1)), torch.randn(2, 3)
    return lambda: model(x).sum()


def weight_normed_as_before():
    model, x = weight_norm(nn.Linear(3, 4)), torch.randn(2, 3)
    return lambda: model(x).tanh().sum()


def spectrally_normed():
    model, x = nn.Sequential(spectral_norm(nn.Linear(3, 4)), parametrizations.spectral_norm(nn.Linear(4, 2))), torch.randn(2, 3)
    return lambda: model(x).square().sum()


def orthogonal():
    model, x = parametrizations.orthogonal(nn.Linear(3, 3)), torch.randn(2, 3)
    return lambda: model(x).tanh().sum()


def vmapped():
    w, xs = torch.randn(3, 4, requires_grad=True), torch.randn(5, 3)
    return lambda: torch.vmap(lambda x: torch.tanh(x @ w).norm())(xs * w.sum()).sum()


def jacobian_penalty():
    w = torch.randn(3, 3, requires_grad=True)
    return lambda: torch.func.jacrev(lambda x: torch.sin(w @ x))(torch.ones(3)).pow(2).sum()


def scripted():
    @torch.jit.script
    def gate(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(x) * torch.tanh(y)

    w, v = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
    return lambda: gate(w * 2, v * w).sum()


def spectrum():
    w, x = torch.randn(8, requires_grad=True), torch.randn(8)

    def step():
        y = torch.fft.irfft(torch.fft.rfft(w) * torch.fft.rfft(x))
        return y.tanh().sum() + torch.stft(w, 4, return_complex=True, window=torch.ones(4)).abs().mean()

    return step


def einsum_and_masks():
    q, k = torch.randn(2, 4, 3, requires_grad=True), torch.randn(2, 4, 3, requires_grad=True)
    lengths = torch.tensor([4, 2])

    def step():
        mask = torch.arange(4)[None, :] < lengths[:, None]
        sim = torch.einsum("b i d, b j d -> b i j", q, k)
        sim = sim.masked_fill(~mask[:, None, :], -torch.finfo(sim.dtype).max)
        sim = sim - sim.amax(dim=-1, keepdim=True).detach()
        attention = sim.softmax(dim=-1).where(mask[..., None], 0)
        return (attention.cumsum(-1) * torch.tril(torch.ones(4, 4))).sum()

    return step


def momentum_encoder():
    online, target, x = nn.Linear(3, 4), nn.Linear(3, 4), torch.randn(2, 3)

    def step():
        with torch.no_grad():
            for p, q in zip(online.parameters(), target.parameters()):
                q.mul_(0.9).add_(p, alpha=0.1)
            goal = F.normalize(target(x), dim=1)
        return 2 - 2 * (F.normalize(online(x), dim=1) * goal).sum(1).mean()

    return step


def straight_through():
    w, codes = torch.randn(4, 3, requires_grad=True), torch.randn(5, 3, requires_grad=True)

    def step():
        nearest = torch.cdist(w, codes).argmin(1)
        chosen = codes[nearest]
        quantised = w + (chosen - w).detach()
        return quantised.pow(3).sum() + F.mse_loss(chosen, w.detach()) + 0.25 * F.mse_loss(w, chosen.detach())

    return step


def hooks_that_reverse():
    features, head, x = nn.Linear(3, 4), nn.Linear(4, 1), torch.randn(2, 3)
    features.register_full_backward_hook(lambda module, inputs, outputs: None)

    def step():
        h = features(x)
        h.register_hook(lambda g: -0.5 * g)
        return head(h.relu()).sum()

    return step


def neural_ode():
    f, x0 = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2)), torch.randn(3, 2)

    def solve():
        x, path = x0, []
        for _ in range(3):
            k1 = f(x)
            k2 = f(x + 0.05 * k1)
            x = x + 0.1 * k2
            path += [x]
        return torch.stack(path, dim=0)[-1].norm(dim=1).mean()

    return solve


def backward_inside():
    w, x = torch.randn(3, requires_grad=True), torch.randn(3)

    def step():
        aux = (w * x).sin().sum()
        aux.backward(retain_graph=True)
        return aux + w.pow(2).sum() * w.grad.norm()

    return step


STYLES = [old_tutorial, data_everywhere, in_place_everywhere, functional_style, generator_step, gradient_penalty, physics_informed]
STYLES += [inner_gradient_steps, weight_normed, weight_normed_as_before, spectrally_normed, orthogonal, vmapped, jacobian_penalty, scripted]
STYLES += [spectrum, einsum_and_masks, momentum_encoder, straight_through, hooks_that_reverse, neural_ode, backward_inside]
