"""The commands of `proofbase store`."""

from __future__ import annotations

import typer

from proofbase.service.cli.stores.checking import check, fingerprint
from proofbase.service.cli.stores.copying import compact, copy
from proofbase.service.cli.stores.info import info
from proofbase.service.cli.stores.repairing import repair

__all__ = ["program"]

program = typer.Typer(
    help="Look after a store as a whole: its size, copies, damage, fingerprints.", no_args_is_help=True
)
for command in (info, copy, compact, check, fingerprint, repair):
    program.command()(command)
