"""Tables beside a store: lookups answer from them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.service.application import Application, open_application
from proofbase.service.client import InvalidRequestError, UnsoundRecordsError
from proofbase.service.client.local import LocalClient
from proofbase.service.commands.solutions.batch_lookup import batch_lookup, batch_lookup_packed
from proofbase.service.commands.solutions.get_line import get_line
from proofbase.service.commands.solutions.lines.table_line_chooser import TableLineChooser
from proofbase.service.commands.solutions.lookup import lookup
from proofbase.service.resources import table_counts

GAME = open_game("awari")
POSITION = "0,0,0,0,1,1/0,2,0,0,1,0/S"


def test_lookups_answer_from_tables(tmp_path: Path) -> None:
    with open_application(str(tmp_path)) as app:
        assert not lookup(app.resources, "awari", POSITION).known
        assert TableWork(GAME, str(tmp_path / "tables"), 5).build()
        tables = Tables(GAME, str(tmp_path / "tables"))
        answer = lookup(app.resources, "awari", POSITION)
        value = tables.value(GAME.parse(POSITION))
        assert answer.value.lower == answer.value.upper == value
        assert answer.known
        assert not answer.stored
        assert [(claim.side, claim.bound, claim.evidence, claim.table) for claim in answer.claims] == [
            ("lower", value, "table", "awari-5"),
            ("upper", value, "table", "awari-5"),
        ]
        assert answer.witness == answer.moves[0].move
        assert answer.moves[0].value.lower == value
        texts = [GAME.text(tables.position(4, entry)) for entry in range(0, 1365, 100)]
        for text, item in zip(texts, batch_lookup(app.resources, "awari", texts), strict=True):
            position = GAME.parse(text)
            expected = GAME.terminal(position)
            assert item.value is not None
            assert item.value.lower == item.value.upper == (tables.value(position) if expected is None else expected)
        keys = b"".join(GAME.key(GAME.parse(text)) for text in texts)
        columns = batch_lookup_packed(app.resources, "awari", keys)
        assert all(lower == upper for lower, upper in columns.bounds())
        app.resources.cache.records("awari")  # the copy in memory is there now
        assert list(batch_lookup_packed(app.resources, "awari", keys).bounds()) == list(columns.bounds())


def test_tables_that_come_later_are_asked_by_the_copy_in_memory(tmp_path: Path) -> None:
    with open_application(str(tmp_path)) as app:
        app.resources.cache.records("awari")
        key = GAME.key(GAME.parse(POSITION))
        assert list(batch_lookup_packed(app.resources, "awari", key).bounds()) == [
            (-5, 5)
        ]  # as many stones as there are
        assert TableWork(GAME, str(tmp_path / "tables"), 5).build()
        ((lower, upper),) = batch_lookup_packed(app.resources, "awari", key).bounds()
        assert lower == upper


@pytest.mark.parametrize("rules", ["native", "python"])
def test_the_positions_of_tables_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    """Until so many were counted; asked again it goes on. A damaged table is not counted."""
    folder = tmp_path / "tables"
    assert TableWork(GAME, str(folder), 5).build()
    tables = Tables(GAME, str(folder))
    expected = {entry.name: tables.histogram(entry.table_class) for entry in tables.entries()}

    def counted(app: Application) -> dict[str, dict[int, int]]:
        found = LocalClient(app, "").statistics("awari", histograms=True).tables
        assert all(count.plies is None for table in found for count in table.histogram)
        return {table.name: {count.value: count.entries for count in table.histogram} for table in found}

    monkeypatch.setattr(table_counts, "MOST_ENTRIES", sum(entry.entries for entry in tables.entries()) - 1)
    with open_application(str(tmp_path), rules=rules) as app:
        assert not any(table.histogram for table in LocalClient(app, "").statistics("awari").tables)
        assert counted(app) == {**expected, "awari-5": {}}
        assert counted(app) == expected
        path = folder / "awari-4.table"
        data = bytearray(path.read_bytes())
        data[-20] ^= 1
        path.write_bytes(data)
        assert counted(app) == {**expected, "awari-4": {}}
        with pytest.raises(InvalidRequestError, match="histograms need a game"):
            LocalClient(app, "").statistics(histograms=True)


@pytest.mark.parametrize("rules", ["native", "python"])
def test_records_that_rest_on_tables_are_imported_where_the_tables_are(tmp_path: Path, rules: str) -> None:
    start = "0,0,0,1,1,1/0,2,0,1,1,0/S"
    with open_application(str(tmp_path / "first")) as app:
        assert TableWork(GAME, str(tmp_path / "first" / "tables"), 5).build()
        client = LocalClient(app, "")
        assert client.solve("awari", start).result.records > 0
        data = list(client.export("awari", start))
        census = client.statistics("awari", census=True).census
        assert census is not None and census.evidence["table"] > 0
    with open_application(str(tmp_path / "second"), rules=rules) as app:
        client = LocalClient(app, "")
        with pytest.raises(UnsoundRecordsError, match="not at hand"):
            client.import_(data)
        assert TableWork(GAME, str(tmp_path / "second" / "tables"), 5).build()
        assert client.import_(data).added > 0
        assert client.lookup("awari", start).known


@pytest.mark.parametrize("by_progress", [True, False])
def test_lines_from_tables_make_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_progress: bool) -> None:
    """Play repeats itself at value 0 only, and the line is worth what the table says; otherwise it would shuffle."""
    if not by_progress:
        monkeypatch.setattr(TableLineChooser, "choose", lambda *_: None)
    random = Random(3)
    shuffles = captures = 0
    with open_application(str(tmp_path)) as app:
        assert TableWork(GAME, str(tmp_path / "tables"), 7).build()
        tables = Tables(GAME, str(tmp_path / "tables"))
        for _ in range(60):
            start = position = GAME.position(tables.position(7, random.randrange(31_824)))
            if GAME.terminal(position) is not None:
                continue
            line = get_line(app.resources, "awari", GAME.text(position))
            score, sign = 0, 1
            for step in line.steps:
                reward = GAME.reward(position, step.number)
                score, sign, position = score + sign * reward, -sign, GAME.play(position, step.number)
                captures += reward > 0
            left = GAME.terminal(position) if line.stop == "end_of_game" else tables.value(position)
            assert left is not None and score + sign * left == tables.value(start) == line.value.lower
            assert line.stop in ("end_of_game", "repetition")
            shuffles += line.stop == "repetition" and left != 0
    assert captures > 60
    assert shuffles == 0 if by_progress else shuffles > 10


def test_play_with_too_many_positions_is_left_alone(tmp_path: Path, thorough: bool) -> None:
    with open_application(str(tmp_path)) as app:
        assert TableWork(GAME, str(tmp_path / "tables"), 7).build()
        tables = Tables(GAME, str(tmp_path / "tables"))
        for entry in range(0, 31_824, 400 if thorough else 1200):
            position = GAME.position(tables.position(7, entry))
            if GAME.terminal(position) is not None or not (value := tables.value(position)):
                continue
            moves = lookup(app.resources, "awari", GAME.text(position)).moves
            chosen = [TableLineChooser(GAME, tables, most).choose(position, moves, value) for most in (1, 50_000)]
            assert chosen[1] is not None and chosen[1].value.lower == value
            assert chosen[0] in (None, chosen[1])
