"""`proofbase mcp` as agents use it: asked by the protocol's own client, over a directory, a package and a server."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from proofbase.service.agents.oracle import Oracle
from proofbase.service.cli import run
from proofbase.service.client import connect

sys.path.insert(0, str(Path(__file__).parents[1] / "service"))

from services import serving

from proofbase.service.application import open_application

mcp = pytest.importorskip("mcp", reason="the package mcp is not installed")

GAME = "connect-four:4x4"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that knows the value of one game, and a package of it beside."""
    folder = tmp_path_factory.mktemp("agents")
    assert run(["solve", "tic-tac-toe", "--all-moves", "--store", str(folder / "store")]) == 0
    arguments = ["publish", "tic-tac-toe", str(folder / "package"), "--licence", "CC0-1.0"]
    assert run([*arguments, "--store", str(folder / "store")]) == 0
    return folder


@pytest.fixture(params=["directory", "package", "server"])
def target(request: pytest.FixtureRequest, store: Path) -> Iterator[list[str]]:
    if request.param == "directory":
        yield ["--store", str(store / "store")]
    elif request.param == "package":
        yield ["--store", (store / "package").as_uri()]
    else:
        with open_application(str(store / "store")) as app, serving(app) as address:
            yield ["--server", address]


@asynccontextmanager
async def agent(*arguments: str) -> AsyncIterator[Any]:
    parameters = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "proofbase", "mcp", *arguments], env={**os.environ}
    )
    async with (
        mcp.stdio_client(parameters) as (read, write),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


async def asked(session: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    assert answer["status"] in ("proved", "unknown")
    return answer


async def test_every_answer_is_proved_or_unknown(target: list[str]) -> None:
    async with agent(*target) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == {"lookup", "solve", "why", "regret", "check"}
        assert all(len(tool.description) > 60 for tool in tools.values())

        known = await asked(session, "lookup", game="tic-tac-toe")
        assert (known["status"], known["value"], known["words"]) == ("proved", 0, "draw within 9 plies")
        assert len(known["moves"]) == 9 and {move["status"] for move in known["moves"]} == {"proved"}
        unknown = await asked(session, "lookup", game=GAME)
        assert (unknown["status"], unknown["value"], unknown["best_move"]) == ("unknown", None, None)
        assert (unknown["moves"], unknown["moves_unknown"]) == ([], ["1", "2", "3", "4"])

        assert (await asked(session, "regret", game="tic-tac-toe", position="5", move="2"))["regret"] is None
        kept = await asked(session, "regret", game="tic-tac-toe", position="-", move="5")
        assert (kept["status"], kept["regret"]) == ("proved", 0)

        why = await asked(session, "why", game="tic-tac-toe", position="-", depth=1)
        assert why["status"] == "proved"
        assert {node["claim"] for node in why["proof"] if node["parent"] is None} == {"lower 0", "upper 0"}
        assert (await asked(session, "why", game=GAME))["proof"] == []

        checked = await asked(session, "check", game="tic-tac-toe")
        assert (checked["status"], checked["valid"], checked["at_least"], checked["at_most"]) == ("proved", True, 0, 0)
        assert checked["records"] > 0

        open_still = await asked(session, "solve", game="gomoku", nodes=1)
        assert (open_still["status"], open_still["value"]) == ("unknown", None)
        solved = await asked(session, "solve", game=GAME, position="1 1", seconds=60)
        assert (solved["status"], solved["value"]) == ("proved", 0)
        assert solved["stored"] == ("package" not in target[-1])

        refused = await session.call_tool("lookup", {"game": "no-such-game"})
        assert refused.is_error and "no-such-game" in refused.content[0].text


def test_a_store_that_is_not_there_is_no_empty_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "--store", str(tmp_path / "mistyped")]) == 3
    assert "there is no store" in capfd.readouterr().err and not (tmp_path / "mistyped").exists()


async def test_a_proof_that_is_not_valid_proves_nothing(tmp_path: Path) -> None:
    from proofbase.engine.records import Claim, Record, Side, encode_record
    from proofbase.service.agents.oracle import Oracle
    from proofbase.service.client.local import LocalClient

    with open_application(str(tmp_path / "store")) as app:
        client = LocalClient(app, "")
        game = app.resources.games.open("tic-tac-toe")
        won = Claim(Side.LOWER, 1, 1, witness=0)
        app.resources.store.put_many(
            game.name,
            [(game.key(game.initial()), encode_record(Record((won,))))],
            source="a lie",
            rules_version=game.rules_version,
        )
        found = Oracle(client).check("tic-tac-toe")
    assert (found["status"], found["valid"], found["at_least"]) == ("unknown", False, None)
    assert found["findings"]


def test_a_proof_of_another_position_is_none(store: Path) -> None:
    """A server may send any certificate."""

    class Liar:
        def __init__(self, client: Any) -> None:
            self._client = client

        def __getattr__(self, name: str) -> Any:
            return getattr(self._client, name)

        def export(self, game: str, position: str, *, form: str) -> Any:
            return self._client.export(game, "-", form=form)

    with connect(str(store / "store")) as client:
        assert Oracle(client).check("tic-tac-toe", "-")["status"] == "proved"
        answer = Oracle(Liar(client)).check("tic-tac-toe", "1")  # type: ignore[arg-type]
    assert (answer["status"], answer["valid"]) == ("unknown", False) and "of another position" in answer["reason"]
