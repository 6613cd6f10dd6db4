"""Fixtures for tests that ask a store which is there already: import `app` and `client`, define `store`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from services import serving

from proofbase.service.application import Application, open_application
from proofbase.service.client import Client, connect
from proofbase.service.client.local import LocalClient

__all__ = ["app", "client"]


@pytest.fixture(params=["native", "python"])
def app(request: pytest.FixtureRequest, store: Path) -> Iterator[Application]:
    """The store, read only, with native rules or with those in Python."""
    with open_application(str(store), read_only=True, rules=request.param) as opened:
        yield opened


@pytest.fixture(params=["local", "remote"])
def client(request: pytest.FixtureRequest, app: Application) -> Iterator[Client]:
    """Of the store in this process, or over a server."""
    if request.param == "local":
        yield LocalClient(app, "")
        return
    with serving(app) as address, connect(address) as remote:
        yield remote
