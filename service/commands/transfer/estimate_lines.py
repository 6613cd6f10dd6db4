"""Estimates as JSON lines: an object a line, with the game, the position and its key, and the estimate itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any

from proofbase.engine.errors import quoted
from proofbase.engine.rules import Game
from proofbase.service.answers import ImportResult
from proofbase.service.commands.transfer.import_formats import LONGEST_LINE, open_game, read_object
from proofbase.service.resources import Resources
from proofbase.storage import Estimate, MalformedRecordError, RulesVersionError, SolutionStore

__all__ = ["estimate_lines", "holds_estimates", "import_estimates"]

AT_ONCE = 5_000
_NUMBERS = {"at_least", "proof", "disproof", "nodes"}
_FIELDS = _NUMBERS | {"updated", "algorithm", "job"}


def estimate_lines(store: SolutionStore, game: Game[Any], key: bytes | None) -> Iterator[bytes]:
    """The lines of all estimates of a game, or of those of one position."""
    estimates = store.estimates()
    stored: Iterable[Estimate] = estimates.scan(game.name) if key is None else estimates.of_position(game.name, key)
    for estimate in stored:
        entry = {
            "game": game.name,
            "rules_version": game.rules_version,
            "key": estimate.key.hex(),
            "position": game.text(game.position(estimate.key)),
            "estimate": {
                "at_least": estimate.bound,
                "proof": estimate.proof,
                "disproof": estimate.disproof,
                "nodes": estimate.work,
                "updated": estimate.updated,
                "algorithm": estimate.algorithm,
                "job": estimate.job,
            },
        }
        yield json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def holds_estimates(file: IO[bytes]) -> bool:
    """Whether the first line is one of an estimate. The file is read from its start afterwards."""
    line = file.readline(LONGEST_LINE + 1)
    file.seek(0)
    try:
        return "estimate" in json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return False


def import_estimates(resources: Resources, file: IO[bytes]) -> ImportResult:
    """Puts the estimates of a file into the store; all of them are read and checked before the first one is stored.

    Of one question the estimate of more work stays.

    Raises:
        MalformedRecordError: a line is none of an estimate.
        RulesNotLoadedError: of a game that is not known here.
        RulesVersionError: of another version of the game's rules.
    """
    name = read_object(file.readline(LONGEST_LINE + 1), 1).get("game")
    if not isinstance(name, str):
        raise MalformedRecordError("line 1 names no game")
    game = open_game(resources.games, name)
    for _ in _read(file, game):
        pass
    estimates = resources.store.estimates()
    read = added = changed = 0
    entries = _read(file, game)
    while batch := list(islice(entries, AT_ONCE)):
        before = estimates.get_many(game.name, [entry.question for entry in batch])
        new = {entry.question for entry, known in zip(batch, before, strict=True) if known is None}
        changed += estimates.put_many(game.name, batch, rules_version=game.rules_version)
        read, added = read + len(batch), added + len(new)
    return ImportResult(game.name, read, added, changed - added, read - changed)


def _read(file: IO[bytes], game: Game[Any]) -> Iterator[Estimate]:
    file.seek(0)
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        entry = read_object(line, number)
        try:
            yield _estimate(game, entry)
        except KeyError as error:
            raise MalformedRecordError(f"line {number}: the field {error} is missing") from None
        except RulesVersionError:
            raise
        except (ValueError, TypeError, AttributeError) as error:
            raise MalformedRecordError(f"line {number}: {error}") from None


def _estimate(game: Game[Any], entry: dict[str, Any]) -> Estimate:
    unknown = sorted(set(entry) - {"game", "rules_version", "key", "position", "estimate"})
    fields = entry["estimate"]
    unknown += sorted(set(fields) - _FIELDS)
    if unknown:
        raise ValueError(f"unknown field {quoted(unknown[0])}")
    if entry["game"] != game.name:
        raise ValueError(f"game {quoted(str(entry['game']))} after {game.name}: one game a file")
    if entry.get("rules_version", game.rules_version) != game.rules_version:
        raise RulesVersionError(game.name, game.rules_version, entry["rules_version"])
    for name in sorted(_NUMBERS):
        if type(fields[name]) is not int:
            raise ValueError(f"{name} is not a whole number")
    key = bytes.fromhex(entry["key"])
    if game.key(game.position(key)) != key:
        raise ValueError("the key is not the canonical one of its position")
    if "position" in entry and game.key(game.parse(entry["position"])) != key:
        raise ValueError(f"the position {quoted(entry['position'])} has another key")
    bound = fields["at_least"]
    if not -game.highest_value < bound <= game.highest_value:
        raise ValueError(f"at least {bound} is no question about {game.name}")
    texts = (str(fields.get("algorithm", "")), str(fields.get("job", "")))
    return Estimate(key, bound, fields["proof"], fields["disproof"], fields["nodes"], float(fields["updated"]), *texts)
