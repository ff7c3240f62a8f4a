"""Transforms: each image gets its own crop and flip, the generator decides all, the results are those of a plain loop."""

import re

import numpy as np
import pytest

from tensorgrad.data import Compose, Normalize, Pad, RandomCrop, RandomHorizontalFlip, ToFloat
from tests.each import each

IMAGES = np.random.default_rng(0).integers(0, 256, (40, 3, 5, 6), dtype=np.uint8)


def rng():
    return np.random.default_rng(3)


@each("dtype", [np.uint8, np.float32, np.float64])
def test_every_crop_is_a_window_of_its_own_padded_image(dtype):
    images = IMAGES.astype(dtype)
    crops = RandomCrop((4, 6), padding=2)(images, rng())
    padded = np.pad(images, ((0, 0), (0, 0), (2, 2), (2, 2)))
    places = set()
    for image, crop in zip(padded, crops):
        found = [(i, j) for i in range(6) for j in range(5) if (image[:, i : i + 4, j : j + 6] == crop).all()]
        assert found
        places.update(found)
    assert len(places) > 15 and crops.shape == (40, 3, 4, 6) and crops.dtype == dtype


def test_a_crop_at_every_place_is_drawn_equally_often():
    images = np.arange(9.0).reshape(1, 1, 3, 3).repeat(8000, axis=0)
    counts = np.bincount(RandomCrop(1)(images, rng()).ravel().astype(int))
    assert len(counts) == 9 and abs(counts - 8000 / 9).max() < 150


def test_half_of_the_images_are_mirrored_and_none_is_half_mirrored():
    flipped = RandomHorizontalFlip()(IMAGES, rng())
    mirrored = [(new == old[..., ::-1]).all() for old, new in zip(IMAGES, flipped)]
    assert all((new == old).all() != m for old, new, m in zip(IMAGES, flipped, mirrored)) and 10 < sum(mirrored) < 30
    assert (RandomHorizontalFlip(0)(IMAGES, rng()) == IMAGES).all() and (RandomHorizontalFlip(1)(IMAGES, rng()) == IMAGES[..., ::-1]).all()


def test_the_generator_decides_all_and_the_input_stays_unchanged():
    before = IMAGES.copy()
    both = Compose([RandomCrop(5, padding=1), RandomHorizontalFlip(), ToFloat(), Normalize([0.5, 0.4, 0.3], [0.2, 0.2, 0.1])])
    assert both(IMAGES, rng()).tobytes() == both(IMAGES, rng()).tobytes() != both(IMAGES, np.random.default_rng(4)).tobytes()
    assert (before == IMAGES).all()


@each("transform", [RandomCrop(5), RandomCrop(4, 1), RandomHorizontalFlip(1), ToFloat(), Normalize(0.5, 2), Pad(1), Pad(0)])
def test_a_transform_leaves_its_input_unchanged_also_after_a_function_that_returns_its_input(transform):
    images = IMAGES.astype(np.float32)
    for apply in transform, Compose([transform]), Compose([lambda x, generator: x, transform]):
        result = apply(images, rng())
        assert (images == IMAGES).all() and not np.shares_memory(result, images)


def test_transforms_one_by_one_give_the_same_bits_as_composed():
    steps, generator, x = [RandomCrop(5, 2), RandomHorizontalFlip(), ToFloat(), Normalize([0.5, 0.4, 0.3], 0.2)], rng(), IMAGES
    for step in steps:
        x = step(x, generator)
    assert x.tobytes() == Compose(steps)(IMAGES, rng()).tobytes()


def test_floats_and_normalisation_follow_their_formulas_and_keep_float32():
    x = ToFloat()(IMAGES)
    assert x.dtype == np.float32 and x.max() <= 1
    np.testing.assert_array_equal(x, IMAGES.astype(np.float32) / np.float32(255))
    mean, std = [0.5, 0.4, 0.3], [0.2, 0.3, 0.1]
    y = Normalize(mean, std)(x)
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, (x - np.reshape(mean, (3, 1, 1))) / np.reshape(std, (3, 1, 1)), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(Normalize(0.5, 2)(x), (x - 0.5) / 2, rtol=1e-5, atol=1e-6)


def test_padding_adds_rows_and_columns_of_one_value():
    np.testing.assert_array_equal(Pad(2, value=7)(IMAGES), np.pad(IMAGES, ((0, 0), (0, 0), (2, 2), (2, 2)), constant_values=7))


def test_transforms_show_how_they_were_made():
    assert repr(Compose([RandomCrop(4, padding=2), RandomHorizontalFlip(), ToFloat(), Normalize(0.5, 0.5), Pad(1)])) == (
        "Compose([RandomCrop((4, 4), padding=2), RandomHorizontalFlip(0.5), ToFloat(255), Normalize(0.5, 0.5), Pad(1, 0)])"
    )


@each(
    "call, message",
    [
        (lambda: RandomCrop(7)(IMAGES, rng()), "RandomCrop: a window of 7 x 7 does not fit into padded images of 5 x 6"),
        (lambda: RandomCrop(0), "RandomCrop: height=0 is out of range; it must be 1 or more"),
        (lambda: RandomCrop(2, padding=-1), "Pad: padding=-1 is out of range; it must be 0 or more"),
        (lambda: RandomCrop(2)(IMAGES[0], rng()), "RandomCrop: shape (3, 5, 6) is not a batch of images"),
        (lambda: RandomHorizontalFlip(1.5), "RandomHorizontalFlip: p=1.5 is out of range; it must be from 0 to 1"),
        (lambda: Normalize(0.5, 0), "Normalize: std=0.0; each must be positive"),
        (lambda: Normalize(0.5, 0.5)(IMAGES), "Normalize: the images are uint8; put ToFloat() before Normalize"),
        (lambda: Normalize([1, 2], 1)(IMAGES.astype(float)), "Normalize: mean has 2 entries, the images have 3 channels"),
        (lambda: Compose([3]), "Compose: 3 is not a function (x, generator)"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_wrong_call_says_what_to_do(call, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        call()
