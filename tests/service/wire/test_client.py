"""The public face of the client."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest
from services import Service, fill_tic_tac_toe

import proofbase.service.client as public
from proofbase.engine.errors import NativeCoreMissingError
from proofbase.service.application import Application
from proofbase.service.client import Client, Limits, VerificationResult, connect, names
from proofbase.service.client.connect import is_address
from proofbase.service.client.local import LocalClient
from proofbase.service.errors import _MAPPINGS, details_of, error_mapping, rebuild_error
from proofbase.storage import open_store


def test_the_public_names_are_exactly_these() -> None:
    visible = {
        name
        for name, value in vars(names).items()
        if not name.startswith("_") and not inspect.ismodule(value) and name != "annotations"
    }
    assert set(public.__all__) == visible | {"connect"} == set(dir(public)) - {"__all__"}
    assert all(getattr(public, name) is not None for name in public.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        public.nothing  # noqa: B018
    assert public.__all__ == sorted(public.__all__, key=lambda name: (name.islower(), name))


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("localhost:50051", True),
        ("127.0.0.1:1", True),
        ("[::1]:50051", True),
        ("db.example.org:443", True),
        ("memory:", False),
        ("./data:8080", False),
        ("/var/lib/proofbase", False),
        ("data", False),
        ("lmdb:///data", False),
        ("postgresql://user@host:5432/db", False),
    ],
)
def test_targets(target: str, address: bool) -> None:
    assert is_address(target) is address


def test_both_clients_have_the_same_methods(service: Service) -> None:
    for name, method in inspect.getmembers(Client, inspect.isfunction):
        if not name.startswith("_"):
            assert inspect.signature(getattr(type(service.client), name)) == inspect.signature(method), name


def test_a_path_is_opened_and_closed(tmp_path: object) -> None:
    for _ in range(2):
        with connect(str(tmp_path) + "/store") as client:
            assert client.solve("tic-tac-toe").state == "done"


def test_reasons_are_unique_and_errors_come_back() -> None:
    reasons = [mapping.reason for mapping in _MAPPINGS if mapping.type is not Exception]
    assert len(set(reasons)) == len(reasons)
    for mapping in _MAPPINGS:
        if mapping.type is Exception:
            continue
        back = rebuild_error(mapping.reason, "what happened", {"field": "game"})
        assert type(back) is mapping.type and str(back) == "what happened"
        assert error_mapping(back) is mapping
        assert details_of(back)["field"] == "game"
    assert error_mapping(KeyError("x")).reason == "INTERNAL"
    assert type(rebuild_error("OF_A_LATER_VERSION", "new", {})).__name__ == "ServiceFailedError"


@pytest.mark.parametrize("settings", [{"batch_size": 0}, {"batch_size": -1}, {"sise": 1}, {"message_bytes": 10}])
def test_limits_are_checked(settings: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        Limits.of(settings)
    with pytest.raises(ValueError, match="batch_size"):
        Limits(batch_size=2.5)  # type: ignore[arg-type]


def test_without_native_rules_everything_but_searching_works() -> None:
    with Application(open_store("memory:"), rules="python") as app:
        fill_tic_tac_toe(app.resources.store)
        client = LocalClient(app, "here")
        assert client.lookup("tic-tac-toe", "12").value.lower == 1
        assert client.line("tic-tac-toe").stop == "end_of_game"
        verified = client.verify("tic-tac-toe", "-", rules="python").result
        assert isinstance(verified, VerificationResult) and verified.failed == 0
        assert client.import_(client.export("tic-tac-toe", "-")).unchanged == verified.checked
        with pytest.raises(NativeCoreMissingError):
            client.solve("tic-tac-toe")


def test_the_documents_name_every_reason_and_every_limit(repository: Path) -> None:
    text = (repository / "docs" / "service.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*) \|$", text, re.MULTILINE))
    documented = {(status, reason) for status, reasons in rows.items() for reason in re.findall("[A-Z_]+", reasons)}
    assert documented == {(mapping.status, mapping.reason) for mapping in _MAPPINGS}
    limits = re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE)
    assert limits == [field.name for field in dataclasses.fields(Limits)]
