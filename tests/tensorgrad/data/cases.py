"""The table of data sets: one case each. The tests in test_cases.py run for every case."""

from dataclasses import dataclass

from tensorgrad import data
from tests.tensorgrad.data.made_files import archive, binary_members, cifar_batches, mnist_files, python_members


@dataclass
class Case:
    """A data set as `make(train)` returns it, the shape of a sample, and how many samples both parts have."""

    make: object
    shape: tuple
    counts: tuple
    classes: int


def case(make, *, shape, counts, classes=10, files=None):
    """Return a case; `files(folder)` writes the files that `make(folder, train)` reads, if it reads any."""

    def made(train, folder):
        if files is None:
            return make(train)
        folder.mkdir(parents=True)
        files(folder)
        return make(folder, train=train, checksum=False)

    return Case(made, shape, counts, classes)


def binary(folder):
    archive(folder / "cifar-10-binary.tar.gz", binary_members(cifar_batches()))


def python(folder):
    archive(folder / "cifar-10-python.tar.gz", python_members(cifar_batches()))


CASES = {
    "moons": case(lambda train: data.moons(50, seed=1 + train), shape=(2,), counts=(50, 50), classes=2),
    "circles": case(lambda train: data.circles(50, seed=1 + train), shape=(2,), counts=(50, 50), classes=2),
    "spirals": case(lambda train: data.spirals(51, arms=3, seed=1 + train), shape=(2,), counts=(51, 51), classes=3),
    "digits": case(data.digits, shape=(1, 8, 8), counts=(1437, 360)),
    "mnist": case(data.mnist, shape=(1, 28, 28), counts=(20, 20), files=mnist_files),
    "fashion_mnist": case(data.fashion_mnist, shape=(1, 28, 28), counts=(20, 20), files=mnist_files),
    "cifar10": case(data.cifar10, shape=(3, 32, 32), counts=(20, 4), files=binary),
    "cifar10, python version": case(data.cifar10, shape=(3, 32, 32), counts=(20, 4), files=python),
}
