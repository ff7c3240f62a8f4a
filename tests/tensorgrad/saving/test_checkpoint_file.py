"""Checkpoint files: everything returns to the bit, all parts or none, and a process that is killed while it saves loses nothing."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tensorgrad import Tensor, optim
from tensorgrad.saving import load, read, save, write
from tensorgrad.saving.files import replacing
from tensorgrad.saving.safetensors import MOST_HEADER
from tests.each import each


class Part:
    """A part whose state is whatever it is given. It refuses a state that has the key "bad"."""

    def __init__(self, state):
        self.state = state

    def state_dict(self):
        return self.state

    def load_state_dict(self, state):
        if "bad" in state:
            self.state = "half loaded"
            raise ValueError("bad is not for me")
        self.state = state


STATE = {
    "arrays": {0: np.arange(3, dtype=np.float32), "a.b": np.array(True)},
    "numbers": [1, -(2**127), 0.1, float("inf"), -0.0, 1e-320, True, None],
    "nested": ({"lr": 0.1, "betas": (0.9, 0.999)}, [], {}, (), "text ü \n"),
}


@pytest.fixture(params=[".safetensors", ".npz"])
def path(request, tmp_path):
    return tmp_path / f"run{request.param}"


def test_a_state_returns_as_it_was(path):
    part = Part({})
    save(path, part=Part(STATE))
    load(path, part=part)
    assert repr(part.state) == repr(STATE)  # also types, order of keys and signs of zeros


@each("kind", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_random_numbers_continue(kind, tmp_path_factory):
    path = tmp_path_factory.mktemp("random") / "run.safetensors"
    rng = np.random.Generator(kind(5))
    rng.normal(size=7)
    rng.integers(0, 9, dtype=np.uint32)  # half of a 64-bit number waits
    save(path, rng=rng)
    expected = rng.integers(0, 9, 4, dtype=np.uint32), rng.normal(size=3)
    other = np.random.Generator(kind(0))
    load(path, rng=other)
    np.testing.assert_array_equal(
        np.concatenate([other.integers(0, 9, 4, dtype=np.uint32), other.normal(size=3)]), np.concatenate(expected)
    )


def training():
    """Return (step, parts) of a small training with random inputs."""
    w, rng = Tensor(np.ones((3, 2), np.float32)), np.random.default_rng(0)
    adam = optim.AdamW([w], lr=0.01)
    schedule = optim.OneCycleLR(adam, 0.1, total_steps=20)

    def step():
        x = rng.standard_normal((4, 3)).astype(np.float32)
        loss = ((x @ w).tanh() ** 2).sum()
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
        return loss.item()

    class Weights:
        def state_dict(self):
            return {"w": w.data.copy()}

        def load_state_dict(self, state):
            w.data = state["w"]

    return step, {"model": Weights(), "optimiser": adam, "schedule": schedule, "rng": rng}


def test_a_resumed_training_has_the_same_losses_digit_by_digit(path):
    step, parts = training()
    for _ in range(5):
        step()
    save(path, **parts)
    expected = [step() for _ in range(10)]
    again, others = training()
    load(path, **others)
    assert [again() for _ in range(10)] == expected


def test_a_part_that_does_not_fit_leaves_all_parts_as_they_were(path):
    save(path, one=Part({"new": 1}), two=Part({"bad": 1}), three=Part({"new": 3}))
    one, two, three = Part({"old": 1}), Part({"old": 2}), Part({"old": 3})
    with pytest.raises(ValueError, match="nothing was loaded from .*, because the part two does not fit: bad is not for me"):
        load(path, one=one, two=two, three=three)
    assert [one.state, two.state, three.state] == [{"old": 1}, {"old": 2}, {"old": 3}]


def test_values_are_saved_beside_parts_and_returned(path):
    values = {"epoch": 3, "losses": [0.5, float("nan")], "best": {"accuracy": 0.9, "weights": np.arange(3)}, "note": "ü", "none": None}
    part = Part({})
    save(path, part=Part(STATE), **values)
    found = load(path, part=part)
    assert repr(found) == repr(values) and repr(part.state) == repr(STATE)
    assert repr(load(path)) == repr({"part": STATE} | values)


def test_a_state_may_be_saved_as_a_value_and_loaded_into_its_object_and_the_reverse(path):
    w = Tensor([3.0])
    w.grad = [1.0]
    adam, other, third = optim.Adam([w]), optim.Adam([w], lr=1.0), optim.Adam([w], lr=2.0)
    adam.step()
    save(path, optimizer=adam.state_dict(), w=w)
    assert load(path, optimizer=other)["w"] == [w.item()] and str(other.state_dict()) == str(adam.state_dict())
    save(path, optimizer=other)
    third.load_state_dict(load(path)["optimizer"])
    assert str(third.state_dict()) == str(adam.state_dict())


def test_values_may_be_longer_than_the_header_of_a_file(path):
    values = {"text": "u" * (MOST_HEADER + 1), "losses": [i / 7 for i in range(10_000)]}
    save(path, **values)
    assert load(path) == values


def test_a_file_may_have_more_parts_but_not_fewer(path):
    save(path, one=Part({}), two=Part({"x": 1}))
    part = Part({})
    load(path, two=part)
    assert part.state == {"x": 1}
    with pytest.raises(ValueError, match="has no part three, four; its parts are one, two"):
        load(path, one=part, three=part, four=part)


@each(
    "call, message",
    [
        (lambda path: save(path), "save: there is nothing to save"),
        (lambda path: save(path, Part({})), r"save: a part has no name; write save\(path, model=model, optimizer=optimizer\)"),
        (lambda path: save(path, Part({}), x=Part({})), "save: a part has no name"),
        (lambda path: save({"w": np.ones(1)}, path), r"save: a part has no name; write save\(path, model=model"),
        (lambda path: load(path, Part({})), r"load: a part has no name; write load\(path, model=model"),
        (
            lambda path: save(path, x=Part({"f": [print]})),
            r"save: x.f.0 is .*print.*; give an object with state_dict\(\) and .*, or arrays",
        ),
        (lambda path: save(path, x=Part), "save: x is the class Part; give an object with state_dict"),
        (lambda path: (save(path, x=3), load(path, weights_only=True)), "load: weights_only=True is an option of PyTorch; leave it out"),
        (lambda path: save(path, __state__=np.ones(1)), "save: a part cannot have the name __state__"),
        (
            lambda path: (save(path, x=3), load(path, x=3)),
            r"load: x=3 has no state_dict\(\).*; a value is in the result: load\(path\)\['x'\]",
        ),
        (lambda path: save(path, x=Part({(1, 2): 3})), r"save: x has the key \(1, 2\); keys are texts or integers"),
        (
            lambda path: (write(path, {"w": np.ones(1)}), load(path, x=Part({}))),
            "is not a checkpoint file, it has arrays only; load weights with models.load_weights",
        ),
        (lambda path: (write(path, {}, {"format": "other"}), load(path, x=Part({}))), "it has the format 'other'"),
        (lambda path: (save(path, x=Part({"w": np.ones(1)})), flip(path), load(path, x=Part({}))), "its checksum does not agree"),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_bad_input_is_refused(call, message, tmp_path_factory):
    with pytest.raises((TypeError, ValueError), match=message):
        call(tmp_path_factory.mktemp("refused") / "run.safetensors")


def flip(path):
    """Change one bit of the last array."""
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@each("what", ["shape", "dtype", "name"])
def test_a_header_that_was_changed_is_noticed(what, tmp_path_factory):
    path = tmp_path_factory.mktemp("header") / "run.safetensors"
    save(path, x=Part({"w": np.ones((2, 3))}))
    arrays, metadata = read(path)
    w = arrays.pop("x.w")
    changed = {"shape": {"x.w": w.reshape(3, 2)}, "dtype": {"x.w": w.view(np.int64)}, "name": {"x.v": w}}[what]
    write(path, arrays | changed, metadata)
    with pytest.raises(ValueError, match="its checksum does not agree"):
        load(path, x=Part({}))


# Written completely or not at all


def test_an_exception_while_writing_leaves_the_earlier_file(path):
    save(path, one=Part({"x": 1}))
    before = path.read_bytes()
    with pytest.raises(KeyboardInterrupt), replacing(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


def test_each_of_two_writers_writes_a_whole_file(path):
    with replacing(path) as slow:
        slow.write(b"slow ")
        with replacing(path) as fast:
            fast.write(b"fast")
        assert path.read_bytes() == b"fast"
        slow.write(b"and whole")
    assert path.read_bytes() == b"slow and whole" and list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_file_keeps_its_permissions(path):
    save(path, one=Part({}))
    (path.parent / "new").touch()
    assert path.stat().st_mode == (path.parent / "new").stat().st_mode
    for mode in 0o600, 0o664, 0o444:
        path.chmod(mode)
        save(path, one=Part({}))
        assert path.stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.name == "nt", reason="without locks forgotten files stay")
def test_forgotten_temporary_files_of_the_path_are_removed_and_no_others(path):
    for name in (f".{path.name}.0123456789abcdef.part", f".{path.name}.part", ".other.0123456789abcdef.part"):
        (path.parent / name).touch()
    save(path, one=Part({}))
    assert {p.name for p in path.parent.iterdir()} == {path.name, f".{path.name}.part", ".other.0123456789abcdef.part"}


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights on Windows")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.npz").symlink_to(tmp_path / "real.npz")
    write(tmp_path / "link.npz", {"a": np.ones(1)})
    assert (tmp_path / "link.npz").is_symlink() and "a" in read(tmp_path / "real.npz")[0]


KILLED = """
import os, signal, sys
import numpy as np
from tensorgrad.saving import load, save

class Part:
    def __init__(self, version): self.version = version
    def state_dict(self): return {"version": self.version, **{f"a{i}": np.full(20_000, self.version) for i in range(4)}}
    def load_state_dict(self, state):
        assert all((state[f"a{i}"] == state["version"]).all() for i in range(4))
        self.version = state["version"]

def saved_with(hook):  # the hook sees each call and each return of a function
    sys.setprofile(hook)
    save(path, part=part)
    sys.setprofile(None)

def killed_at(last):
    def hook(*event, left=iter(range(last))):
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
    return hook

def events_of_save():
    count = []
    saved_with(lambda *event: count.append(1))
    return len(count)

path, part, during, old, new = sys.argv[1], Part(0), 0, 0, 0
save(path, part=part)
events = events_of_save()
for k in [*range(0, events, 20), *range(events - 40, events + 40, 2)]:  # a later save also removes what a killed one has left
    child = os.fork()
    if not child:
        part.version += 1
        saved_with(killed_at(k))
        os._exit(0)
    killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    before = part.version
    load(path, part=part)
    assert part.version in (before, before + 1)
    old += part.version == before
    new += killed and part.version > before
    during += any(name.endswith(".part") for name in os.listdir(os.path.dirname(path)))
save(path, part=part)
print(old > 20, new > 0, during > 0, os.listdir(os.path.dirname(path)) == [os.path.basename(path)])
"""


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_that_is_killed_while_it_saves_loses_nothing(path):
    """At every 20th call or return of a function within `save`, and at every third of the last, when the new file gets its name."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], capture_output=True, text=True, env=environment, timeout=120)
    assert done.stdout == "True True True True\n", done.stdout + done.stderr
