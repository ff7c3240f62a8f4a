"""GPT: a transformer that predicts the next token. Architecture and names are those of nanoGPT and of GPT-2.

Legend: tokens are integers; x has the axes (batch, time, features); h are the blocks. Sources: Radford and others, "Language Models
are Unsupervised Multitask Learners", 2019; Karpathy, nanoGPT, 2022, whose names of options, layers and parameters these are.
"""

from math import sqrt

import numpy as np

import tensorgrad as tg
from tensorgrad import nn

SPREAD = 0.02  # the standard deviation of initial weights


class CausalSelfAttention(nn.Module):
    """Attention in which each position sees itself and those before it."""

    def __init__(self, n_embd, n_head, dropout, bias, made):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd, bias, **made)
        self.c_proj = nn.Linear(n_embd, n_embd, bias, **made)
        self.attn_dropout = nn.Dropout(dropout, generator=made["generator"])
        self.resid_dropout = nn.Dropout(dropout, generator=made["generator"])

    def forward(self, x):
        """Return the attention of x with itself, in the shape of x."""
        q, k, v = (self.heads(part) for part in tg.split(self.c_attn(x), 3, axis=-1))
        y = self.attended(q, k, v)
        return self.resid_dropout(self.c_proj(y.swapaxes(1, 2).reshape(x.shape)))

    def heads(self, x):
        """Return x as (batch, head, time, features of a head)."""
        batch, time, features = x.shape
        return x.reshape(batch, time, self.n_head, features // self.n_head).swapaxes(1, 2)

    def attended(self, q, k, v):
        """Return the causal attention of queries, keys and values. In training, dropout sets some of its weights to 0."""
        if not self.training or not self.attn_dropout.p:
            return tg.scaled_dot_product_attention(q, k, v, causal=True)
        scores = q @ k.swapaxes(-1, -2) / sqrt(q.shape[-1])
        seen = np.tri(*scores.shape[-2:], dtype=bool)
        return self.attn_dropout(tg.softmax(tg.where(seen, scores, float(np.finfo(scores.dtype).min)), -1)) @ v


class FeedForward(nn.Module):
    """Two linear layers with gelu between them, at each position by itself."""

    def __init__(self, n_embd, dropout, bias, made):
        super().__init__()
        self.c_fc = nn.Linear(n_embd, 4 * n_embd, bias, **made)
        self.c_proj = nn.Linear(4 * n_embd, n_embd, bias, **made)
        self.dropout = nn.Dropout(dropout, generator=made["generator"])

    def forward(self, x):
        """Return the layers of x, in the shape of x."""
        return self.dropout(self.c_proj(tg.gelu(self.c_fc(x), approximate="tanh")))


class Block(nn.Module):
    """Attention and a feed-forward network; each reads a layer norm of x, and its result is added to x."""

    def __init__(self, n_embd, n_head, dropout, bias, made):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd, bias=bias, dtype=made["dtype"])
        self.attn = CausalSelfAttention(n_embd, n_head, dropout, bias, made)
        self.ln_2 = nn.LayerNorm(n_embd, bias=bias, dtype=made["dtype"])
        self.mlp = FeedForward(n_embd, dropout, bias, made)

    def forward(self, x):
        """Return the block of x, in the shape of x."""
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Transformer(nn.Module):
    """The sum of token and position embeddings, the blocks, and a last layer norm."""

    def __init__(self, vocab_size, block_size, n_layer, n_head, n_embd, dropout, bias, made):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab_size, n_embd, **made), nn.Embedding(block_size, n_embd, **made)
        self.drop = nn.Dropout(dropout, generator=made["generator"])
        self.h = nn.ModuleList([Block(n_embd, n_head, dropout, bias, made) for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd, bias=bias, dtype=made["dtype"])

    def forward(self, index):
        """Return the features of each token, (batch, time, features)."""
        x = self.drop(self.wte(index) + self.wpe(np.arange(index.shape[1])))
        for block in self.h:
            x = block(x)
        return self.ln_f(x)


class GPT(nn.Module):
    """A language model: for each token the scores of the token that comes next.

    `index` is an integer array of tokens, (batch, time) with at most `block_size` times; the result has shape (batch, time,
    vocab_size). The embedding of tokens and the last layer have the same weights.

    - n_layer, n_head, n_embd: the number of blocks, of heads in each block, and of features; n_head divides n_embd
    - dropout, bias: of all layers; bias=False leaves out every bias, that of layer norm too
    - dtype, generator: those of the layers

    Raises ValueError for a text that is too long, and if n_head does not divide n_embd.

    >>> net = GPT(vocab_size=5, block_size=4, n_layer=1, n_head=2, n_embd=8)
    >>> net(np.array([[0, 3, 1]])).shape
    (1, 3, 5)
    """

    def __init__(
        self,
        vocab_size: int,
        block_size: int,
        n_layer: int = 12,
        n_head: int = 12,
        n_embd: int = 768,
        dropout: float = 0.0,
        bias: bool = True,
        *,
        dtype=None,
        generator: np.random.Generator | None = None,
    ):
        super().__init__()
        if n_embd % n_head:
            raise ValueError(f"GPT: n_head={n_head} does not divide n_embd={n_embd}; each head gets an equal part of the features")
        self.block_size = block_size
        made = {"dtype": dtype, "generator": generator}
        self.transformer = Transformer(vocab_size, block_size, n_layer, n_head, n_embd, dropout, bias, made)
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False, **made)
        self.lm_head.weight = self.transformer.wte.weight
        for name, p in self.named_parameters():
            draw_initial(name, p, n_layer, generator)

    def forward(self, index):
        """Return the scores of the next token at each place of `index`."""
        index = np.asarray(index)
        if index.ndim != 2 or index.shape[1] > self.block_size:
            raise ValueError(
                f"GPT: index has shape {index.shape}; (batch, time) is needed, with at most block_size={self.block_size} times"
            )
        return self.lm_head(self.transformer(index))

    def loss(self, index, targets):
        """Return the mean cross entropy of the scores at `index` and the tokens `targets`, both of shape (batch, time).

        >>> net = GPT(vocab_size=5, block_size=4, n_layer=1, n_head=2, n_embd=8)
        >>> bool(net.loss(np.array([[0, 3, 1]]), np.array([[3, 1, 2]])).item() > 0)
        True
        """
        scores = self(index)
        return tg.cross_entropy(scores.reshape(-1, scores.shape[-1]), np.asarray(targets).reshape(-1))

    def generate(self, index, max_new_tokens: int, temperature: float = 1.0, top_k: int | None = None, generator=None):
        """Return `index`, (batch, time), followed by new tokens, each drawn by its probability after those before it.

        A temperature below 1 prefers likely tokens, and at 0 the likeliest token is taken. `top_k` draws from the likeliest k
        tokens only. `generator` is a NumPy Generator, or the default of `tensorgrad.nn`. Dropout is off, nothing is recorded, and
        the last `block_size` tokens are read.

        >>> net = GPT(vocab_size=5, block_size=4, n_layer=1, n_head=2, n_embd=8)
        >>> net.generate(np.array([[0, 3]]), max_new_tokens=6).shape
        (1, 8)
        """
        if temperature < 0:
            raise ValueError(f"generate: temperature={temperature} is negative; 0 takes the likeliest token, 1 draws by the probabilities")
        if top_k is not None and top_k < 1:
            raise ValueError(f"generate: top_k={top_k} is smaller than 1; None draws from all tokens")
        if max_new_tokens < 0:
            raise ValueError(f"generate: max_new_tokens={max_new_tokens} is negative")
        index, training = np.asarray(index), self.training
        if index.ndim != 2 or not index.shape[1]:
            raise ValueError(f"generate: index has shape {index.shape}; (batch, time) is needed, with at least one token to start from")
        self.eval()
        try:
            with tg.no_grad():
                for _ in range(max_new_tokens):
                    scores = self(index[:, -self.block_size :]).data[:, -1]
                    index = np.hstack([index, drawn(scores, temperature, top_k, generator)])
        finally:
            self.train(training)
        return index


def draw_initial(name, p, n_layer, generator):
    """Draw the initial value of a parameter as GPT-2 does: layers whose result is added to x have a smaller spread."""
    if p.ndim == 2:
        nn.init.normal_(p, 0.0, SPREAD / sqrt(2 * n_layer) if name.endswith("c_proj.weight") else SPREAD, generator=generator)
    elif name.endswith("bias"):
        nn.init.zeros_(p)


def drawn(scores, temperature, top_k, generator):
    """Return one token for each row of scores, (batch, 1)."""
    if temperature == 0:
        return scores.argmax(-1, keepdims=True)
    scores = scores.astype(np.float64) / temperature
    if top_k is not None:
        scores[scores < np.sort(scores, -1)[:, -min(top_k, scores.shape[-1]), None]] = -np.inf
    total = np.exp(scores - scores.max(-1, keepdims=True)).cumsum(-1)
    at = nn.random.generator_or_default("generate", generator).random((len(scores), 1)) * total[:, -1:]
    return (total <= at).sum(-1, keepdims=True)
