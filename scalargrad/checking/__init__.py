"""Gradient checking, and the likely causes of a wrong derivative."""
