"""What an operator asks of a store as a whole. These commands need no server and no application."""
