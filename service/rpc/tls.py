"""TLS of the server: its files are read again when they change, for the connections that are made from then on."""

from __future__ import annotations

import logging
import ssl
import threading
from pathlib import Path

import grpc

from proofbase.service.access.security import Security
from proofbase.service.errors import UnsafeServerError

__all__ = ["CertificateFiles"]

_log = logging.getLogger(__name__)
_State = tuple[tuple[int, int, int], ...]


class CertificateFiles:
    """The files that TLS needs.

    Args:
        security: names them.

    Raises:
        UnsafeServerError: a file cannot be read, or certificate and key do not belong together.
    """

    def __init__(self, security: Security) -> None:
        assert security.certificate is not None and security.key is not None
        self._certificate, self._key, self._client_ca = security.certificate, security.key, security.client_ca
        self._lock = threading.Lock()
        try:
            self._seen = self._state()
        except OSError as error:
            raise UnsafeServerError(f"there is no file {error.filename}") from None
        self._first = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """For a port of the server."""
        return grpc.dynamic_ssl_server_credentials(
            self._first,
            self._changed,  # type: ignore[arg-type]  # the stubs forget that it may give None
            require_client_authentication=self._client_ca is not None,
        )

    def context(self) -> ssl.SSLContext:
        """The context of the files as they are now, for one connection over HTTP.

        An object of this class serves either gRPC or HTTP: it tells of a change once.
        """
        self._changed()
        return self._context

    def _changed(self) -> grpc.ServerCertificateConfiguration | None:
        """Called by gRPC for each new connection: what the files hold now, None if they are as before.

        Files that make no sense, such as a certificate whose key is not written yet, leave everything as it was.
        """
        with self._lock:
            try:
                now = self._state()
                if now == self._seen:
                    return None
                configuration = self._read()
            except (OSError, UnsafeServerError) as error:
                _log.warning("the certificate stays as it was: %s", error)
                return None
            self._seen = now
        _log.info("the certificate was read again from %s", self._certificate)
        return configuration

    def _state(self) -> _State:
        """When the files were changed, and which files they are."""
        files = [path.stat() for path in self._paths()]
        return tuple((status.st_mtime_ns, status.st_ino, status.st_size) for status in files)

    def _paths(self) -> list[Path]:
        return [path for path in (self._certificate, self._key, self._client_ca) if path is not None]

    def _read(self) -> grpc.ServerCertificateConfiguration:
        try:
            certificate, key = self._certificate.read_bytes(), self._key.read_bytes()
            authority = None if self._client_ca is None else self._client_ca.read_bytes()
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.set_alpn_protocols(["http/1.1"])
            context.load_cert_chain(self._certificate, self._key, password=_no_password)
            if self._client_ca is not None:
                context.load_verify_locations(self._client_ca)
                context.verify_mode = ssl.CERT_REQUIRED
        except FileNotFoundError as error:
            raise UnsafeServerError(f"there is no file {error.filename or self._certificate}") from None
        except (OSError, ValueError) as error:
            names = ", ".join(map(str, self._paths()))
            raise UnsafeServerError(f"{names}: no certificate with its key: {error}") from None
        self._context = context
        return grpc.ssl_server_certificate_configuration([(key, certificate)], root_certificates=authority)


def _no_password() -> str:
    raise ValueError("the key is encrypted with a password; a server cannot type it")
