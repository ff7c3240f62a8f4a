"""What the programs of learners are called with."""
