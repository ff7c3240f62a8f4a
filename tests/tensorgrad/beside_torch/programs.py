"""Programs of PyTorch's users: what tests record. Each function makes a program, a function of no arguments that returns its loss."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical, Normal, kl_divergence
from torch.nn.utils import rnn
from torch.utils.checkpoint import checkpoint


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.drop, self.fc = nn.Dropout(0.3), nn.Linear(36, 5)

    def forward(self, x):
        h = self.conv(x)
        h = F.relu(self.bn(h), inplace=True)
        h = self.drop(F.max_pool2d(h, 2).flatten(1))
        h += 1
        return self.fc(h)


def classifier():
    model, x, y = Classifier(), torch.randn(2, 1, 8, 8), torch.tensor([1, 3])
    return lambda: F.cross_entropy(model(x), y)


def encoder():
    model, x = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), torch.randn(2, 5, 8)
    return lambda: model(x).pow(2).mean()


def recurrent():
    model, x = nn.LSTM(3, 4), torch.randn(5, 2, 3)
    return lambda: model(x)[0].sum()


def views():
    w = torch.randn(2, dtype=torch.float64, requires_grad=True)

    def program():
        b = torch.zeros(3, dtype=torch.float64)
        v = b[1:]
        v.copy_(w)
        v *= 2
        b[0] = w[0]
        return (b * torch.arange(3)).sum() + v[0]

    return program


def without_counterpart():
    w = torch.rand(3, dtype=torch.float64, requires_grad=True)
    return lambda: (torch.special.zeta(w.new_tensor(2), w + 1) * w).sum()


def mlp():
    model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 2))
    x, y = torch.randn(4, 3), torch.randn(4, 2)
    return lambda: F.mse_loss(model(x), y)


class Residual(nn.Module):
    def __init__(self, inner, outer, stride=1):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer)
        self.conv2, self.bn2 = nn.Conv2d(outer, outer, 3, 1, 1, bias=False), nn.BatchNorm2d(outer)
        self.relu, self.downsample = nn.ReLU(inplace=True), None
        if stride != 1 or inner != outer:
            self.downsample = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


def resnet18():
    widths = [(4, 4), (4, 4), (4, 8, 2), (8, 8), (8, 12, 2), (12, 12), (12, 16, 2), (16, 16)]
    stem = [nn.Conv2d(3, 4, 7, 2, 3, bias=False), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    body = [Residual(*width) for width in widths]
    model = nn.Sequential(*stem, *body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5))
    x, y = torch.randn(2, 3, 64, 64), torch.tensor([1, 4])
    return lambda: F.cross_entropy(model(x), y, label_smoothing=0.1)


def decoder():
    model = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.1, norm_first=True), 2)
    tgt, memory, mask = torch.randn(4, 2, 8), torch.randn(5, 2, 8), nn.Transformer.generate_square_subsequent_mask(4)
    return lambda: model(tgt, memory, tgt_mask=mask).square().mean()


def transformer():
    model = nn.Transformer(8, 2, 1, 1, 16, dropout=0.1, batch_first=True)
    src, tgt, padding = torch.randn(2, 5, 8), torch.randn(2, 4, 8), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    return lambda: model(src, tgt, src_key_padding_mask=padding).square().mean()


class CausalSelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads, self.dropout = heads, nn.Dropout(0.1)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q, k, v = [t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in (q, k, v)]
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=0.1 if self.training else 0, is_causal=True)
        return self.dropout(self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C)))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(width), CausalSelfAttention(width, heads), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, words=11, width=8, heads=2, layers=2, length=6):
        super().__init__()
        parts = {"wte": nn.Embedding(words, width), "wpe": nn.Embedding(length, width), "drop": nn.Dropout(0.1)}
        blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.transformer = nn.ModuleDict({**parts, "h": blocks, "ln_f": nn.LayerNorm(width)})
        self.lm_head = nn.Linear(width, words, bias=False)
        self.transformer.wte.weight = self.lm_head.weight

    def forward(self, idx, targets):
        x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(torch.arange(idx.size(1))))
        for block in self.transformer.h:
            x = block(x)
        logits = self.lm_head(self.transformer.ln_f(x))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)


def nanogpt():
    model, idx = GPT(), torch.randint(11, (2, 6))
    return lambda: model(idx, idx.roll(-1, 1))


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.mu, self.logvar = nn.Linear(6, 8), nn.Linear(8, 2), nn.Linear(8, 2)
        self.fc2, self.fc3 = nn.Linear(2, 8), nn.Linear(8, 6)

    def forward(self, x):
        h = F.relu(self.fc1(x))
        mu, logvar = self.mu(h), self.logvar(h)
        std = torch.exp(0.5 * logvar)
        z = mu + torch.randn_like(std) * std
        return torch.sigmoid(self.fc3(F.relu(self.fc2(z)))), mu, logvar


def vae():
    model, x = VAE(), torch.rand(3, 6)

    def program():
        reconstruction, mu, logvar = model(x)
        bce = F.binary_cross_entropy(reconstruction, x, reduction="sum")
        return bce - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())

    return program


def dropouts():
    x, w = torch.randn(2, 4, 6), torch.randn(6, 6, requires_grad=True)
    return lambda: (F.dropout(F.dropout1d(x @ w, 0.3), 0.5).relu() + F.alpha_dropout(x @ w, 0.2)).mean()


def lstm():
    model, x = nn.LSTM(3, 4, num_layers=2, bidirectional=True, dropout=0.2), torch.randn(5, 2, 3)

    def program():
        y, (h, c) = model(x)
        return y.sum() + h.mul(c).sum()

    return program


def gru():
    model, x, h = nn.GRU(3, 4, batch_first=True), torch.randn(2, 5, 3), torch.randn(1, 2, 4, requires_grad=True)
    return lambda: model(x, h)[0].pow(2).sum()


def rnn_layer():
    model, x = nn.RNN(3, 4, nonlinearity="relu"), torch.randn(5, 2, 3)
    return lambda: model(x)[1].sum()


def cells():
    first, second, x = nn.LSTMCell(3, 4), nn.GRUCell(4, 4), torch.randn(5, 2, 3)

    def program():
        h, c, s = torch.zeros(2, 4), torch.zeros(2, 4), torch.zeros(2, 4)
        for step in x:
            h, c = first(step, (h, c))
            s = second(h, s)
        return s.square().sum()

    return program


def packed():
    model, x, lengths = nn.LSTM(3, 4, batch_first=True), torch.randn(2, 5, 3), torch.tensor([5, 3])

    def program():
        y, _ = model(rnn.pack_padded_sequence(x, lengths, batch_first=True))
        y, lengths_again = rnn.pad_packed_sequence(y, batch_first=True)
        return (y.sum(1) / lengths_again[:, None]).square().sum()

    return program


def functional_call():
    model, x = nn.Sequential(nn.Linear(3, 4), nn.Tanh()), torch.randn(2, 3)
    params = {name: p.detach().clone().requires_grad_() for name, p in model.named_parameters()}
    return lambda: torch.func.functional_call(model, params, (x,)).sum()


def checkpointed():
    first, second, x = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Tanh()), nn.Linear(4, 1), torch.randn(2, 3)
    return lambda: second(checkpoint(first, x, use_reentrant=False)).sum()


def bfloat16():
    model, x = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.LayerNorm(4), nn.Linear(4, 1)).bfloat16(), torch.randn(2, 3).bfloat16()
    return lambda: model(x).float().sum()


def autocast():
    model, x, y = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), torch.randn(2, 3), torch.tensor([0, 1])

    def program():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return F.cross_entropy(model(x), y)

    return program


def distributions():
    mu, rho, logits = torch.zeros(3, requires_grad=True), torch.zeros(3, requires_grad=True), torch.randn(4, requires_grad=True)

    def program():
        q = Normal(mu, F.softplus(rho))
        z = q.rsample()
        policy = Categorical(logits=logits)
        action = policy.sample()
        reinforce = -policy.log_prob(action) * z.detach().sum() - 0.1 * policy.entropy()
        return kl_divergence(q, Normal(0.0, 1.0)).sum() - Normal(z, 1.0).log_prob(torch.ones(3)).sum() + reinforce

    return program


def embeddings():
    words, bag = nn.Embedding(7, 4, padding_idx=0), nn.EmbeddingBag(7, 4, mode="mean")
    ids = torch.tensor([[1, 2, 0], [3, 3, 5]])
    return lambda: F.cosine_similarity(words(ids).mean(1), bag(ids)).sum()


def losses():
    a, b, y = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3), torch.tensor([0, 2, 1, 1])

    def program():
        p = a.log_softmax(1)
        found = [F.nll_loss(p, y), F.kl_div(p, b.softmax(1), reduction="batchmean"), F.smooth_l1_loss(a, b), F.huber_loss(a, b, delta=0.5)]
        found += [F.l1_loss(a, b), F.binary_cross_entropy_with_logits(a, b.sigmoid()), F.triplet_margin_loss(a, b, b.flip(0))]
        found += [F.multi_margin_loss(a, y), F.hinge_embedding_loss(a, b.sign()), F.gaussian_nll_loss(a, b, b.exp())]
        return torch.stack(found).sum()

    return program


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        s = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, s)
        ctx.beta = beta
        return x * s

    @staticmethod
    def backward(ctx, G):
        x, s = ctx.saved_tensors
        return G * (s + ctx.beta * x * s * (1 - s)), None


def own_function():
    w, x = torch.randn(3, 3, requires_grad=True), torch.randn(2, 3)
    return lambda: Swish.apply(x @ w, 1.5).sum()


def loop():
    w, x = torch.randn(3, 3, requires_grad=True), torch.randn(3)

    def program():
        h, total = x, 0.0
        for step in range(5):
            h = torch.tanh(w @ h) if step % 2 else h / (1 + h.norm())
            total = total + h.sum()
        return total

    return program


def indexing():
    w = torch.randn(5, 4, requires_grad=True)

    def program():
        first, *rest = w
        mask = w > 0
        return w[mask].sum() + w[[0, 2], 1:].prod() + w[..., None, 0].max() + first @ rest[1] + w.gather(1, mask.long()).sum()

    return program


def masked_attention():
    q, k, v = [torch.randn(2, 2, 4, 3, requires_grad=True) for _ in range(3)]
    hidden = torch.ones(4, 4, dtype=torch.bool).triu(1)

    def program():
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(hidden, float("-inf"))
        return torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v).square().sum()

    return program


def unet():
    down, up, out = nn.Conv2d(1, 4, 3, 2, 1), nn.ConvTranspose2d(4, 4, 2, 2), nn.Conv2d(5, 1, 1)
    norm, x = nn.GroupNorm(2, 4), torch.randn(1, 1, 8, 8)

    def program():
        h = F.silu(norm(down(x)))
        wide = F.interpolate(h, scale_factor=2, mode="bilinear", align_corners=False)
        return out(torch.cat([x, up(h) + wide], 1)).abs().mean()

    return program


def instance_norm():
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.InstanceNorm2d(4, affine=True), nn.PReLU(4), nn.AvgPool2d(2), nn.PixelShuffle(2))
    x = torch.randn(2, 1, 6, 6)
    return lambda: model(x).square().sum()


def convolutions_of_one_axis():
    model = nn.Sequential(nn.Conv1d(2, 4, 3, padding="same"), nn.ELU(), nn.MaxPool1d(2), nn.Conv1d(4, 4, 2, dilation=2, groups=2))
    x = torch.randn(2, 2, 10)
    return lambda: model(x).logsumexp((1, 2)).sum()


def lazy_layers():
    model, x = nn.Sequential(nn.LazyLinear(4), nn.Tanh(), nn.LazyLinear(1)), torch.randn(2, 3)
    return lambda: model(x).sum()


def frozen_backbone():
    backbone, head, x = nn.Linear(3, 4).requires_grad_(False), nn.Linear(4, 2), torch.randn(2, 3)
    return lambda: head(backbone(x).relu()).logsumexp(1).sum()


def made_inside():
    x = torch.randn(2, 3)

    def program():
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        nn.init.xavier_uniform_(model[0].weight)
        nn.init.zeros_(model[2].bias)
        return model(x).sum()

    return program


PROGRAMS = [classifier, encoder, recurrent, views, without_counterpart]
NETWORKS = [mlp, resnet18, decoder, transformer, nanogpt, vae, unet, instance_norm, convolutions_of_one_axis, lazy_layers, frozen_backbone]
SEQUENCES = [lstm, gru, rnn_layer, cells, packed, embeddings, masked_attention]
OTHERS = [dropouts, functional_call, checkpointed, distributions, losses, own_function, loop, indexing, made_inside]
HALF = [bfloat16, autocast]
EVERY = [*PROGRAMS, *NETWORKS, *SEQUENCES, *OTHERS, *HALF]
