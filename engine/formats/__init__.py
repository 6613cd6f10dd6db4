"""How games and positions are written in files: lists of moves, SGF, PGN; and plots."""
