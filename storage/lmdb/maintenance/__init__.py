"""What keeps an LMDB store: its sizes, copies beside its writer, a smaller file, the whole of it for another store."""
