"""How a server is kept safe, and the rule that it does not start otherwise."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from proofbase.service.access.roles import Role
from proofbase.service.errors import UnsafeServerError
from proofbase.storage import Token

__all__ = ["Security", "is_loopback"]


@dataclass(frozen=True, slots=True)
class Security:
    """How clients reach a server, and which ones it answers.

    Attributes:
        certificate, key: PEM files of the server's certificate (with its chain) and of its private key, for TLS.
        client_ca: PEM file of the authority whose certificates clients must show.
        certificate_role: of clients whose certificate no entry of the store names; None: they are refused.
        authenticate: check clients on a loopback address, too.
        insecure: listen on an address that others can reach, without TLS or without a check of the clients.
    """

    certificate: Path | None = None
    key: Path | None = None
    client_ca: Path | None = None
    certificate_role: Role | None = None
    authenticate: bool = False
    insecure: bool = False

    @property
    def tls(self) -> bool:
        """Whether connections are encrypted."""
        return self.certificate is not None

    def checks_clients(self, listen: str) -> bool:
        """Whether calls to this address need a known client."""
        return self.authenticate or not (is_loopback(listen) or self.insecure)

    def is_open_to_others(self, listen: str) -> bool:
        """Whether other machines can reach this address without TLS, or whoever they are."""
        return not is_loopback(listen) and not (self.tls and self.checks_clients(listen))

    def check_files(self) -> None:
        """Refuses options that make no sense together.

        Raises:
            UnsafeServerError: they do not.
        """
        if (self.certificate is None) != (self.key is None):
            raise UnsafeServerError("--certificate and --key belong together: one of them is missing")
        if self.client_ca is not None and not self.tls:
            raise UnsafeServerError(
                "--client-ca needs --certificate and --key: clients show certificates over TLS only"
            )
        if self.certificate_role is not None and self.client_ca is None:
            raise UnsafeServerError("--certificate-role needs --client-ca: without it nobody shows a certificate")

    def check(self, listen: str, tokens: Sequence[Token]) -> None:
        """Refuses to listen where strangers could read or write.

        Args:
            listen: `host:port`.
            tokens: those that the store has.

        Raises:
            UnsafeServerError: the address is not safe in this way; the message says what is missing.
        """
        self.check_files()
        missing = []
        if not (self.tls or is_loopback(listen) or self.insecure):
            missing.append("a certificate (--certificate FILE --key FILE)")
        now = time.time()
        known = any(token.state(now) == "valid" for token in tokens if self.client_ca or not token.is_certificate)
        if self.checks_clients(listen) and not known and not (self.client_ca and self.certificate_role):
            missing.append(
                "clients that it knows (`proofbase tokens create NAME --role reader` for this store, "
                "or --client-ca FILE with --certificate-role ROLE)"
            )
        if not missing:
            return
        reason = (
            f"{listen} can be reached from other machines" if not is_loopback(listen) else "clients are to be checked"
        )
        escape = "" if is_loopback(listen) or self.insecure else "; or listen on 127.0.0.1; or say --insecure"
        raise UnsafeServerError(f"{reason}, and the server lacks {' and '.join(missing)}{escape}")


def is_loopback(listen: str) -> bool:
    """Whether only this machine can reach an address."""
    if listen.startswith(("unix:", "unix-abstract:")):
        return True
    host = listen.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
