"""Numbers of the positions of Othello on small boards."""
