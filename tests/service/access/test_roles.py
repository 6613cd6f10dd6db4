"""Every call x every kind of client: as the table of roles says, and before any handler runs."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from raw_calls import METHODS, Method, bearer, status_of
from services import serving

from proofbase.service.access.clients import KnownClients
from proofbase.service.access.roles import CALLS, ROLES, allows
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.client import (
    Budget,
    Client,
    JobStateError,
    NotAuthenticatedError,
    RoleLackingError,
    connect,
)
from proofbase.storage import StoreError, StoreUnavailableError, Token, TokenStore, open_store

DENIED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


@dataclass
class Guarded:
    """A server that checks its clients, and tokens of them."""

    app: Application
    address: str
    channel: grpc.Channel
    tokens: dict[str, str]

    def make(self, name: str, role: str, ends: float | None = None) -> tuple[str, Token]:
        """A new token that the server knows after a second."""
        text, token = new_token(name, role, ends)
        self.app.resources.store.tokens().add(token)
        return text, token

    def client(self, name: str) -> Client:
        return connect(self.address, token=self.tokens[name])


@pytest.fixture(scope="module")
def guarded() -> Iterator[Guarded]:
    with Application(open_store("memory:")) as app:
        tokens = app.resources.store.tokens()
        texts = {}
        for name, role, ends in (
            ("reader", "reader", None),
            ("solver", "solver", time.time() + 3600),
            ("other", "solver", None),
            ("admin", "admin", None),
            ("ended", "admin", time.time() - 1),
            ("revoked", "admin", None),
        ):
            texts[name], token = new_token(name, role, ends)
            tokens.add(token)
            if name == "revoked":
                tokens.revoke([token.id], time.time())
        with (
            serving(app, Security(authenticate=True)) as address,
            grpc.insecure_channel(address) as channel,
        ):
            yield Guarded(app, address, channel, texts)


def test_the_table_has_every_call_and_no_other() -> None:
    assert {method.name for method in METHODS} == set(CALLS)


def test_the_page_names_the_calls_of_every_role(repository: Path) -> None:
    page = (repository / "docs" / "service.md").read_text(encoding="utf-8")
    calls = [name.removeprefix("proofbase.v1.").split("/") for name in CALLS if name.startswith("proofbase.v1.")]
    of = {(service, method): CALLS[f"proofbase.v1.{service}/{method}"] for service, method in calls}
    for role in ROLES:
        [row] = re.findall(rf"^\| {role} \| (.*) \|$", page, re.MULTILINE)
        named = set(re.findall("`([A-Z][A-Za-z]+)`", row))
        named |= {method for service, method in of if service in named}
        assert named - {service for service, _ in of} == {method for (_, method), need in of.items() if need == role}


def test_calls_that_write_need_more_than_a_reader() -> None:
    """The table itself, which the other tests take as it is: what more than a reader is needed for."""
    methods = {need: {call.rpartition("/")[2] for call in CALLS if CALLS[call] == need} for need in ("solver", "admin")}
    starts = {"StartSolve", "StartPositions", "StartVerification"}
    assert methods["solver"] == starts | {"Cancel", "Pause", "Resume", "Import"}
    assert methods["admin"] == {"StartTable", "Prune", "ImportTables"}


def test_roles_contain_one_another() -> None:
    assert [[allows(role, need) for need in ("nobody", *ROLES)] for role in ROLES] == [
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]


def wrong_tokens(tokens: dict[str, str]) -> dict[str, list[tuple[str, str]] | None]:
    """Headers that no server takes."""
    good = tokens["admin"]
    number = good.split("_")[1]
    return {
        "no token": None,
        "empty": [("authorization", "")],
        "no scheme": [("authorization", good)],
        "another scheme": [("authorization", f"Basic {good}")],
        "wrong secret": bearer(f"pb_{number}_{'A' * 43}"),
        "secret of another": bearer(f"pb_{number}_{tokens['reader'].split('_', 2)[2]}"),
        "unknown id": bearer(f"pb_{'0' * 16}_{good.split('_', 2)[2]}"),
        "cut": bearer(good[:-1]),
        "longer": bearer(good + "A"),
        "no token at all": bearer("letmein"),
        "two tokens": [*bearer(good), *bearer(good)],
        "ended": bearer(tokens["ended"]),
        "revoked": bearer(tokens["revoked"]),
    }


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_calls_without_a_valid_token_are_refused(guarded: Guarded, method: Method) -> None:
    for name, header in wrong_tokens(guarded.tokens).items():
        # Bytes that are no message, or a stream in which nothing comes: only who asks before the handler notices.
        data = None if method.requests else b"\xff\xff"
        if CALLS[method.name] == "nobody":
            assert status_of(guarded.channel, method, header) not in DENIED
        else:
            assert status_of(guarded.channel, method, header, data) == grpc.StatusCode.UNAUTHENTICATED, name


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_calls_are_allowed_to_the_roles_of_the_table(guarded: Guarded, method: Method, role: str) -> None:
    header = bearer(guarded.tokens[role])
    if allows(role, CALLS[method.name]):
        assert status_of(guarded.channel, method, header) not in DENIED
    else:
        data = None if method.requests else b"\xff\xff"
        assert status_of(guarded.channel, method, header, data) == grpc.StatusCode.PERMISSION_DENIED


def test_a_method_outside_of_the_table_is_refused(guarded: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    method = next(entry for entry in METHODS if entry.name.endswith("/GetLimits"))
    monkeypatch.delitem(CALLS, method.name)
    assert status_of(guarded.channel, method, bearer(guarded.tokens["admin"])) == grpc.StatusCode.PERMISSION_DENIED


def test_the_client_raises_what_it_was_refused_for(guarded: Guarded) -> None:
    with connect(guarded.address) as client, pytest.raises(NotAuthenticatedError, match="answers clients only"):
        client.games()
    with guarded.client("ended") as client, pytest.raises(NotAuthenticatedError, match="of ended has ended"):
        client.lookup("tic-tac-toe")
    with guarded.client("revoked") as client, pytest.raises(NotAuthenticatedError, match="was revoked"):
        list(client.stream_lookup("tic-tac-toe", [["5"]]))
    with guarded.client("reader") as client:
        assert client.lookup("tic-tac-toe", "5").position == ".../.x./..."
        with pytest.raises(RoleLackingError, match="StartSolve needs the role solver, and reader is reader") as raised:
            client.start_solve("tic-tac-toe")
        assert raised.value.role == "solver"
        with pytest.raises(RoleLackingError, match="Import needs the role solver"):
            client.import_([b"x"], form="jsonl")


def test_only_an_admin_moves_records_to_the_quarantine(guarded: Guarded) -> None:
    with guarded.client("solver") as client:
        with pytest.raises(RoleLackingError, match="needs the role admin, and solver is solver"):
            client.start_verification("tic-tac-toe", quarantine=True)
        assert client.wait(client.start_verification("tic-tac-toe", repair=True).id).state == "done"
    with guarded.client("admin") as client:
        assert client.wait(client.start_verification("tic-tac-toe", quarantine=True).id).state == "done"


def test_who_started_a_job_is_kept_with_it_and_with_its_records(guarded: Guarded) -> None:
    with guarded.client("solver") as client, guarded.client("reader") as reader:
        job = client.solve("tic-tac-toe")
        assert job.started_by == reader.job(job.id).started_by == reader.jobs()[0][0].started_by == "solver"
        sources = reader.lookup("tic-tac-toe").sources
        assert sources and all(source.text.endswith(" by solver") for source in sources)
    with guarded.client("other") as client:
        client.import_([_certificate_of("4")], source="a file")
    texts = {source.text for source in guarded.app.resources.store.sources()}
    assert "a file by other" in texts and all(" by " in text for text in texts)
    stored = guarded.app.resources.store.get_job(job.id)
    assert stored is not None and stored.progress["started_by"] == "solver"


def _certificate_of(position: str) -> bytes:
    with connect("memory:") as client:
        client.solve("connect-four:4x4", position)
        return b"".join(client.export("connect-four:4x4", position))


def test_jobs_of_others_are_stopped_and_resumed_by_admins_only(guarded: Guarded) -> None:
    with guarded.client("solver") as owner, guarded.client("other") as other, guarded.client("admin") as admin:
        job = owner.start_solve("connect-four")
        for action in (other.pause, other.cancel, other.resume):
            with pytest.raises(RoleLackingError, match=f"job {job.id} was started by solver: for other that needs"):
                action(job.id)
        assert owner.pause(job.id).state == "paused"
        with pytest.raises(JobStateError):
            admin.pause(job.id)
        resumed = admin.resume(job.id, budget=Budget(nodes=10**9))
        assert resumed.started_by == "solver"
        assert owner.cancel(job.id).state == "cancelled"


def test_a_revoked_token_ends_calls_and_open_streams(guarded: Guarded) -> None:
    text, token = guarded.make("short", "solver")
    time.sleep(1.1)
    with connect(guarded.address, token=text) as client, guarded.client("admin") as admin:
        job = client.start_solve("connect-four")
        watch = client.watch(job.id)
        next(watch)
        guarded.app.resources.store.tokens().revoke([token.id], time.time())
        with pytest.raises(NotAuthenticatedError, match="during the call"):
            list(watch)
        with pytest.raises(NotAuthenticatedError, match="was revoked"):
            client.games()
        admin.cancel(job.id)


def test_no_answer_log_or_stored_text_has_a_secret(guarded: Guarded, caplog: pytest.LogCaptureFixture) -> None:
    secrets = [text.split("_", 2)[2] for text in guarded.tokens.values()]
    caplog.set_level("DEBUG")
    with guarded.client("admin") as client:
        job = client.solve("tic-tac-toe", "5")
        said = [repr(client.statistics()), repr(client.games()), repr(job), repr(client.jobs()), repr(client)]
    for header in wrong_tokens(guarded.tokens).values():
        for method in METHODS[:3]:
            status_of(guarded.channel, method, header)
    store = guarded.app.resources.store
    said += [repr(store.sources()), repr(store.list_jobs()), repr(store.tokens().all()), caplog.text]
    assert [secret for secret in secrets for text in said if secret in text] == []
    assert "NOT_AUTHENTICATED" in caplog.text


class FailingTokens(TokenStore):
    """Tokens of a store that answers as long as it is told to."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.fault: StoreError | None = None

    def all(self) -> list[Token]:
        if self.fault is not None:
            raise self.fault
        return self.tokens

    def add(self, token: Token) -> None:
        raise AssertionError

    def revoke(self, ids: list[str], moment: float) -> list[Token]:
        raise AssertionError


def test_tokens_count_for_a_while_when_the_store_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    text, token = new_token("alice", "reader")
    tokens = FailingTokens([token])
    clients = KnownClients(tokens)
    now = [100.0]
    monkeypatch.setattr("proofbase.service.access.clients.time.monotonic", lambda: now[0])
    assert clients.is_stale()
    with pytest.raises(StoreUnavailableError, match="cannot be read at the moment"):
        clients.check_age()
    clients.take(clients.read())
    assert not clients.is_stale()
    clients.check_age()
    now[0] += 2
    assert clients.is_stale()
    tokens.fault = StoreUnavailableError("gone")
    clients.could_not_read(tokens.fault)
    assert not clients.is_stale(), "the store is not asked again at once"
    clients.check_age()
    assert clients.identify(f"Bearer {text}", ()).name == "alice"
    now[0] += 6
    assert clients.is_stale()
    now[0] += 60
    with pytest.raises(StoreUnavailableError, match="gone"):
        clients.check_age()
