"""What men's morris is made of: the board with its lines and symmetries, and the numbers of positions for tables."""
