"""What a shard contributes to a step, laid out in one vector for each dtype, so that contributions add as vectors."""

import numpy as np

NUMBERS = np.dtype(np.float64)  # the dtype of the loss, of counts, metrics and changes of buffers


class Layout:
    """The places of gradients in the vectors: for each parameter its dtype and where it begins. `numbers` further floats come last."""

    def __init__(self, parameters):
        self.sizes: dict = {}
        self.places = []
        for p in parameters:
            start = self.sizes.get(p.dtype, 0)
            self.sizes[p.dtype] = start + p.size
            self.places.append((p, slice(start, start + p.size)))

    def vectors(self, numbers):
        """Return {dtype: vector of zeros} with room for the gradients and for so many numbers."""
        sizes = self.sizes | {NUMBERS: self.sizes.get(NUMBERS, 0) + numbers}
        return {dtype: np.zeros(size, dtype) for dtype, size in sizes.items()}

    def packed(self, numbers):
        """Return the vectors that hold the gradients of the parameters, and drop these; then the numbers, and which gradients there are."""
        there = [p.grad is not None for p, _ in self.places]
        vectors = self.vectors(len(numbers) + len(there))
        for p, place in self.places:
            if p.grad is not None:
                vectors[p.dtype][place] = p.grad.reshape(-1)
                p.grad = None
        vectors[NUMBERS][self.sizes.get(NUMBERS, 0) :] = [*numbers, *there]
        return vectors

    def unpacked(self, vectors):
        """Return [(parameter, gradient)] for those that have one, and the numbers."""
        numbers = vectors[NUMBERS][self.sizes.get(NUMBERS, 0) :]
        there = numbers[len(numbers) - len(self.places) :]
        found = [(p, vectors[p.dtype][place].reshape(p.shape)) for (p, place), count in zip(self.places, there) if count]
        return found, numbers[: len(numbers) - len(self.places)]
