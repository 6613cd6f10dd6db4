"""How a client shows a server who it is, and knows the server: by arguments, or else by the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from proofbase.service.access.security import is_loopback
from proofbase.service.errors import UnsafeServerError

__all__ = ["SYSTEM", "Credentials"]

SYSTEM = "system"
"""As a CA: the authorities that gRPC trusts."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a client shows, and which servers it trusts.

    Attributes:
        token: as `proofbase tokens create` has printed it. In no message.
        ca: PEM file of the authority of the server's certificate, or `system`; None: no TLS.
        certificate, key: PEM files of the client's own certificate and its private key.
    """

    token: str | None = field(default=None, repr=False)
    ca: Path | str | None = None
    certificate: Path | None = None
    key: Path | None = None

    @classmethod
    def given(
        cls,
        token: str | None = None,
        ca: Path | str | None = None,
        certificate: Path | str | None = None,
        key: Path | str | None = None,
    ) -> Credentials:
        """What is given, and for the rest PROOFBASE_TOKEN, PROOFBASE_CA, PROOFBASE_CERTIFICATE and PROOFBASE_KEY."""
        return cls(
            token or _variable("TOKEN"),
            ca or _variable("CA"),
            _path(certificate or _variable("CERTIFICATE")),
            _path(key or _variable("KEY")),
        )

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.ca is not None or self.certificate is not None

    def check(self, target: str) -> None:
        """Refuses what would give the token away, or makes no sense.

        Args:
            target: `host:port` of the server.

        Raises:
            UnsafeServerError: the message says why.
        """
        if (self.certificate is None) != (self.key is None):
            raise UnsafeServerError("a client's certificate and its key belong together: one of them is missing")
        if self.token is not None and (not self.token.isascii() or not self.token.isprintable() or " " in self.token):
            raise UnsafeServerError("the token has characters that no token has")
        if self.token is not None and not self.tls and not is_loopback(target):
            raise UnsafeServerError(
                f"a token is sent over TLS only, and {target} is another machine: name the authority of its "
                "certificate (--ca FILE, PROOFBASE_CA; `system` for those that everybody trusts)"
            )

    def read(self, path: Path) -> bytes:
        """A file of these.

        Raises:
            UnsafeServerError: it cannot be read.
        """
        try:
            return path.read_bytes()
        except OSError as error:
            raise UnsafeServerError(f"{path}: {error.strerror}") from None


def _variable(name: str) -> str | None:
    return os.environ.get(f"PROOFBASE_{name}") or None


def _path(text: Path | str | None) -> Path | None:
    return None if text is None else Path(text)
