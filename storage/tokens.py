"""The clients that a store's server knows: tokens and certificates with a role and an end. Secrets are not kept.

Tokens are kept beside the records, apart from the store's one writer: an operator makes and revokes them while a server
has the store open.
"""

from __future__ import annotations

import json
import threading
from abc import abstractmethod
from dataclasses import asdict, dataclass, replace

from proofbase.storage.closing import Closing

__all__ = ["DIGEST_BYTES", "ROLES", "MemoryTokens", "Token", "TokenStore", "is_name"]

ROLES = ("reader", "solver", "admin")
"""Each may do what the ones before it may."""
DIGEST_BYTES = 32
MAX_NAME_CHARACTERS = 100


def is_name(text: str) -> bool:
    """Whether a client may be called so: it is shown in logs, messages and sources."""
    return 1 <= len(text) <= MAX_NAME_CHARACTERS and text.isprintable() and text == text.strip()


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token, or of a client that is known by its certificate.

    Attributes:
        id: 16 hexadecimal digits, which are also a part of the token itself.
        name: whose it is; several tokens may have one name.
        role: one of `ROLES`.
        digest: SHA-256 of the secret; empty for a client that shows a certificate of this name instead.
        created: seconds since the epoch.
        ends: when it ends, in the same way; None: never.
        revoked: when it was revoked.

    Raises:
        ValueError: an attribute is out of range.
    """

    id: str
    name: str
    role: str
    digest: bytes
    created: float
    ends: float | None = None
    revoked: float | None = None

    def __post_init__(self) -> None:
        if len(self.id) != 16 or not set(self.id) <= set("0123456789abcdef"):
            raise ValueError("the id of a token has 16 hexadecimal digits")
        if not is_name(self.name):
            raise ValueError(f"the name of a client has 1 to {MAX_NAME_CHARACTERS} printable characters")
        if self.role not in ROLES:
            raise ValueError(f"unknown role {self.role!r}: there are {', '.join(ROLES)}")
        if len(self.digest) not in (0, DIGEST_BYTES):
            raise ValueError(f"a digest has {DIGEST_BYTES} bytes")
        if not isinstance(self.created, int | float) or not all(
            isinstance(moment, int | float | None) for moment in (self.ends, self.revoked)
        ):
            raise ValueError("the times of a token are numbers")

    @property
    def is_certificate(self) -> bool:
        """Whether the client shows a certificate and has no secret."""
        return not self.digest

    def state(self, now: float) -> str:
        """`valid`, `revoked` or `ended`, at a time in seconds since the epoch."""
        if self.revoked is not None:
            return "revoked"
        return "ended" if self.ends is not None and self.ends <= now else "valid"

    def to_json(self) -> str:
        """One JSON object with all attributes."""
        return json.dumps({**asdict(self), "digest": self.digest.hex()}, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Token:
        """Inverse of `to_json`.

        Raises:
            ValueError: that is no token of this release.
        """
        try:
            entries = json.loads(text)
            return cls(**{**entries, "digest": bytes.fromhex(entries["digest"])})
        except (TypeError, AttributeError, KeyError) as error:
            raise ValueError(f"that is no token: {error}") from None


class TokenStore(Closing):
    """Keeps tokens. Any number of processes may read and write. Thread-safe."""

    @abstractmethod
    def all(self) -> list[Token]:
        """All tokens, in the order in which they were made. Those that have ended or were revoked are kept.

        Raises:
            StoreError: they cannot be read.
        """

    @abstractmethod
    def add(self, token: Token) -> None:
        """Stores a new token durably.

        Raises:
            ValueError: there is one of this id.
            StoreError: it cannot be stored.
        """

    @abstractmethod
    def revoke(self, ids: list[str], moment: float) -> list[Token]:
        """Marks tokens as revoked at a moment, durably; those that were revoked before keep their moment.

        Returns:
            Those that were not revoked before.

        Raises:
            StoreError: it cannot be stored.
        """

    def close(self) -> None:
        """Frees what it holds."""


class MemoryTokens(TokenStore):
    """Tokens that end with the process."""

    def __init__(self) -> None:
        self._tokens: dict[str, Token] = {}
        self._lock = threading.Lock()

    def all(self) -> list[Token]:
        with self._lock:
            return list(self._tokens.values())

    def add(self, token: Token) -> None:
        with self._lock:
            if token.id in self._tokens:
                raise ValueError(f"there is a token {token.id} already")
            self._tokens[token.id] = token

    def revoke(self, ids: list[str], moment: float) -> list[Token]:
        with self._lock:
            known = [self._tokens[name] for name in ids if name in self._tokens]
            open_ones = [token for token in known if token.revoked is None]
            self._tokens.update((token.id, replace(token, revoked=moment)) for token in open_ones)
            return [self._tokens[token.id] for token in open_ones]
