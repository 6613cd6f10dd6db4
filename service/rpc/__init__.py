"""The servicers of proofbase.v1: convert, call a command, convert."""
