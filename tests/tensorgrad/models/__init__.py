"""Tests of tensorgrad.models."""
