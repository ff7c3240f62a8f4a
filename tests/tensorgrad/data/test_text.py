"""Text: characters to integers and back, windows, the split."""

import re

import numpy as np
import pytest

from tensorgrad.data import Characters, DataLoader, Windows, alice, split_sequence
from tests.each import each


def test_encoding_and_decoding_the_book_gives_the_book():
    text = alice()
    letters = Characters(text)
    ids = letters.encode(text)
    assert ids.min() == 0 and ids.max() == len(letters) - 1 == 67 and letters.decode(ids) == text


@each("stride", [1, 2, 3, 7])
def test_windows_hold_the_elements_and_those_that_follow(stride):
    ids = np.arange(30) ** 2
    data = Windows(ids, length=5, stride=stride)
    x, y = data.batch(np.arange(len(data)))
    starts = [j for j in range(0, 30, stride) if j + 5 + 1 <= 30]
    assert x.tolist() == [ids[j : j + 5].tolist() for j in starts] and y.tolist() == [ids[j + 1 : j + 6].tolist() for j in starts]
    for i in range(len(data)):
        assert data[i][0].tolist() == x[i].tolist() and data[i][1].tolist() == y[i].tolist()
    assert data[-1][1].tolist() == y[-1].tolist()


def test_a_loader_gives_batches_of_windows():
    x, y = next(iter(DataLoader(Windows(np.arange(100), 8), batch_size=4, shuffle=True)))
    assert x.shape == y.shape == (4, 8) and (y == x + 1).all()


def test_the_last_part_of_a_text_is_for_validation():
    train, val = split_sequence(np.arange(100), 0.1)
    assert train.tolist() == list(range(90)) and val.tolist() == list(range(90, 100))
    for count, share, of_val in ((14, 0.1, 1), (16, 0.1, 2), (3, 0.5, 2), (10, 0.0, 0), (10, 1.0, 10)):
        train, val = split_sequence(np.arange(count), share)
        assert len(val) == of_val and [*train, *val] == list(range(count)), f"{share} of {count} elements, rounded, are {of_val}"


LETTERS = Characters("abc")


@each(
    "call, message",
    [
        (lambda: Characters(""), "Characters: text='' is not a text with at least one character"),
        (lambda: Characters(b"abc"), "Characters: text=b'abc' is not a text"),
        (lambda: LETTERS.encode("abx"), "Characters.encode: 'x' (position 2) is not one of the 3 characters"),
        (lambda: LETTERS.decode([3]), "Characters.decode: 3 is not a number from 0 to 2"),
        (lambda: LETTERS.decode([0.5]), "Characters.decode: float64 of shape (1,); give integers"),
        (lambda: Windows("abcdef", 4), "Windows: ids is a text; give its numbers: Characters(text).encode(text)"),
        (lambda: Windows(np.arange(4), 4), "windows of 4 and their targets need 5"),
        (lambda: Windows(np.arange(9), 4)[5], "Windows: window 5 is not one of 5"),
        (lambda: Windows(np.arange(9), 4, stride=0), "Windows: stride=0 is out of range; it must be 1 or more"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_wrong_call_says_what_to_do(call, message):
    with pytest.raises((TypeError, ValueError, IndexError), match=re.escape(message)):
        call()
