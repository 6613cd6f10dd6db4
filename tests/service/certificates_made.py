"""Certificates for the tests of TLS, made by openssl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["Authority"]


class Authority:
    """A certificate authority in a directory.

    Args:
        directory: an empty one.
        name: of the authority.
    """

    def __init__(self, directory: Path, name: str = "tests") -> None:
        if shutil.which("openssl") is None:
            pytest.skip("openssl, which makes the certificates of these tests, is not there")
        self.directory = directory
        directory.mkdir(exist_ok=True)
        self.certificate, self.key = directory / "ca.pem", directory / "ca.key"
        extensions = ("-addext", "basicConstraints=critical,CA:TRUE")
        self._new_key(self.certificate, self.key, name, "-x509", "-days", "30", *extensions)

    def _new_key(self, out: Path, key: Path, name: str, *arguments: str) -> None:
        new = ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}")
        _openssl(*new, "-keyout", str(key), "-out", str(out), *arguments)

    def issue(self, file: str, name: str, alternative: str = "") -> tuple[Path, Path]:
        """A certificate for a name and perhaps alternative ones (`IP:127.0.0.1`), and its key."""
        certificate, key = self.directory / f"{file}.pem", self.directory / f"{file}.key"
        request, extensions = self.directory / f"{file}.csr", self.directory / f"{file}.ext"
        self._new_key(request, key, name)
        extensions.write_text(f"subjectAltName={alternative}\n" if alternative else "basicConstraints=CA:FALSE\n")
        signing = ("-CA", str(self.certificate), "-CAkey", str(self.key), "-CAcreateserial", "-days", "30")
        _openssl("x509", "-req", "-in", str(request), "-out", str(certificate), "-extfile", str(extensions), *signing)
        return certificate, key


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=60)
