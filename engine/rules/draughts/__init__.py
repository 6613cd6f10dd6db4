"""The board, the texts of positions and the tables of checkers."""
