"""Tables of a user's own game: a server builds and verifies them, and answers by them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import Run, cli
from services import serving

from proofbase.engine import games
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.errors import BrokenGameError, InvalidKeyError, InvalidPositionError
from proofbase.engine.records import Claim, Record, Side, encode_record
from proofbase.engine.rules import EnumeratedGame
from proofbase.service.application import open_application
from proofbase.service.client import Client, TableResult, connect
from proofbase.service.client.local import LocalClient
from proofbase.service.errors import InvalidRequestError

__all__ = ["cli"]


class Steps(EnumeratedGame[int]):
    """A token on a track of 20 places, which a move takes one, two or three on; who comes to the end wins.

    From 5, 10 and 15 it goes three on, or five back: play may go on for ever.
    """

    name = "steps"
    acyclic = False
    table_end_value = -1

    def initial(self) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return -1 if position >= 20 else None

    def moves(self, position: int) -> list[int]:
        return [3, 0] if position in (5, 10, 15) else [1, 2, 3]

    def play(self, position: int, move: int) -> int:
        return position + move if move else position - 5

    def repetition(self, position: int) -> int:
        return 0

    def key(self, position: int) -> bytes:
        return bytes([position])

    def position(self, key: bytes) -> int:
        if len(key) != 1 or key[0] > 22:
            raise InvalidKeyError(f"{key.hex()} is no place")
        return key[0]

    def text(self, position: int) -> str:
        return str(position)

    def parse(self, text: str) -> int:
        if not text.isdecimal() or int(text) > 22 or str(int(text)) != text:
            raise InvalidPositionError(f"{text!r} is no place")
        return int(text)


class Endless(Steps):
    """Its endless play is worth the same to both sides."""

    name = "endless-steps"

    def repetition(self, position: int) -> int:
        return 1


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    games.register("steps", Steps)
    games.register("endless-steps", Endless)
    yield
    games._registered.pop("steps")
    games._registered.pop("endless-steps")


@pytest.fixture(params=["local", "remote"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    with open_application(str(tmp_path / "store")) as app:
        if request.param == "local":
            yield LocalClient(app, "")
            return
        with serving(app) as address, connect(address) as client:
            yield client


def plies_by_brute_force() -> dict[int, tuple[int, int]]:
    """Value and plies of each place: what is decided within n plies, for n = 0, 1, ..."""
    game, known = Steps(), dict.fromkeys(range(20, 23), (-1, 0))
    for plies in range(1, 100):
        new = dict[int, tuple[int, int]]()
        for place in set(range(20)) - known.keys():
            after = [known.get(game.play(place, move)) for move in game.moves(place)]
            if any(one is not None and one[0] < 0 for one in after):
                new[place] = 1, plies
            elif all(one is not None and one[0] > 0 for one in after):
                new[place] = -1, plies
        known |= new
    return {place: known.get(place, (0, 0)) for place in range(23)}


def test_a_server_builds_verifies_and_answers(client: Client) -> None:
    assert not client.lookup("steps", "17").known
    built = client.wait(client.start_table("steps", 0).id)
    assert built.state == "done" and isinstance(built.result, TableResult)
    assert [(table.table, table.entries) for table in built.result.tables] == [("steps-all", 23)]
    verified = client.wait(client.start_table("steps", 0, action="verify").id).result
    assert isinstance(verified, TableResult) and verified.failed == 0
    expected = plies_by_brute_force()
    assert {value for value, _ in expected.values()} == {-1, 0, 1} and max(n for _, n in expected.values()) >= 3
    items = client.batch_lookup("steps", [str(place) for place in range(20)])
    for place, item in enumerate(items):
        value, plies = expected[place]
        assert item.value is not None and (item.value.lower, item.value.upper, item.rank) == (value, value, plies)
        answer = client.lookup("steps", str(place))
        assert (answer.value.lower, answer.rank) == (value, plies)
        if value != 0:
            line = client.line("steps", str(place))
            assert (len(line.steps), line.stop) == (plies, "end_of_game")
    assert "steps-all" in [table.name for table in client.statistics().tables]


def test_the_fewer_plies_of_record_and_table_are_told(client: Client) -> None:
    """A record that is stored first has more plies than the table that comes later; another one has as few."""
    game, ranks = Steps(), {19: (5, 1), 18: (1, 1), 16: (9, 2)}
    for place, (rank, _) in ranks.items():
        claim = Claim(Side.LOWER, 1, rank, witness=2) if place > 16 else Claim(Side.UPPER, -1, rank)
        below = [(19, Claim(Side.LOWER, 1, 5, witness=1)), (18, Claim(Side.LOWER, 1, 1, witness=2))]
        below += [(17, Claim(Side.LOWER, 1, 1, witness=3))]
        records = {game.key(at): encode_record(Record.of([one])) for at, one in [*below, (place, claim)]}
        client.import_(list(certificate_chunks(game, place, sorted(records.items()))))
        assert client.lookup("steps", str(place)).rank == rank
    assert client.wait(client.start_table("steps", 0).id).state == "done"
    for place, (rank, plies) in ranks.items():
        answer = client.lookup("steps", str(place), distances=True)
        assert answer.rank == plies == max(answer.no_win_within, answer.no_loss_within) + 1
        assert answer.claims[0].evidence == ("table" if plies < rank else "children")
        assert client.batch_lookup("steps", [str(place)])[0].rank == plies
        (row,) = client.batch_lookup_keys("steps", [game.key(place)]).to_arrow().to_pylist()
        assert max(row["lower_rank"] or 0, row["upper_rank"] or 0) == plies
        assert len(client.line("steps", str(place)).steps) == plies
    moves = {move.number: move.rank for move in client.lookup("steps", "15").moves if move.known}
    assert moves[3] == 2, "to 18: a win of one ply for the other side"


def test_what_has_no_tables_says_so(client: Client) -> None:
    with pytest.raises(InvalidRequestError, match="table_end_value"):
        client.start_table("steps", 0, distances=True)
    with pytest.raises(BrokenGameError, match="repetition"):
        client.start_table("endless-steps", 0)


def test_the_command_line_does_the_same(cli: Run, tmp_path: Path) -> None:
    there = ("--store", tmp_path / "store")
    assert cli("tables", "build", "steps", *there).status == 0
    assert cli("tables", "build", "steps", *there, "--json").json["built"] == []
    assert cli("tables", "verify", "steps", *there, "--json").json["failed"] == 0
    (row,) = cli("tables", "list", *there, "--json").json["tables"]
    assert (row["table"], row["entries"], row["form"]) == ("steps-all", 23, "plain")
    assert cli("tables", "compress", "steps", "--block", 1024, *there).status == 0
    (row,) = cli("tables", "list", "steps", *there, "--json").json["tables"]
    assert row["form"] == "zstd, 1,024 a block"
    counts = cli("tables", "stats", "steps", *there, "--json").json["tables"][0]
    expected = [value for value, _ in plies_by_brute_force().values()]
    assert [counts[name] for name in ("win", "draw", "loss")] == [expected.count(value) for value in (1, 0, -1)]
    longest = max(plies for _, plies in plies_by_brute_force().values())
    assert counts["longest"] == longest and plies_by_brute_force()[int(counts["longest_position"])][1] == longest
    shown = cli("tables", "stats", "steps", *there).out
    assert f"the longest game takes {longest} plies from" in shown and "plies  won  lost" in shown
    value, plies = plies_by_brute_force()[18]
    assert value == 1 and plies == 1
    assert "win within 1 ply" in cli("lookup", "steps", "18", *there).out
    games._registered.pop("steps")
    listed = cli("tables", "list", *there)
    games.register("steps", Steps)
    assert listed.status == 0 and "--plugin" in listed.out


def test_a_lookup_says_where_a_value_is_from_that_no_record_has(cli: Run, tmp_path: Path) -> None:
    there = ("--store", tmp_path / "store")
    quiet = "8/8/8/8/8/k7/7R/K7 w - - 0 1"
    cli("solve", "within:2:chess", quiet, "--at-least", "1", *there)
    plain = cli("lookup", "chess", quiet, *there).out
    assert "no mate in 1 (proved) (by records of within:N:chess; chess itself has none of this position)" in plain
    assert "value  unknown (the store has no record of this position)" in cli("lookup", "steps", "16", *there).out
    assert cli("tables", "build", "steps", *there).status == 0
    shown = cli("lookup", "steps", "16", *there).out
    assert "value  loss in 2 plies (proved), best move 1 (by the table steps-all; nothing is stored)" in shown
