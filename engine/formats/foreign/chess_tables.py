"""Endgame tables of chess programs, read by python-chess: Gaviota (mates) and Syzygy (who wins).

Syzygy tables know the fifty-move rule, and our chess has none: a win that this rule would end counts as a win.
"""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from proofbase.engine.formats.foreign.claim import ForeignClaim, ForeignFile, refused

if TYPE_CHECKING:
    import chess

__all__ = ["USUAL_SAMPLE", "read_gaviota", "read_syzygy"]

USUAL_SAMPLE = 1_000
"""Positions that are drawn where nobody says how many."""
TRIES = 1_000
"""Places of the men that are drawn for one position: most are legal, and in every class some are."""


class _Probed(NamedTuple):
    """What a table says of a position: who wins (1 the side to move), and in how many plies if it knows that."""

    value: int
    plies: int | None


def read_gaviota(file: Path, game: str, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """Values and plies to the mate of positions that are drawn from the Gaviota tables of a directory.

    Args:
        file: the directory, or one file `NAME.gtb.cp4` of it.
        game: `chess`.
        sample: so many positions in all, 1,000 without it; each table has its share.
        seed: the same seed draws the same positions.

    Raises:
        ModuleNotFoundError: python-chess is not installed.
        InvalidPositionError: no tables of this game, or a damaged one.
        OSError: they cannot be read.
    """
    import chess.gaviota

    if game != "chess":
        raise refused(str(file), f"Gaviota tables are of chess, and {game} is another game")
    names = _names(file, r"(k[qrbnp]*)(k[qrbnp]*)\.gtb\.cp4")
    for name, _, _ in names:
        _check_index(_directory(file) / name)
    with chess.gaviota.open_tablebase(str(_directory(file)), libgtb="") as tables:

        def probe(board: chess.Board) -> _Probed:
            plies = tables.probe_dtm(board)
            value = 1 if plies > 0 else -1 if plies < 0 or board.is_checkmate() else 0
            return _Probed(value, abs(plies) if value else None)

        return _sampled(file, names, chess.Board, game, probe, sample, seed)


def _check_index(file: Path) -> None:
    """Refuses a Gaviota file whose index is none: python-chess would read as much as it says.

    The file begins with ten numbers; the ninth says where the index ends. It has the places of the blocks of both
    sides, and of the end.
    """
    from chess.gaviota import EGKEY, ENTRIES_PER_BLOCK

    table = EGKEY.get(file.name.partition(".")[0])
    if table is None:
        raise refused(file.name, "there is no such table")
    count = 2 * -(-table.maxindex // ENTRIES_PER_BLOCK) + 1
    with file.open("rb") as data:
        head = data.read(40 + 4 * count)
    places = struct.unpack_from(f"<{count}I", head, 40) if len(head) == 40 + 4 * count else ()
    first = struct.unpack_from("<I", head, 32)[0] if places else 0
    whole = places and len(head) <= first <= places[0] and places[-1] <= file.stat().st_size
    if not whole or any(after <= before for before, after in pairwise(places)):
        raise refused(file.name, "the table is damaged: its index is that of another file")


def read_syzygy(file: Path, game: str, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """Values of positions that are drawn from the Syzygy tables of a directory.

    Args:
        file: the directory, or one file `NAME.rtbw` of it (`NAME.gtbw` for `giveaway:antichess`).
        game: `chess` or `giveaway:antichess`.
        sample, seed: as for `read_gaviota`.

    Raises:
        ModuleNotFoundError, InvalidPositionError, OSError: as of `read_gaviota`.
    """
    import chess.syzygy
    import chess.variant

    boards: dict[str, tuple[type[chess.Board], str]] = {
        "chess": (chess.Board, "rtbw"),
        "giveaway:antichess": (chess.variant.AntichessBoard, "gtbw"),
    }
    if game not in boards:
        raise refused(str(file), f"Syzygy tables are of chess and giveaway:antichess, and {game} is another game")
    kind, suffix = boards[game]
    names = _names(file, rf"([KQRBNP]+)v([KQRBNP]+)\.{suffix}")
    with chess.syzygy.open_tablebase(str(_directory(file)), VariantBoard=kind) as tables:

        def probe(board: chess.Board) -> _Probed:
            value = tables.probe_wdl(board)
            return _Probed((value > 0) - (value < 0), None)

        return _sampled(file, names, kind, game, probe, sample, seed)


def _directory(file: Path) -> Path:
    return file if file.is_dir() else file.parent


def _names(file: Path, pattern: str) -> list[tuple[str, str, str]]:
    """Name, larger and smaller side of each table."""
    files = sorted(entry.name for entry in file.iterdir()) if file.is_dir() else [file.name]
    if not file.exists():
        raise FileNotFoundError(f"{file}: there is no such file or directory")
    tables = [(name, match[1], match[2]) for name in files if (match := re.fullmatch(pattern, name))]
    if not tables:
        raise refused(str(file), f"no tables: their names are like {pattern.split('.', 1)[1].replace(chr(92), '')}")
    return tables


def _sampled(
    file: Path,
    names: list[tuple[str, str, str]],
    kind: type[chess.Board],
    game: str,
    probe: Callable[[chess.Board], _Probed],
    sample: int | None,
    seed: int,
) -> ForeignFile:
    """Claims of positions of all tables, as many of each."""
    sample = USUAL_SAMPLE if sample is None else sample
    claims = list[ForeignClaim]()
    missing = 0
    for number, (name, larger, smaller) in enumerate(names):
        share = sample * (number + 1) // len(names) - sample * number // len(names)
        for board in _positions(kind, larger, smaller, share, random.Random(f"{seed} {name}")):
            fen = board.fen(en_passant="legal")
            place = f"{name} {' '.join(fen.split()[:2])}"
            try:
                value, plies = probe(board)
            except KeyError:
                missing += 1  # of a table to which a capture or a promotion leads
                continue
            except OSError:
                raise
            except Exception as error:
                raise refused(f"{file}: {name}", f"the table is damaged ({type(error).__name__}: {error})") from None
            claims.append(ForeignClaim(fen, value, value, place, None, plies, shortest=True))
    remarks = (f"{missing:,} positions are left out: they need tables that are not there",) if missing else ()
    return ForeignFile(game, len(claims), claims, remarks)


def _positions(
    kind: type[chess.Board], larger: str, smaller: str, count: int, drawing: random.Random
) -> Iterator[chess.Board]:
    """Different legal positions with these men, either of which sides may be White; fewer where few are drawn."""
    import chess

    seen = set[str]()
    for _ in range(count * TRIES):
        if len(seen) == count:
            return
        board = kind(None)
        white, black = (larger, smaller) if drawing.random() < 0.5 else (smaller, larger)
        squares = drawing.sample(range(64), len(larger) + len(smaller))
        for square, (letter, color) in zip(
            squares, [(letter, True) for letter in white] + [(letter, False) for letter in black], strict=True
        ):
            board.set_piece_at(square, chess.Piece.from_symbol(letter.upper() if color else letter.lower()))
        board.turn = drawing.random() < 0.5
        if board.is_valid() and board.fen() not in seen:
            seen.add(board.fen())
            yield board
