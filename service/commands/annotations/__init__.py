"""What people say of positions: reports of errors, notes."""
