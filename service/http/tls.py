"""TLS of the HTTP port, by the same files as that of gRPC: they are read again when they change."""

from __future__ import annotations

import ssl
from typing import Any, Self

from proofbase.service.access.security import Security
from proofbase.service.rpc.tls import CertificateFiles

__all__ = ["FreshContext"]


class FreshContext(ssl.SSLContext):
    """Gives each connection the certificate that the files hold when it is made.

    asyncio takes one context for a port, and asks it for the TLS of each connection by `wrap_bio`.

    Args:
        security: names the files.

    Raises:
        UnsafeServerError: a file cannot be read, or certificate and key do not belong together.
    """

    _files: CertificateFiles

    def __new__(cls, security: Security) -> Self:
        context = super().__new__(cls, ssl.PROTOCOL_TLS_SERVER)
        context._files = CertificateFiles(security)
        return context

    def wrap_bio(self, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        """The TLS of one connection."""
        return self._files.context().wrap_bio(*args, **kwargs)
