"""The formats of files to import: certificates and JSON lines. A file has one game, and can be read several times."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, assert_never

from proofbase.engine.checking.certificate import CertificateReader, check_header, check_seal, items_by_rules
from proofbase.engine.errors import (
    InvalidParametersError,
    MalformedRecordError,
    RulesNotLoadedError,
    UnknownGameError,
    quoted,
)
from proofbase.engine.games import canonical_alias
from proofbase.engine.rules import Game
from proofbase.service.commands.transfer.fingerprints import FileFingerprint, is_fingerprint
from proofbase.service.resources.games import GameCache
from proofbase.storage import (
    Claim,
    Evidence,
    Record,
    RulesVersionError,
    Side,
    encode_record,
    line_payload,
    search_payload,
    table_payload,
)

__all__ = ["LONGEST_LINE", "Item", "RecordFile", "open_certificate", "open_game", "open_json_lines", "read_object"]

Item = tuple[bytes, bytes]
"""A key and an encoded record."""
LONGEST_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of records of one game.

    Attributes:
        game: the game.
        root: text of a certificate's root position, None for other formats.
        items: reads the (key, record) items from the start, each time it is called.
        fingerprint: what the file says of its records, and what was read.
    """

    game: Game[Any]
    root: str | None
    items: Callable[[], Iterator[Item]]
    fingerprint: FileFingerprint


def open_certificate(file: IO[bytes], games: GameCache) -> RecordFile:
    """A certificate, whole and unchanged (its seal is checked here).

    Raises:
        MalformedCertificateError: it is not, or its header does not agree with the rules. What the header says of a
            root without a record is compared at the end of the items.
        RulesNotLoadedError: of a game that is not known here.
        RulesVersionError: of another version of the game's rules.
    """
    check_seal(file)
    file.seek(0)
    header = CertificateReader(file).header
    game = open_game(games, header.game)
    if header.rules_version != game.rules_version:
        raise RulesVersionError(game.name, game.rules_version, header.rules_version)
    check_header(header, game)

    def items() -> Iterator[Item]:
        file.seek(0)
        return added.counted(items_by_rules(file, game))

    added = FileFingerprint(game.name)
    added.stated = header.fingerprint
    return RecordFile(game, header.root, items, added)


def open_json_lines(file: IO[bytes], games: GameCache) -> RecordFile:
    """JSON lines as an export writes them, one record a line, all of one game.

    Raises:
        MalformedRecordError: the first line is no record.
        RulesNotLoadedError: of a game that is not known here.
        RulesVersionError: of another version of the game's rules.
    """
    first = read_object(file.readline(LONGEST_LINE + 1), 1)
    name = first.get("game")
    if not isinstance(name, str):
        raise MalformedRecordError("line 1 names no game")
    game = open_game(games, name)

    def lines() -> Iterator[Item]:
        file.seek(0)
        number, ended = 0, False
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            entry = read_object(line, number)
            if ended:
                raise MalformedRecordError(f"line {number} comes after the one with the fingerprint, which is the last")
            if "fingerprint" in entry:
                stated, ended = entry.pop("fingerprint"), True
                if not is_fingerprint(stated):
                    raise MalformedRecordError(f"line {number}: the fingerprint is not 16 hexadecimal digits")
                added.stated = stated
            yield _read_item(game, entry, number)

    added = FileFingerprint(game.name)
    return RecordFile(game, None, lambda: added.counted(lines()), added)


def open_game(games: GameCache, name: str) -> Game[Any]:
    """The game that a file is of.

    Raises:
        RulesNotLoadedError: it is not known here.
    """
    if canonical_alias(name) != name:
        raise RulesNotLoadedError(f"nothing was checked or imported: the file is of an unknown game {quoted(name)}")
    try:
        return games.open(name)
    except InvalidParametersError:
        raise
    except UnknownGameError as error:
        raise RulesNotLoadedError(f"nothing was checked or imported: the file is of an {error}") from None


def read_object(line: bytes, number: int) -> dict[str, Any]:
    """The JSON object of a line.

    Raises:
        MalformedRecordError: it is none.
    """
    if not line:
        raise MalformedRecordError("the file is empty")
    if len(line) > LONGEST_LINE:
        raise MalformedRecordError(f"line {number} is longer than {LONGEST_LINE} bytes")
    try:
        entry = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise MalformedRecordError(f"line {number} is not JSON in UTF-8: {error}") from None
    if not isinstance(entry, dict):
        raise MalformedRecordError(f"line {number} is not a JSON object")
    return entry


def _read_item(game: Game[Any], entry: dict[str, Any], number: int) -> Item:
    known = {"game", "rules_version", "key", "position", "value", "claims"}
    unknown = sorted(set(entry) - known)
    try:
        if unknown:
            raise ValueError(f"unknown field {quoted(unknown[0])}")
        if entry["game"] != game.name:
            raise ValueError(f"game {quoted(str(entry['game']))} after {game.name}: one game a file")
        key = bytes.fromhex(entry["key"])
        if "position" in entry and game.key(game.parse(entry["position"])) != key:
            raise ValueError(f"the position {quoted(entry['position'])} has another key")
        record = encode_record(Record.of([_read_claim(claim) for claim in entry["claims"]]))
    except KeyError as error:
        raise MalformedRecordError(f"line {number}: the field {error} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise MalformedRecordError(f"line {number}: {error}") from None
    if entry.get("rules_version", game.rules_version) != game.rules_version:
        raise RulesVersionError(game.name, game.rules_version, entry["rules_version"])
    return key, record


_FIELDS = {
    "side",
    "bound",
    "rank",
    "evidence",
    "witness",
    "table",
    "line",
    "nodes",
    "threats",
    "strategy",
    "pairing",
    "source",
}


def _read_claim(entry: dict[str, Any]) -> Claim:
    unknown = sorted(set(entry) - _FIELDS)
    if unknown:
        raise ValueError(f"unknown field {quoted(unknown[0])} of a claim")
    for name in ("bound", "rank", "witness", "nodes"):
        if name in entry and type(entry[name]) is not int:
            raise ValueError(f"{name} is not a whole number")
    try:
        side, evidence = Side[entry["side"].upper()], Evidence[entry["evidence"].upper()]
    except KeyError as error:
        raise ValueError(f"unknown or missing: {error}") from None
    match evidence:
        case Evidence.CHILDREN:
            payload = b""
        case Evidence.TABLE:
            payload = table_payload(entry["table"])
        case Evidence.LINE:
            payload = line_payload(entry["line"])
        case Evidence.SEARCH | Evidence.SEARCH_TO_LIMITS:
            payload = search_payload(entry["nodes"])
        case Evidence.THREATS | Evidence.STRATEGY | Evidence.PAIRING:
            payload = bytes.fromhex(entry[evidence.name.lower()])
        case _:
            assert_never(evidence)
    return Claim(side, entry["bound"], entry["rank"], evidence, entry.get("witness"), payload)
