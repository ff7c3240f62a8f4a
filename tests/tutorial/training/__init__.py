"""Tests of tutorial.training."""
