"""Bring your broken engine: a learner's engine runs beside the right one until the first, smallest difference, which gets a name."""
