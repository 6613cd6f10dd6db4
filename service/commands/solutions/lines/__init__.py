"""The moves of a line of best play, where the values of the moves alone do not say them."""
