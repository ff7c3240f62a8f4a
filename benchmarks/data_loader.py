"""Batches of CIFAR-10's shape, cropped, mirrored and normalised: images per second, against torchvision's way, and what a thread gains.

torchvision transforms one image at a time (PIL), and its loader joins them. Both run in turn in one process, one thread.
The second table times a training loop: each step computes for a while in NumPy, with and without batches prepared by a thread.

    python -m benchmarks.data_loader

Needs: torchvision, with torch and PIL, for the first table.
"""

from benchmarks.rounds import in_turn, installed, one_thread

one_thread()

from time import perf_counter, process_time  # noqa: E402

import numpy as np  # noqa: E402

from tensorgrad.data import ArrayDataset, Compose, DataLoader, Normalize, RandomCrop, RandomHorizontalFlip, ToFloat  # noqa: E402

IMAGES, BATCH, ROUNDS = 10_000, 128, 7
MEAN, STD = (0.4914, 0.4822, 0.4465), (0.247, 0.2435, 0.2616)
STEP_SECONDS = 0.02  # of arithmetic for a batch


def data():
    rng = np.random.default_rng(0)
    return rng.integers(0, 256, (IMAGES, 3, 32, 32), dtype=np.uint8), rng.integers(0, 10, IMAGES)


def ours(prefetch=0):
    transform = Compose([RandomCrop(32, padding=4), RandomHorizontalFlip(), ToFloat(), Normalize(MEAN, STD)])
    return DataLoader(ArrayDataset(*data()), BATCH, shuffle=True, drop_last=True, transform=transform, prefetch=prefetch)


def theirs():
    import torch
    from PIL import Image
    from torchvision import transforms as T

    steps = [T.RandomCrop(32, padding=4), T.RandomHorizontalFlip(), T.ToTensor(), T.Normalize(MEAN, STD)]
    transform, (images, labels) = T.Compose(steps), data()
    images = images.transpose(0, 2, 3, 1)

    class Images(torch.utils.data.Dataset):
        def __len__(self):
            return len(images)

        def __getitem__(self, i):
            return transform(Image.fromarray(images[i])), int(labels[i])

    return torch.utils.data.DataLoader(Images(), BATCH, shuffle=True, drop_last=True)


def endless(loader):
    while True:
        yield from loader


def against_torchvision():
    loops = [endless(loader) for loader in (ours(), theirs())]
    mine, peer, _ = in_turn(*[loop.__next__ for loop in loops], rounds=ROUNDS, timer=process_time)
    print(
        f"images per second of the processor: {BATCH / mine:,.0f} here, {BATCH / peer:,.0f} by torchvision; {peer / mine:.1f} times as fast"
    )


def steps_of_training(loader, product):
    """Return the seconds of an epoch, where each batch is followed by matrix products."""
    start = perf_counter()
    for _ in loader:
        product()
    return perf_counter() - start


def gain_of_a_thread():
    a = np.random.default_rng(0).random((512, 512), dtype=np.float32)
    one = min(seconds(lambda: a @ a) for _ in range(20))
    times = round(STEP_SECONDS / one)

    def product():
        for _ in range(times):
            a @ a

    found = [[steps_of_training(loader, product) for loader in (ours(), ours(prefetch=2))] for _ in range(ROUNDS)]
    plain, early = map(min, zip(*found))  # other programs only add to a time
    alone = min(seconds(lambda: [None for _ in ours()]) for _ in range(3))
    print(f"an epoch, {1000 * STEP_SECONDS:.0f} ms of arithmetic for each batch: {plain:.2f} s; with prefetch=2 {early:.2f} s")
    print(f"the batches alone: {alone:.2f} s, of which the thread saves {100 * (plain - early) / alone:.0f} %")


def seconds(f):
    start = perf_counter()
    f()
    return perf_counter() - start


if __name__ == "__main__":
    if installed("torchvision", "python -m pip install torchvision"):
        against_torchvision()
    gain_of_a_thread()
