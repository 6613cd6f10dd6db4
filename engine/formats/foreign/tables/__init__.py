"""Tables that other programs have made, checked by the rules as they are (docs/foreign-tables.md). Needs NumPy."""
