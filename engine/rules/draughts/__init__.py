"""The board of checkers and the texts of its positions."""
