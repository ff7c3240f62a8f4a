"""The layout engine and its SVG."""
