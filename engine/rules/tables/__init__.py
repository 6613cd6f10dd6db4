"""What the rules say of tables (docs/tables.md): their headers, the values in them, the numbers of small games."""
