"""A training that is saved after every second step: python resumes.py FILE EPOCHS [STEP AT WHICH THE LAST RANK DIES].

Rank 0 prints each step and its loss with all digits. Batch norm, dropout, momentum and shuffling all have a state to resume.
"""

import os
import signal
import sys
from pathlib import Path

import numpy as np

import tensorgrad as tg
from tensorgrad import data, nn, optim, parallel, saving

BATCHES = 3  # of an epoch


def main(file, epochs, kill_at=0):
    rng = np.random.default_rng(0)
    layers = nn.Linear(64, 16, generator=rng), nn.BatchNorm1d(16), nn.Dropout(0.2, generator=rng), nn.Linear(16, 10, generator=rng)
    model = nn.Sequential(nn.Flatten(), *layers)
    optimiser = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loader = data.DataLoader(data.Subset(data.digits(), range(32 * BATCHES)), batch_size=32, shuffle=True, seed=0)
    parts = {"model": model, "optimiser": optimiser, "loader": loader, "rng": rng}
    if Path(file).exists():
        saving.load(file, **parts)
    with parallel.open(shards=4, timeout=30) as group:
        while loader.epoch < epochs:
            for images, labels in loader:
                done = loader.epoch * BATCHES + loader.position
                if done == kill_at and group.rank == group.size - 1:
                    os.kill(os.getpid(), signal.SIGKILL)
                optimiser.zero_grad()
                loss = group.backward(model, lambda x, y: tg.cross_entropy(model(x), y), images, labels)
                optimiser.step()
                if group.rank == 0:
                    print(done, repr(loss), flush=True)
                    if done % 2 == 0:
                        saving.save(file, **parts)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
