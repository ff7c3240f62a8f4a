"""What surrounds the process of a learner's program."""
