"""Algorithms and measurements of papers: the textbook algorithms, and the tables measured again."""
