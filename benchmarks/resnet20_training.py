"""Train a ResNet-20 on digits in the shape of CIFAR-10, and print its curve as the book's chapter on ResNet-50 has it.

    python -m benchmarks.resnet20_training

The images are the 1437 handwritten digits, four times as large and coloured, with the recipe of the large run in short: images moved by up
to 4 pixels, SGD with momentum 0.9, weight decay 5e-4, and a rate that falls from 0.1 along a cosine. The other 360 digits are the test.
"""

from benchmarks.rounds import CPU, one_thread

EPOCHS, BATCH = 12, 64


def coloured(digits):
    """Return images (n, 3, 32, 32) of float32, and their classes."""
    import numpy as np

    images, classes = digits.arrays
    large = images.repeat(4, axis=2).repeat(4, axis=3)
    return np.concatenate([large, large**2, 1 - large], axis=1), classes


def main():
    one_thread()
    import numpy as np

    import tensorgrad as tg
    from tensorgrad import data, models, optim

    images, classes = coloured(data.digits())
    test, test_classes = coloured(data.digits(train=False))
    mean, deviation = images.mean(axis=(0, 2, 3)), images.std(axis=(0, 2, 3))
    normalise = data.Normalize(mean, deviation)
    transform = data.Compose([data.RandomCrop(32, padding=4), normalise])
    loader = data.DataLoader(data.ArrayDataset(images, classes), BATCH, shuffle=True, seed=0, transform=transform)
    net = models.resnet20(10, generator=np.random.default_rng(0))
    optimiser = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    schedule = optim.CosineAnnealingLR(optimiser, T_max=EPOCHS * len(loader))
    seconds, curve = 0.0, []
    for epoch in range(1, EPOCHS + 1):
        net.train()
        losses = []
        with CPU() as spent:
            for x, y in loader:
                optimiser.zero_grad()
                loss = tg.cross_entropy(net(x), y)
                loss.backward()
                optimiser.step()
                schedule.step()
                losses.append(loss.item())
        seconds += spent.seconds
        net.eval()
        with tg.no_grad():
            right = data.accuracy(net(normalise(test, np.random.default_rng(0))), test_classes)
        curve.append((epoch, round(float(np.mean(losses)), 3), round(float(right), 3)))
        print(f"epoch {epoch}: loss {curve[-1][1]}, {right:.1%} of the test images, {seconds:.0f} CPU seconds", flush=True)
    print(f"seconds, curve = {seconds:.0f}, {curve}  # (epoch, mean loss, share of test images)")


if __name__ == "__main__":
    main()
