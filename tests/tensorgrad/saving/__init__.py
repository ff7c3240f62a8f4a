"""Tests of tensorgrad.saving."""
