"""ResNet-50 trains on files in the format of CIFAR-10: it learns one batch, and needs less memory if it computes its blocks again."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import data, models, optim
from tests.peak import peak_of
from tests.tensorgrad.data.made_files import archive, binary_members, cifar_batches

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Random images, as the archive of CIFAR-10 holds them."""
    folder = tmp_path_factory.mktemp("cifar")
    archive(folder / "cifar-10-binary.tar.gz", binary_members(cifar_batches(8)))
    return data.cifar10(folder, checksum=False)


def batch_of(dataset, size):
    transform = data.Compose([data.ToFloat(), data.Normalize((0.5,) * 3, (0.25,) * 3)])
    return next(iter(data.DataLoader(dataset, size, transform=transform)))


def resnet50(recompute=None):
    return models.resnet50(10, stem="cifar", recompute=recompute, generator=np.random.default_rng(0))


def test_resnet_50_learns_a_batch_of_cifar_10_by_heart(dataset):
    images, labels = batch_of(dataset, 8)
    net = resnet50()
    optimiser = optim.Adam(net.parameters(), lr=5e-4)
    losses = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = tg.cross_entropy(net(images), labels)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    print([round(loss, 4) for loss in losses])
    assert losses[0] > 2 and losses[-1] < 0.01


def test_blocks_that_are_computed_again_take_less_than_half_of_the_memory_and_give_the_same_bits(dataset):
    images, labels = batch_of(dataset, 32)
    peaks, gradients = {}, {}
    for recompute in (None, "blocks", "stages"):
        net = resnet50(recompute)
        peaks[recompute] = peak_of(lambda net=net: tg.cross_entropy(net(images), labels).backward())
        gradients[recompute] = [p.grad for p in net.parameters()]
    print({recompute: f"{peak / 2**20:.0f} MiB" for recompute, peak in peaks.items()})
    assert max(peaks["blocks"], peaks["stages"]) < 0.5 * peaks[None]
    for recompute in ("blocks", "stages"):
        assert all((a == b).all() for a, b in zip(gradients[None], gradients[recompute]))
