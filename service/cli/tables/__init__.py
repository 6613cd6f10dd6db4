"""Tables of values of whole classes of positions: build, compress, list, verify, count."""

from proofbase.service.cli.tables.program import program

__all__ = ["program"]
