"""Data sets, the loader that makes batches of them, transforms of images, and measures. Import it by `from tensorgrad import data`."""

from tensorgrad.data.cifar10 import cifar10
from tensorgrad.data.dataset import ArrayDataset, Dataset, Subset, train_val_split
from tensorgrad.data.digits import digits
from tensorgrad.data.loader import DataLoader
from tensorgrad.data.metrics import accuracy, confusion_matrix, top_k_accuracy
from tensorgrad.data.mnist import fashion_mnist, mnist
from tensorgrad.data.text import Characters, Windows, alice, split_sequence
from tensorgrad.data.toys import circles, moons, spirals
from tensorgrad.data.transforms import Compose, Normalize, Pad, RandomCrop, RandomHorizontalFlip, ToFloat

# fmt: off
__all__ = [
    "Dataset", "ArrayDataset", "Subset", "train_val_split", "DataLoader",
    "moons", "circles", "spirals", "digits", "mnist", "fashion_mnist", "cifar10", "alice", "Characters", "Windows", "split_sequence",
    "Compose", "ToFloat", "Normalize", "Pad", "RandomCrop", "RandomHorizontalFlip",
    "accuracy", "top_k_accuracy", "confusion_matrix",
]
