"""Continuations: where an answer was cut, in a text that clients hand back and cannot make up."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets

from proofbase.service.errors import StaleContinuationError

__all__ = ["Continuations"]

SEAL_BYTES = 16
LONGEST = 4_000


class Continuations:
    """Signs continuations with a secret that only this process has, and reads them.

    So a continuation holds as long as the process lives. After a restart, or at another server of the same database,
    it is refused, and the client starts again.

    Args:
        secret: of 32 bytes, which the processes of one server share; None for a new one.
    """

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = secrets.token_bytes(32) if secret is None else secret

    def write(self, request: str, place: bytes) -> str:
        """The continuation of a request at a place.

        Args:
            request: everything that the next page has to have in common with this one.
            place: where the next page begins.
        """
        return base64.urlsafe_b64encode(self._seal(request, place) + place).decode()

    def read(self, request: str, continuation: str) -> bytes:
        """The place that a continuation names.

        Raises:
            StaleContinuationError: this process did not make it for this request.
        """
        try:
            data = base64.b64decode(continuation[:LONGEST].encode(), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            data = b""
        seal, place = data[:SEAL_BYTES], data[SEAL_BYTES:]
        if not hmac.compare_digest(seal, self._seal(request, place)):
            raise StaleContinuationError(
                "that is no continuation of this request, or the server was started anew since: start again",
                field="continuation",
            )
        return place

    def _seal(self, request: str, place: bytes) -> bytes:
        text = request.encode()
        message = len(text).to_bytes(4, "big") + text + place
        return hmac.digest(self._secret, message, hashlib.sha256)[:SEAL_BYTES]
