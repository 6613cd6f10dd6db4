"""A solve: questions about a position, one after the other, until its value is known."""
