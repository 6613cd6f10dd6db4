"""What the command line prints: rows, trees, progress and messages."""
