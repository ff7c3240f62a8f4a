"""Data sets, the loader that makes batches of them, transforms of images, and measures.

>>> from tensorgrad import data
>>> images, labels = data.digits().arrays; images.shape
(1437, 1, 8, 8)
>>> loader = data.DataLoader(data.digits(), batch_size=32, shuffle=True, seed=0, transform=data.RandomCrop(8, padding=1))
>>> for images, labels in loader:  # one epoch; the next such loop is the next epoch
...     pass
>>> loader
DataLoader(45 batches of 32 from 1437 samples)
"""

from scalargrad.messages.foreign_names import answering
from tensorgrad.data.cifar10 import cifar10
from tensorgrad.data.dataset import ArrayDataset, Dataset, Subset, train_val_split
from tensorgrad.data.digits import digits
from tensorgrad.data.loader import DataLoader
from tensorgrad.data.metrics import accuracy, confusion_matrix, top_k_accuracy
from tensorgrad.data.mnist import fashion_mnist, mnist
from tensorgrad.data.text import Characters, Windows, alice, split_sequence
from tensorgrad.data.toys import circles, moons, spirals
from tensorgrad.data.transforms import Compose, Normalize, Pad, RandomCrop, RandomHorizontalFlip, ToFloat, Transform

# fmt: off
__all__ = [
    "Dataset", "ArrayDataset", "Subset", "train_val_split", "DataLoader",
    "moons", "circles", "spirals", "digits", "mnist", "fashion_mnist", "cifar10", "alice", "Characters", "Windows", "split_sequence",
    "Transform", "Compose", "ToFloat", "Normalize", "Pad", "RandomCrop", "RandomHorizontalFlip",
    "accuracy", "top_k_accuracy", "confusion_matrix",
]
# fmt: on

ORDER = "DataLoader's shuffle=True draws the order; choose or repeat samples by Subset(dataset, indices)"

__getattr__ = answering(
    __name__,
    {
        "TensorDataset": "write ArrayDataset(images, labels)",
        "random_split": "write train_val_split(dataset, val_share=0.1, seed=0)",
        "IterableDataset": "write a Dataset with __len__ and __getitem__; a loader draws its samples by number",
        "ConcatDataset ChainDataset StackDataset": "join the arrays with np.concatenate, or write a Dataset with __len__ and __getitem__",
        "Sampler RandomSampler SequentialSampler SubsetRandomSampler BatchSampler": ORDER,
        "WeightedRandomSampler DistributedSampler": ORDER,
        "default_collate": "Dataset.batch(indices) joins samples; DataLoader takes a collate_fn of your own",
        "BatchLoader": "write DataLoader(dataset, batch_size)",
        "ComposeTransforms": "write Compose([...])",
        "ToTensor": "write ToFloat(), which gives numbers from 0 to 1",
        "make_moons make_circles make_spirals": "write moons(count, noise, seed), circles(...) or spirals(...)",
        "load_digits": "write digits(train=True)",
        "MNIST FashionMNIST CIFAR10": "write mnist(folder), fashion_mnist(folder) or cifar10(folder), with download=True to fetch it",
        "transforms datasets": "the transforms and the data sets are here: data.RandomCrop(32, padding=4), data.moons(1000)",
    },
)
