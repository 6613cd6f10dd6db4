"""What makes a data file of an LMDB store: copies beside its writer, a smaller file, a new store from another one."""
