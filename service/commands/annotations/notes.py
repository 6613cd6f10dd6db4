"""Notes on positions and games."""

from __future__ import annotations

import time

from proofbase.engine.rules import Game
from proofbase.service.answers.annotations import Note
from proofbase.service.commands.annotations.texts import TEXT_CHARACTERS, check_keeps, plain_text
from proofbase.service.errors import InvalidRequestError, LimitExceededError, RoleLackingError
from proofbase.service.jobs.model import new_job_id
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources
from proofbase.service.resources.annotations import body_of
from proofbase.storage import Annotation

__all__ = ["add_note", "remove_note"]

MOST_NOTES = 50
"""On one position, and on a game as a whole."""
AUTHOR_CHARACTERS = 100


def add_note(
    resources: Resources, game_name: str, where: Where = None, *, text: str, author: str | None = None
) -> Note:
    """Adds a note.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: the position; None: the note is on the game as a whole.
        text: plain text, 1 to 1000 characters.
        author: who says it, at most 100 characters; None: `anonymous`.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: a text that is empty, too long, or not plain.
        LimitExceededError: there are as many notes as there may be.
        StoreReadOnlyError: the store keeps none.
    """
    game = resources.games.open(game_name)
    key = _key(game, where)
    said = plain_text("text", text, TEXT_CHARACTERS)
    name = plain_text("author", author, AUTHOR_CHARACTERS) if author else "anonymous"
    if "\n" in name:
        raise InvalidRequestError("an author of several lines", field="author")
    check_keeps(resources.store)
    annotations, now = resources.store.annotations(), time.time()
    if sum(entry.kind == "note" for entry in annotations.of_keys(game.name, [key])) >= MOST_NOTES:
        raise LimitExceededError(
            f"there are {MOST_NOTES} notes already: remove one first", limit="notes", largest=MOST_NOTES
        )
    note = Note(new_job_id(now), now, name, said, of_game=not key)
    annotations.put(Annotation(note.id, "note", game.name, key, now, body_of(note)))
    return note


def remove_note(
    resources: Resources, game_name: str, note_id: str, where: Where = None, *, only_of: str | None = None
) -> None:
    """Removes a note.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        note_id: its id.
        where: as in `add_note`.
        only_of: who removes it, and may remove his own notes only; None: any.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: there is no such note.
        RoleLackingError: it is somebody else's.
        StoreReadOnlyError: the store can only be read.
    """
    game = resources.games.open(game_name)
    key = _key(game, where)
    check_keeps(resources.store)
    annotations = resources.store.annotations()
    for entry in annotations.of_keys(game.name, [key]):
        if entry.kind == "note" and entry.id == note_id:
            author = entry.body.get("author")
            if only_of is not None and author != only_of:
                raise RoleLackingError(f"the note {note_id} is by {author}: that needs the role admin", role="admin")
            annotations.drop(game.name, key, note_id)
            return
    raise InvalidRequestError(f"there is no note {note_id} there", field="id")


def _key(game: Game[object], where: Where) -> bytes:
    return b"" if where is None else game.key(find_position(game, where))
