"""Tests of tensorgrad.optim."""
