"""Train a network on a data set: the loop, the tasks, progress, curves, checkpoint files, and the page of a run."""
