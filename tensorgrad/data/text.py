"""Text for language models: a public-domain book, characters as integers, windows of a fixed length."""

import gzip
from pathlib import Path

import numpy as np

from scalargrad.messages.errors import brief, must_be_integers, number, wrong_type
from tensorgrad.data.dataset import Dataset

BOOK = Path(__file__).with_name("files") / "alice.txt.gz"


def alice() -> str:
    r"""Return the text of Lewis Carroll, "Alice's Adventures in Wonderland", 1865, which is in the public domain.

    >>> text = alice(); len(text), text[16:49]
    (147800, "ALICE'S ADVENTURES IN WONDERLAND\n")
    """
    return gzip.decompress(BOOK.read_bytes()).decode("ascii")


class Characters:
    """The characters of a text, sorted, numbered from 0. `encode` gives the numbers of a text, `decode` the text of numbers.

    >>> letters = Characters("abracadabra"); len(letters), letters.encode("cab")
    (5, array([2, 0, 1]))
    >>> letters.decode([2, 0, 1])
    'cab'
    """

    def __init__(self, text: str):
        if not isinstance(text, str) or not text:
            raise wrong_type("Characters", "text", text, "a text with at least one character")
        self.characters = "".join(sorted(set(text)))
        self.numbers = {character: number for number, character in enumerate(self.characters)}

    def __len__(self):
        return len(self.characters)

    def encode(self, text: str) -> np.ndarray:
        """Return the numbers of the characters of a text. Raises ValueError for a character that is not here."""
        try:
            return np.fromiter((self.numbers[character] for character in text), np.int64, len(text))
        except KeyError as missing:
            character = missing.args[0]
            raise ValueError(
                f"Characters.encode: {character!r} (position {text.index(character)}) is not one of the {len(self)} characters"
            ) from None

    def decode(self, numbers) -> str:
        """Return the text of an array of numbers with one axis. Raises ValueError for a number that is not here."""
        numbers = np.asarray(numbers)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise ValueError(f"Characters.decode: {numbers.dtype} of shape {numbers.shape}; give integers with one axis")
        outside = numbers[(numbers < 0) | (numbers >= len(self))]
        if outside.size:
            raise ValueError(f"Characters.decode: {outside[0]} is not a number from 0 to {len(self) - 1}")
        return "".join([self.characters[number] for number in numbers])

    def __repr__(self):
        return f"Characters({brief(self.characters)})"


class Windows(Dataset):
    """Windows of a sequence: sample i is (ids[j : j + length], ids[j + 1 : j + length + 1]) with j = i · stride.

    So the target at each place is the next element. Raises ValueError if the sequence is not longer than `length`.

    >>> data = Windows(np.array([5, 6, 7, 8]), length=2); len(data)
    2
    >>> data.batch([0, 1])
    (array([[5, 6],
           [6, 7]]), array([[6, 7],
           [7, 8]]))
    """

    def __init__(self, ids, length: int, stride: int = 1):
        must_be_integers("Windows", 1, length=length, stride=stride)
        if isinstance(ids, str):
            raise TypeError("Windows: ids is a text; give its numbers: Characters(text).encode(text)")
        self.ids, self.length, self.stride = np.asarray(ids), length, stride
        if self.ids.ndim != 1 or len(self.ids) <= length:
            raise ValueError(f"Windows: ids of shape {self.ids.shape}; windows of {length} and their targets need {length + 1} in one axis")

    def __len__(self):
        return (len(self.ids) - self.length - 1) // self.stride + 1

    def __getitem__(self, i):
        if not -len(self) <= i < len(self):
            raise IndexError(f"Windows: window {i} is not one of {len(self)}")
        start = i % len(self) * self.stride
        return self.ids[start : start + self.length], self.ids[start + 1 : start + self.length + 1]

    def batch(self, indices):
        places = np.asarray(indices)[:, None] * self.stride + np.arange(self.length + 1)
        windows = self.ids[places]
        return windows[:, :-1], windows[:, 1:]


def split_sequence(ids, val_share: float = 0.1):
    """Return the beginning of a sequence, for training, and its last part, for validation: val_share of the elements.

    >>> split_sequence("abcdefghij", 0.2)
    ('abcdefgh', 'ij')
    """
    number("split_sequence", "val_share", val_share, 0, 1)
    cut = len(ids) - round(val_share * len(ids))
    return ids[:cut], ids[cut:]
