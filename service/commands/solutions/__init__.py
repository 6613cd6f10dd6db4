"""Reading: what the store, its tables and the rules say of positions, moves, lines and proofs."""
