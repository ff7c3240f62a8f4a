"""What several commands need: expressions, options, where a page opens."""
