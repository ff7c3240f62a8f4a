"""Formulas on a page, and in its pictures."""
