"""What a learner is asked about a graph, and what typical mistakes give."""
