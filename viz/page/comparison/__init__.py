"""A user's loop beside the tutorial's."""
