"""The settings of a run: what decides its numbers. A run resumes with the settings that it was started with."""

from dataclasses import asdict, dataclass, replace


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
