"""Data sets, the loader, transforms and measures."""
