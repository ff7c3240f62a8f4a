"""The places of boxes, edges and labels on a page."""
