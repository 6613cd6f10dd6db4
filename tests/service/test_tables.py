"""Tables beside a store: lookups answer from them."""

from __future__ import annotations

from pathlib import Path

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.service.application import open_application
from proofbase.service.commands.batch_lookup import batch_lookup, batch_lookup_packed
from proofbase.service.commands.lookup import lookup

GAME = open_game("awari")
POSITION = "0,0,0,0,1,1/0,2,0,0,1,0/S"


def test_lookups_answer_from_tables(tmp_path: Path) -> None:
    with open_application(str(tmp_path)) as app:
        assert not lookup(app, "awari", POSITION).known
        assert TableWork(GAME, str(tmp_path / "tables"), 5).build()
        tables = Tables(GAME, str(tmp_path / "tables"))
        answer = lookup(app, "awari", POSITION)
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
        for text, item in zip(texts, batch_lookup(app, "awari", texts), strict=True):
            position = GAME.parse(text)
            expected = GAME.terminal(position)
            assert item.value is not None
            assert item.value.lower == item.value.upper == (tables.value(position) if expected is None else expected)
        keys = b"".join(GAME.key(GAME.parse(text)) for text in texts)
        columns = batch_lookup_packed(app, "awari", keys)
        assert all(lower == upper for lower, upper in columns.bounds())
        app.cache.table("awari")  # the copy in memory is there now
        assert list(batch_lookup_packed(app, "awari", keys).bounds()) == list(columns.bounds())


def test_tables_that_come_later_are_asked_by_the_copy_in_memory(tmp_path: Path) -> None:
    with open_application(str(tmp_path)) as app:
        app.cache.table("awari")
        key = GAME.key(GAME.parse(POSITION))
        assert list(batch_lookup_packed(app, "awari", key).bounds()) == [(-48, 48)]
        assert TableWork(GAME, str(tmp_path / "tables"), 5).build()
        ((lower, upper),) = batch_lookup_packed(app, "awari", key).bounds()
        assert lower == upper
