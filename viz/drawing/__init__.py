"""Draw a graph as one picture: its boxes, edges and folded scopes."""
