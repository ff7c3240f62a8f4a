"""Embedding: a table of learnt vectors, one row for each class or token."""

import numpy as np

from scalargrad.messages.errors import must_be_integers, wrong_type
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.random import generator_or_default
from tensorgrad.nn.sizes import float_dtype
from tensorgrad.rules.gathering import embedding
from tensorgrad.tensor import Tensor

__all__ = ["Embedding"]


class Embedding(Module):
    """Return the rows of `weight` at an array of integers; the output has one more axis, of length embedding_dim.

    `weight` has shape (num_embeddings, embedding_dim) and starts normal, with mean 0 and variance 1. The row padding_idx starts at 0
    and is not trained. Raises IndexError for an integer that is not a row.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Embedding(10, 4)(np.array([[1, 2, 3]])).shape
    (1, 3, 4)
    """

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, *, dtype=None, generator=None):
        super().__init__()
        must_be_integers("Embedding", 1, num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else a_row(padding_idx, num_embeddings)
        dtype, generator = float_dtype("Embedding", dtype), generator_or_default("Embedding", generator)
        table = generator.standard_normal((num_embeddings, embedding_dim), dtype)
        if self.padding_idx is not None:
            table[self.padding_idx] = 0
        self.weight = Parameter(table)

    @classmethod
    def from_pretrained(cls, embeddings, freeze: bool = True, padding_idx: int | None = None) -> "Embedding":
        """Return an Embedding whose table is a copy of a matrix; by default it is frozen."""
        table = embeddings._data if type(embeddings) is Tensor else np.asarray(embeddings)
        if table.ndim != 2:
            raise ValueError(f"Embedding.from_pretrained: the table has shape {table.shape}; two axes are needed, rows and columns")
        rows, columns = table.shape
        layer = cls(rows, columns, padding_idx, dtype=table.dtype if table.dtype.kind == "f" else None)
        layer.weight.data = table
        if freeze:
            layer.freeze()
        return layer

    def forward(self, index):
        if type(index) is Tensor:
            raise TypeError("index is a Tensor, which holds floats; give an array of integers")
        return embedding(index, self.weight, padding_idx=self.padding_idx)

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


def a_row(padding_idx, rows):
    """Return padding_idx as a row from 0 on; a negative one counts from the end."""
    if not isinstance(padding_idx, (int, np.integer)):
        raise wrong_type("Embedding", "padding_idx", padding_idx, "an integer")
    if not -rows <= padding_idx < rows:
        raise ValueError(f"Embedding: padding_idx={padding_idx} is outside the {rows} rows")
    return int(padding_idx) % rows
