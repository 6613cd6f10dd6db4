"""Composed problems: whether a win within so many moves has exactly one key, with a proof (docs/problems.md)."""
