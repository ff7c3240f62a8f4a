"""Texts of chapters and exercises, in parts: what stands within a line, formulas, programs and what they print. Needs no chapter."""
