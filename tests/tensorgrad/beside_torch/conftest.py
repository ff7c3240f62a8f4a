"""PyTorch computes on one thread in these tests: on a busy machine its threads wait for each other, 27 s for a softmax of 9 entries."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    pytest.importorskip("torch").set_num_threads(1)
