"""Run a learner's program in a process of its own, which gets plain values and sends plain values back."""
