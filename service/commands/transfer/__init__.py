"""Solutions out of the store and into it: exports and imports."""
