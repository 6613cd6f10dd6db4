"""What a server tells of its calls: an id for each, log lines, and counts. It knows no transport and no command."""
