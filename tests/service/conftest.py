"""Fixtures of the service tests.

Test modules are imported by path (pyproject.toml), so what they share is put on the path here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "storage"))

from postgres_server import migrated_database, migrated_template, postgres_database, postgres_server
from services import FEW_CALLS, MANY_CALLS, MakeService, Service, fill_tic_tac_toe, serving

from proofbase.engine.rules import Game
from proofbase.service.application import Application
from proofbase.service.client import Limits, connect
from proofbase.service.client.local import LocalClient
from proofbase.service.jobs.solve import solution_writer
from proofbase.service.resources import algorithm_choice
from proofbase.service.resources.native import ChosenAlgorithm
from proofbase.service.rpc import listener
from proofbase.storage import SolutionStore, open_store

__all__ = ["migrated_database", "migrated_template", "postgres_database", "postgres_server"]


@pytest.fixture(params=["in process", "over gRPC"])
def make_service(request: pytest.FixtureRequest) -> Iterator[MakeService]:
    """Makes services: `make_service(store or URL, limits=...)`; an empty memory store by default."""
    with ExitStack() as stack:

        def make(store: SolutionStore | str = "memory:", *, limits: Limits | None = None) -> Service:
            app = Application(open_store(store) if isinstance(store, str) else store, limits)
            stack.callback(app.close)
            if request.param == "in process":
                return Service(LocalClient(app, "in process"), app)
            client = stack.enter_context(connect(stack.enter_context(serving(app))))
            return Service(client, app)

        yield make


@pytest.fixture(scope="module")
def many_calls() -> Iterator[None]:
    """Servers of the module accept as many calls at once as those of users."""
    listener.ACCEPTED_AT_ONCE = MANY_CALLS
    yield
    listener.ACCEPTED_AT_ONCE = FEW_CALLS


@pytest.fixture
def service(make_service: MakeService) -> Service:
    """A service on an empty memory store."""
    return make_service()


@pytest.fixture
def solved(service: Service) -> Service:
    """A service that knows all of tic-tac-toe."""
    fill_tic_tac_toe(service.store)
    return service


@pytest.fixture
def threats_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` begins with `threats`, also on small boards, where it soon has nothing left to try."""
    chosen = algorithm_choice.choose_algorithm

    def choose(game: Game[Any], position: Any = None, *, memory_used_up: bool = False, **_: bool) -> ChosenAlgorithm:
        return chosen(game, memory_used_up=True) if memory_used_up else ChosenAlgorithm("threats", "wins by threats")

    monkeypatch.setattr(algorithm_choice, "choose_algorithm", choose)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Where a store can be made."""
    return tmp_path / "store"


@pytest.fixture
def whole_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solves store their solutions without small searches: small games have many records."""
    monkeypatch.setattr(solution_writer, "STORED_WHOLE", 200_000)
