"""The table of all calls in docs/protocol.md is that of the protocol, and its clients and commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runs import Run, cli
from google.protobuf.descriptor import ServiceDescriptor

from proofbase.service.client import Client
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

__all__ = ["cli"]

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
SERVICES: list[ServiceDescriptor] = [
    messages.DESCRIPTOR.services_by_name[name]
    for messages, name in (
        (solutions_pb2, "Solutions"),
        (jobs_pb2, "Jobs"),
        (transfer_pb2, "Transfer"),
    )
]


def _rows(service: str) -> dict[str, list[str]]:
    """The cells of the table of one service, by the name of the call."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## {service}\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:3] == "| `"]
    return {row[0].strip("`"): row[1:] for row in rows}


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_every_call_is_in_the_table_with_its_messages(service: ServiceDescriptor) -> None:
    rows = _rows(service.full_name)
    assert list(rows) == [method.name for method in service.methods]
    for method in service.methods:
        for cell, kind, message, streams in (
            (rows[method.name][0], "Request", method.input_type.name, method.client_streaming),
            (rows[method.name][1], "Response", method.output_type.name, method.server_streaming),
        ):
            shown = re.match(r"(stream\b)?:? ?(?:`(\w+)`)?", cell)
            assert shown is not None
            assert (bool(shown[1]), shown[2] or f"{method.name}{kind}") == (streams, message), (method.name, cell)


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_clients_and_commands_of_the_table_exist(service: ServiceDescriptor, cli: Run) -> None:
    for name, (_, _, client, command) in _rows(service.full_name).items():
        methods = re.findall(r"`(\w+)`", client)
        assert methods, f"{name} has no method of the client"
        assert [method for method in methods if not callable(getattr(Client, method, None))] == []
        for words in re.findall(r"`([\w -]+)`", command):
            shown = cli(*words.split(), "-h")
            assert shown.status == 0, words
            assert f"Usage: proofbase {words}" in shown.out
