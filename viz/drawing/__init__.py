"""A graph as one picture: boxes, edges, folded scopes, and where they stand."""
