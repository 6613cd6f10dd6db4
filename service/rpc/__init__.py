"""The servicers of proofbase.v1: each method reads the request, calls a command, and writes the answer."""
