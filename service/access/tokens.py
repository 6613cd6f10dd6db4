"""Tokens as clients send them: `pb_`, the id, and a random secret of 256 bits. Only a hash of the secret is kept.

The secret is random, so nobody can guess it from its hash: a hash that is quick to compute is as good as a slow one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time

from proofbase.storage import Token

__all__ = ["is_token_of", "new_certificate_entry", "new_token", "token_id"]

SECRET_BYTES = 32
_TOKEN = re.compile(r"pb_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")


def new_token(name: str, role: str, ends: float | None = None) -> tuple[str, Token]:
    """A new token: the text for its owner, which is kept nowhere else, and what is stored of it.

    Raises:
        ValueError: no such role, or a name that cannot be one.
    """
    identifier, secret = secrets.token_hex(8), secrets.token_urlsafe(SECRET_BYTES)
    return f"pb_{identifier}_{secret}", Token(identifier, name, role, _digest(secret), time.time(), ends)


def new_certificate_entry(name: str, role: str, ends: float | None = None) -> Token:
    """What is stored of a client that shows a certificate of this name.

    Raises:
        ValueError: no such role, or a name that cannot be one.
    """
    return Token(secrets.token_hex(8), name, role, b"", time.time(), ends)


def token_id(text: str) -> str | None:
    """The id in a token; None for a text that is no token."""
    match = _TOKEN.fullmatch(text)
    return None if match is None else match[1]


def is_token_of(text: str, stored: Token | None) -> bool:
    """Whether a text is the token that is stored as `stored`. It takes as long for a token that is not known."""
    match = _TOKEN.fullmatch(text)
    digest = _digest(match[2] if match else "")
    known = stored.digest if stored is not None and stored.digest else bytes(len(digest))
    same = hmac.compare_digest(digest, known)
    return same and match is not None and stored is not None and not stored.is_certificate


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
