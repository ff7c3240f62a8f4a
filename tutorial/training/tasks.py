"""The tasks: for each data set its networks, the optimiser and the schedule. A task is one function. Its defaults are in settings."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import tensorgrad as tg
from tensorgrad import data, models, optim
from tensorgrad.data import DataLoader
from tutorial.training.settings import Settings


@dataclass
class Task:
    """All that a run needs: data, a network, its loss, an optimiser and a schedule."""

    settings: Settings
    train_set: data.Dataset
    test_set: data.Dataset
    model: tg.nn.Module
    loader: DataLoader
    optimiser: optim.Optimiser
    schedule: optim.Schedule
    generator: np.random.Generator  # draws the initial weights, and later what dropout drops
    classes: tuple = ()
    loss_of: Callable = tg.cross_entropy
    characters: data.Characters | None = None  # of a text


def assembled(settings, train_set, test_set, model_of, *, decay=0.01, transform=None, **others):
    """Return a task that AdamW trains with one cycle of the learning rate."""
    generator = np.random.default_rng(settings.seed)
    model = model_of(generator=generator)
    loader = DataLoader(train_set, settings.batch, shuffle=True, seed=settings.seed, drop_last=True, transform=transform, prefetch=2)
    optimiser = optim.AdamW(model.named_parameters(), weight_decay=decay)
    schedule = optim.OneCycleLR(optimiser, settings.lr, total_steps=len(loader) * settings.epochs + 1, cycle_momentum=False)
    classes = tuple(getattr(train_set, "classes", ()))
    return Task(settings, train_set, test_set, model, loader, optimiser, schedule, generator, classes, **others)


def moons(settings):
    """Points on two half circles, 1000 for training and 1000 others for testing."""
    train_set, test_set = data.moons(1000, seed=settings.seed), data.moons(1000, seed=settings.seed + 2**32)
    return assembled(settings, train_set, test_set, partial(models.MLP, (2, 32, 32, 2)))


def digits(settings):
    """Handwritten digits of 8 by 8 pixels; each image is moved by up to one pixel in training."""
    train_set, test_set = data.digits(), data.digits(train=False)
    nets = {"cnn": partial(models.CNN, 8, (32, 64), 128), "mlp": partial(models.MLP, (64, 128, 10))}
    return assembled(settings, train_set, test_set, nets[settings.model], decay=0.05, transform=data.RandomCrop(8, padding=1))


def mnist(settings, **files):
    """Handwritten digits of 28 by 28 pixels, 60,000 for training."""
    train_set = Images(data.mnist(**files))
    test_set = train_set.like(data.mnist(train=False, **files))
    nets = {"cnn": partial(models.CNN, 28), "mlp": partial(models.MLP, (784, 512, 512, 10))}
    return assembled(settings, train_set, test_set, nets[settings.model])


def cifar10(settings, **files):
    """Photographs of 32 by 32 pixels in ten classes; moved and mirrored in training."""
    train_set = Images(data.cifar10(**files))
    test_set = train_set.like(data.cifar10(train=False, **files))
    transform = data.Compose([data.RandomCrop(32, padding=4), data.RandomHorizontalFlip()])
    nets = {name: partial(getattr(models, name), 10) for name in ("resnet20", "resnet18", "resnet34", "resnet50")}
    if settings.model != "resnet20":
        nets[settings.model] = partial(nets[settings.model], stem="cifar")
    return assembled(settings, train_set, test_set, nets[settings.model], decay=0.05, transform=transform)


def text(settings):
    """The characters of "Alice's Adventures in Wonderland"; the last tenth is for testing."""
    book = data.alice()
    characters = data.Characters(book)
    ids, rest = data.split_sequence(characters.encode(book))
    train_set, test_set = data.Windows(ids, LENGTH, stride=LENGTH // 4), data.Windows(rest, LENGTH, stride=LENGTH)
    net = partial(models.GPT, len(characters), LENGTH, n_layer=3, n_head=4, n_embd=96)
    return assembled(settings, train_set, test_set, net, decay=0.1, loss_of=each_place, characters=characters)


def each_place(scores, targets):
    """Return the mean cross entropy over all places of all texts."""
    return tg.cross_entropy(scores.reshape(-1, scores.shape[-1]), targets.reshape(-1))


class Images(data.Dataset):
    """Images of bytes as float32, with mean 0 and standard deviation 1 in each channel. Only the images of a batch are converted."""

    def __init__(self, dataset, measured=None):
        (self.pixels, self.labels), self.classes, self.measured = dataset.arrays, dataset.classes, measured
        if measured is None:
            some, each = self.pixels[:MEASURED].astype(np.float32), {"axis": (0, 2, 3), "keepdims": True}
            self.measured = some.mean(**each), some.std(**each)

    def like(self, dataset):
        """Return another data set, with the mean and the standard deviation of this one."""
        return Images(dataset, self.measured)

    def __len__(self):
        return len(self.pixels)

    def __getitem__(self, i):
        images, labels = self.batch([i])
        return images[0], labels[0]

    def batch(self, indices):
        mean, deviation = self.measured
        return (self.pixels[indices].astype(np.float32) - mean) / deviation, self.labels[indices]


MEASURED = 10_000  # images, from which mean and standard deviation are taken
LENGTH = 64  # characters that the network reads


def task_for(settings, **files):
    """Return the task with these settings, at its first step. mnist and cifar10 need folder=, and take their other options."""
    return globals()[settings.task](settings, **files)  # the function of this name
