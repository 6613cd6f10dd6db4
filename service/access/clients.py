"""The clients that a server knows, by the token or the certificate that they show."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proofbase.service.access.roles import Need, Role, allows
from proofbase.service.access.tokens import is_token_of, token_id
from proofbase.service.errors import NotAuthenticatedError, RoleLackingError
from proofbase.storage import StoreError, StoreUnavailableError, Token, TokenStore
from proofbase.storage.tokens import is_name

__all__ = ["Identity", "KnownClients", "ended_during_call"]

_log = logging.getLogger(__name__)
FRESH_SECONDS = 0.5
"""How long the tokens that were read count: a token that is revoked begins calls so long at the most."""
RETRY_SECONDS = 5.0
STALE_SECONDS = 60.0
"""How long they count while the store cannot be read."""
HOW = "send a token (--token, PROOFBASE_TOKEN, or the header `authorization: Bearer TOKEN`)"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who makes a call.

    Attributes:
        name: of the client; several tokens may have one name, and share what the client may use.
        role: what the client may do.
        token: id of the token or of the entry for the certificate; None for a certificate of this name that no entry
            of the store names.
    """

    name: str
    role: Role
    token: str | None


class KnownClients:
    """The clients of one server. Its methods are called in one event loop, but for `read`.

    Args:
        tokens: where they are kept.
        certificate_role: of clients with a certificate that no entry names; None: such clients are refused.
    """

    def __init__(self, tokens: TokenStore, certificate_role: Role | None = None) -> None:
        self._tokens = tokens
        self._certificate_role = certificate_role
        self._by_id: dict[str, Token] = {}
        self._certificates: dict[str, list[Token]] = {}
        self._read: float | None = None
        """When they were read, on the monotonic clock."""
        self._retry = float("-inf")
        """When they are read again at the earliest, after an error."""
        self._fault: StoreError | None = None

    def is_stale(self) -> bool:
        """Whether the tokens have to be read again before they are asked."""
        now = time.monotonic()
        return now >= self._retry and (self._read is None or now - self._read > FRESH_SECONDS)

    def read(self) -> list[Token]:
        """The tokens as they are stored now. It may wait for the store: call it in a thread, and `take` the result.

        Raises:
            StoreError: they cannot be read.
        """
        return self._tokens.all()

    def take(self, tokens: Iterable[Token]) -> None:
        """These are the tokens from now on."""
        self._by_id = {token.id: token for token in tokens}
        self._certificates = {}
        for token in self._by_id.values():
            if token.is_certificate:
                self._certificates.setdefault(token.name, []).append(token)
        self._read = time.monotonic()

    def could_not_read(self, error: StoreError) -> None:
        """The tokens could not be read: those that were read before count for a while."""
        self._retry = time.monotonic() + RETRY_SECONDS
        self._fault = error
        _log.warning("the tokens cannot be read, those of a moment ago count: %s", error)

    def check_age(self) -> None:
        """Refuses to answer by tokens that were read too long ago.

        Raises:
            StoreError: that is so, and why they were not read again.
        """
        if self._read is None or time.monotonic() - self._read > STALE_SECONDS:
            raise self._fault or StoreUnavailableError("the tokens of the clients cannot be read at the moment")

    def identify(self, header: str | None, certificate_names: Sequence[str]) -> Identity:
        """Who shows this.

        Args:
            header: `Bearer TOKEN`; None where the client has sent nothing.
            certificate_names: of the client's certificate, which the connection has verified.

        Raises:
            NotAuthenticatedError: nobody that is known.
        """
        if header is not None:
            return self._by_token(header)
        if certificate_names:
            return self._by_certificate(certificate_names)
        raise NotAuthenticatedError(f"this server answers clients only that it knows: {HOW}")

    def _by_token(self, header: str) -> Identity:
        scheme, _, text = header.partition(" ")
        text = text.strip()
        stored = self._by_id.get(token_id(text) or "")
        # Compared in any case, so that the time does not tell which ids there are.
        matches = is_token_of(text, stored)
        if not matches or stored is None or scheme.lower() != "bearer":
            raise NotAuthenticatedError("the token is not one of this server")
        state = stored.state(time.time())
        if state != "valid":
            raise NotAuthenticatedError(f"the token {stored.id} of {stored.name} {_ENDED[state]}")
        return Identity(stored.name, stored.role, stored.id)  # type: ignore[arg-type]  # checked by Token

    def _by_certificate(self, names: Sequence[str]) -> Identity:
        now = time.time()
        entries = [entry for name in names for entry in self._certificates.get(name, ())]
        for entry in entries:
            if entry.state(now) == "valid":
                return Identity(entry.name, entry.role, entry.id)  # type: ignore[arg-type]  # checked by Token
        if entries:
            entry = entries[-1]
            raise NotAuthenticatedError(f"the certificate of {entry.name} {_ENDED[entry.state(now)]}")
        if self._certificate_role is None:
            raise NotAuthenticatedError("the name of the certificate is not one that this server knows")
        if not is_name(names[0]):
            raise NotAuthenticatedError("the name of the certificate is too long, or cannot be shown")
        return Identity(names[0], self._certificate_role, None)

    def is_still_known(self, identity: Identity) -> bool:
        """Whether a client that was let through would be let through again, by the tokens that were read last."""
        return _is_known(identity, self._by_id.values())

    def confirm(self, identity: Identity) -> None:
        """Asks the store once more, before a client's call writes. It may wait for the store: call it in a thread.

        Raises:
            NotAuthenticatedError: the client's token was revoked, or has ended.
            StoreError: the tokens cannot be read.
        """
        if not _is_known(identity, self._tokens.all()):
            raise NotAuthenticatedError(ended_during_call(identity))

    def check_role(self, identity: Identity, call: str, need: Need | None) -> None:
        """Refuses a call that the client's role does not allow.

        Raises:
            RoleLackingError: that is so; or nobody may make the call.
        """
        if need is None:
            raise RoleLackingError(f"{call} is not in the table of roles: nobody may call it", role="")
        if not allows(identity.role, need):
            raise RoleLackingError(f"{call} needs the role {need}, and {identity.name} is {identity.role}", role=need)


def ended_during_call(identity: Identity) -> str:
    """What the client is told whose call is ended."""
    return f"the token of {identity.name} was revoked, or has ended, during the call"


def _is_known(identity: Identity, tokens: Iterable[Token]) -> bool:
    if identity.token is None:  # an entry that names the certificate decides from now on
        return not any(token.is_certificate and token.name == identity.name for token in tokens)
    now = time.time()
    return any(token.id == identity.token and token.state(now) == "valid" for token in tokens)


_ENDED = {"revoked": "was revoked", "ended": "has ended"}
