"""Notes on positions and games: plain, bounded, and shown where they belong."""

from __future__ import annotations

from typing import Any

import pytest
from services import Service

from proofbase.service.client import InvalidRequestError, LimitExceededError, Note
from proofbase.service.commands.annotations import notes as command
from proofbase.service.words.annotations import note_text

GAME = "tic-tac-toe"


def shown(service: Service, position: str = "-") -> list[str]:
    return [note.text for note in service.client.lookup(GAME, position).notes]


def test_a_note_is_shown_at_its_position_and_one_on_the_game_everywhere(service: Service) -> None:
    client = service.client
    first = client.add_note(GAME, "x../.../...", text="  the corner \r\n\tis good".replace("\t", ""), author="Zoë")
    game = client.add_note(GAME, text="all of it")
    assert isinstance(first, Note) and (first.text, first.author) == ("  the corner\nis good".strip(), "Zoë")
    assert (game.author, game.of_game, first.of_game) == ("anonymous", True, False)
    assert client.lookup(GAME, "..x/.../...").notes == (game, first), "the same by a symmetry"
    assert shown(service) == ["all of it"]
    assert note_text(game).endswith("on the game: all of it")
    client.remove_note(GAME, first.id, "x../.../...")
    assert shown(service, "x../.../...") == ["all of it"]
    with pytest.raises(InvalidRequestError, match="no note"):
        client.remove_note(GAME, game.id, "-")
    client.remove_note(GAME, game.id)
    assert shown(service) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""}, {"text": " \n "}, {"text": "x" * 1001}, {"text": "a\x1b[2J"}, {"text": "a\u202eb"},
        {"text": "\0"},
        {"text": "a", "author": "x" * 101}, {"text": "a", "author": "a\nb"},
    ],
)  # fmt: skip
def test_what_is_no_plain_text_is_refused(service: Service, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequestError):
        service.client.add_note(GAME, **wrong)
    assert shown(service) == []


def test_texts_of_all_scripts_are_kept(service: Service) -> None:
    for text in (
        "x" * 1000,
        "\U0001f469\u200d\U0001f52c",
        "\u0645\u06cc\u200c\u062e",
        "<script>alert(1)</script>",
        "日本語\n二",
    ):
        service.client.add_note(GAME, text=text)
        assert shown(service)[0] == text


def test_there_are_so_many_notes_at_most(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MOST_NOTES", 3)
    for number in range(3):
        service.client.add_note(GAME, text=str(number))
    with pytest.raises(LimitExceededError, match="remove one first"):
        service.client.add_note(GAME, text="one more")
    service.client.add_note(GAME, "5", text="elsewhere")
