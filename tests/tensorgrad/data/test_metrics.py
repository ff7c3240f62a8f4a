"""Measures: accuracy, top-k, the confusion matrix, against plain loops."""

import re

import numpy as np
import pytest

from tensorgrad import Tensor
from tensorgrad.data import accuracy, confusion_matrix, top_k_accuracy
from tests.each import each

SCORES = np.random.default_rng(0).normal(size=(200, 6))
LABELS = np.random.default_rng(1).integers(0, 6, 200)


def test_accuracy_and_the_diagonal_of_the_confusion_matrix_agree_with_a_loop():
    right = sum(max(range(6), key=row.__getitem__) == label for row, label in zip(SCORES, LABELS))
    matrix = confusion_matrix(SCORES, LABELS)
    assert accuracy(SCORES, LABELS) == right / 200 and matrix.trace() == right and matrix.sum() == 200
    assert (matrix.sum(axis=1) == np.bincount(LABELS)).all() and (matrix.sum(axis=0) == np.bincount(SCORES.argmax(1))).all()
    assert matrix[2, 3] == sum((LABELS == 2) & (SCORES.argmax(1) == 3))


@each("k", [1, 2, 3, 5, 6, 10])
def test_top_k_agrees_with_sorting(k):
    found = sum(label in sorted(range(6), key=lambda j: -row[j])[:k] for row, label in zip(SCORES, LABELS))
    assert top_k_accuracy(SCORES, LABELS, k) == found / 200


def test_tensors_lists_and_small_integers_are_taken():
    assert accuracy(Tensor(SCORES), LABELS.astype(np.uint8)) == accuracy(SCORES.tolist(), LABELS.tolist())
    assert confusion_matrix(SCORES, LABELS.astype(np.uint8)).sum() == 200


@each("measure", [accuracy, top_k_accuracy, confusion_matrix])
def test_wrong_arguments_say_what_to_do(measure):
    for scores, labels, message in [
        (SCORES, LABELS[:5], "scores of shape (200, 6) and labels of shape (5,)"),
        (SCORES, LABELS[:, None], "scores of shape (200, 6) and labels of shape (200, 1)"),
        (SCORES[:0], LABELS[:0], "scores of shape (0, 6)"),
        (SCORES, LABELS / 2, "labels are float64; give the integer of each class"),
        (SCORES, LABELS + 1, "label 6 is not a class from 0 to 5"),
        (SCORES, LABELS - 1, "label -1 is not a class from 0 to 5"),
        (np.where(SCORES[7, 0] == SCORES, np.nan, SCORES), LABELS, "row 7 of the scores is nan"),
    ]:
        with pytest.raises((TypeError, ValueError), match=re.escape(f"{measure.__name__}: {message}")):
            measure(scores, labels)
