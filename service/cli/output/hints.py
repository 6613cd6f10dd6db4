"""Commands that messages propose: they work when they are copied into a shell."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from proofbase.service.cli.session import DEFAULT_STORE
from proofbase.storage import shown_url

if TYPE_CHECKING:
    from proofbase.service.client import Client

__all__ = ["hint"]


def hint(client: Client, *words: str) -> str:
    """A command line for the store or the server of a client, without passwords.

    Args:
        client: what the proposed command has to open.
        words: the command with its arguments, without the name of the program.
    """
    where: tuple[str, ...] = ()
    if client.is_remote:
        where = ("--server", client.target)
    elif client.target not in (DEFAULT_STORE, os.environ.get("PROOFBASE_STORE")):
        where = ("--store", shown_url(client.target))
    return f"`{shlex.join(('proofbase', *words, *where))}`"
