"""Commands that messages propose: they work when they are copied into a shell."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from proofbase.service.cli.session import DEFAULT_STORE

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
        where = ("--store", _without_password(client.target))
    return f"`{shlex.join(('proofbase', *words, *where))}`"


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    if "://" not in url or parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username}@{host}" if parts.username else host).geturl()
