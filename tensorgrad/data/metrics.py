"""Measures of a classifier: how many guesses are right, among how many best ones, and which classes it confuses."""

import numpy as np

from scalargrad.messages.errors import must_be_integers
from tensorgrad.tensor import Tensor


def accuracy(scores, labels) -> float:
    """Return the share of rows whose largest score is at the label.

    scores has shape (n, classes), labels (n,) holds integers. Of equal scores the first counts. Either may be a tensor.
    Raises ValueError if the shapes do not fit, if there is no row, or if a score is nan.

    >>> accuracy([[0.1, 0.9], [0.8, 0.2]], [1, 1])
    0.5
    """
    scores, labels = scores_and_labels("accuracy", scores, labels)
    return float(np.mean(scores.argmax(axis=1) == labels))


def top_k_accuracy(scores, labels, k: int = 5) -> float:
    """Return the share of rows whose label is among the k largest scores. A score that equals the label's counts as smaller.

    >>> top_k_accuracy([[0.1, 0.5, 0.4], [0.8, 0.15, 0.05]], [2, 2], k=2)
    0.5
    """
    scores, labels = scores_and_labels("top_k_accuracy", scores, labels)
    must_be_integers("top_k_accuracy", 1, k=k)
    larger = scores > np.take_along_axis(scores, labels[:, None], axis=1)
    return float(np.mean(larger.sum(axis=1) < k))


def confusion_matrix(scores, labels) -> np.ndarray:
    """Return a matrix of counts: entry (i, j) is the number of samples of class i whose largest score is at class j.

    >>> confusion_matrix([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]], [1, 1, 0])
    array([[0, 1],
           [1, 1]])
    """
    scores, labels = scores_and_labels("confusion_matrix", scores, labels)
    classes = scores.shape[1]
    pairs = labels * classes + scores.argmax(axis=1)
    return np.bincount(pairs, minlength=classes**2).reshape(classes, classes)


def scores_and_labels(name, scores, labels):
    """Return both as arrays. Raises ValueError if they do not fit."""
    scores, labels = (np.asarray(x.data if isinstance(x, Tensor) else x) for x in (scores, labels))
    if scores.ndim != 2 or labels.shape != scores.shape[:1] or not labels.size:
        raise ValueError(f"{name}: scores of shape {scores.shape} and labels of shape {labels.shape}; (n, classes) and (n,) are needed")
    if labels.dtype.kind not in "iu":
        raise TypeError(f"{name}: labels are {labels.dtype}; give the integer of each class")
    outside = labels[(labels < 0) | (labels >= scores.shape[1])]
    if outside.size:
        raise ValueError(f"{name}: label {outside[0]} is not a class from 0 to {scores.shape[1] - 1}")
    if np.isnan(scores).any():
        raise ValueError(f"{name}: row {int(np.isnan(scores).any(axis=1).argmax())} of the scores is nan")
    return scores, labels.astype(np.int64)
