"""Jobs over lists of positions."""
