"""The settings of a run, which decide its numbers, and the defaults of each task. A run resumes with the settings of its start."""

from dataclasses import asdict, dataclass, replace
from typing import NamedTuple


class Defaults(NamedTuple):
    """What a task has unless the user says otherwise. The first of its networks is the default."""

    models: tuple[str, ...]
    epochs: int
    batch: int
    lr: float  # the largest of the schedule


TASKS = {  # each is a function in tutorial.training.tasks
    "moons": Defaults(("mlp",), 30, 50, 0.02),
    "digits": Defaults(("cnn", "mlp"), 40, 32, 0.004),
    "mnist": Defaults(("cnn", "mlp"), 5, 64, 0.004),
    "cifar10": Defaults(("resnet20", "resnet18", "resnet34", "resnet50"), 30, 64, 0.004),
    "text": Defaults(("gpt",), 2, 16, 0.006),
}


@dataclass(frozen=True)
class Settings:
    """The task and the network by their names, and the numbers of the training."""

    task: str
    model: str
    epochs: int
    batch: int
    lr: float  # the largest of the schedule
    seed: int
    shards: int = 0  # of each batch, for several processes; 0: whole batches, in one process

    def with_epochs(self, epochs):
        """Return the settings of the same run with more epochs. Raises ValueError for fewer."""
        if epochs < self.epochs:
            why = f"the run was begun for {self.epochs} epochs, over which its learning rate falls, so it cannot end after {epochs}"
            raise ValueError(f"{why}; leave --epochs out, and stop early by --patience or Ctrl-C")
        return replace(self, epochs=epochs)

    def state_dict(self):
        """Return the settings as a checkpoint file has them."""
        return asdict(self)

    def load_state_dict(self, state):
        """Compare with the settings of a checkpoint file. Raises ValueError, which names those that differ. A run may become longer."""
        given = dict(state) | {"epochs": max(self.epochs, state["epochs"])} if "epochs" in state else state
        differ = [f"{name} {state.get(name)} (now {x})" for name, x in asdict(self).items() if given.get(name) != x]
        if differ:
            raise ValueError(f"the run was started with {', '.join(differ)}")


def settings_for(task, model=None, epochs=None, batch=None, lr=None, seed=None, shards=None):
    """Return the settings of a run: the defaults of the task, except where a value is given."""
    usual = TASKS[task]
    given = epochs or usual.epochs, batch or usual.batch, usual.lr if lr is None else lr, seed or 0, shards or 0
    return Settings(task, model or usual.models[0], *given)
