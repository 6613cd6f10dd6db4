"""A client of this release asks a server of an earlier one, which does not name all limits."""

from __future__ import annotations

import pytest
from services import serving

from proofbase.service.application import Application
from proofbase.service.client import Limits, connect
from proofbase.service.rpc import solutions
from proofbase.storage import open_store
from proofbase.v1 import solutions_pb2


def test_limits_that_a_server_does_not_name_are_the_usual_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    def older(_: object, kind: type[solutions_pb2.Limits]) -> solutions_pb2.Limits:
        return kind(batch_size=7, message_bytes=4096)

    with Application(open_store("memory:")) as app, serving(app) as address, connect(address) as client:
        assert client.limits() == Limits()
        monkeypatch.setattr(solutions, "to_message", older)
        assert client.limits() == Limits(batch_size=7, message_bytes=4096)
