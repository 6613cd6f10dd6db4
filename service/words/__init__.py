"""Answers in words, for the command line, pages and notebooks."""
