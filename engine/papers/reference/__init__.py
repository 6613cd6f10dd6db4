"""Textbook algorithms in plain Python: short, cited, slow, and the oracle of the property tests of the native core."""
