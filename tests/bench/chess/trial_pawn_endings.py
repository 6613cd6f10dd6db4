"""The 20 pawn endings by programs of others: the rules of python-chess check every record, and an engine is asked.

    python tests/bench/chess/trial_pawn_endings.py [--engine stockfish] [--seconds 10] [--without-records]

Each ending is solved, and its records are exported. `OtherCheck` makes the local check (docs/fact-model.md) by the
moves, checks and ends of python-chess: of ours are only the claims, and by the theorem they are true if all pass. An
engine (any that speaks UCI, such as Stockfish) says for each ending who is better, searched for some seconds: a mate or
three pawns and more are a win, less than half a pawn is a draw, all between says nothing. Exit status 1: a record
fails, or the engine says another result.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import chess
import chess.engine
from pawn_endings import ENDINGS

from proofbase.service.client import Budget, Client, connect

WIN, DRAW = 300, 50
"""Hundredths of a pawn: at least, and at most."""
NO_MATE = 100_000


def end_value(board: chess.Board) -> int | None:
    """What the game is worth for the side to move where it is over; draws by repetition and count are no ends here."""
    if any(board.generate_legal_moves()):
        return None
    return -1 if board.is_check() else 0


def name_of(board: chess.Board) -> str:
    """The same for all positions that colours and, without rights to castle, left and right make alike."""
    board = board if board.turn == chess.WHITE else board.mirror()
    names = [board.fen(en_passant="legal")]
    if not board.castling_rights:
        names.append(board.transform(chess.flip_horizontal).fen(en_passant="legal"))
    return min(name.rsplit(" ", 2)[0] for name in names)


def children(board: chess.Board) -> Iterator[tuple[chess.Move, chess.Board]]:
    """The legal moves, each with the position after it."""
    for move in board.generate_legal_moves():
        child = board.copy(stack=False)
        child.push(move)
        yield move, child


class OtherCheck:
    """The local check of exported records of chess by the rules of python-chess.

    Args:
        rows: lines of an export as JSON lines.
    """

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows
        self._claims = {name_of(chess.Board(row["position"])): row["claims"] for row in rows}

    def __len__(self) -> int:
        return len(self._rows)

    def failing(self) -> list[str]:
        """The claims that fail, with their positions."""
        return [f"{row['position']}: {claim}" for row in self._rows for claim in self.failing_of(row)]

    def failing_of(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        """The claims of one of the records that fail."""
        board = chess.Board(row["position"])
        sound = board.is_valid() and end_value(board) is None
        return [claim for claim in row["claims"] if not (sound and self._passes(board, claim))]

    def bounds(self, fen: str) -> tuple[int, int]:
        """The tightest bounds that the records give a position, for the side to move."""
        claims = self._claims.get(name_of(chess.Board(fen)), [])
        lower = max((claim["bound"] for claim in claims if claim["side"] == "lower"), default=-1)
        return lower, min((claim["bound"] for claim in claims if claim["side"] == "upper"), default=1)

    def _passes(self, board: chess.Board, claim: dict[str, Any]) -> bool:
        bound, rank, is_lower = claim["bound"], claim["rank"], claim["side"] == "lower"
        safe = bound <= 0 if is_lower else bound >= 0
        by_search = claim["evidence"] == "search"  # then of a win or of a loss: other bounds have the rank 0
        if (
            (rank != 0 if safe else rank == 0)
            or (by_search and safe)
            or claim["evidence"] not in ("children", "search")
        ):
            return False
        below = None if safe else rank
        if not is_lower and by_search:
            return is_mated(board, rank)
        if not is_lower:
            return all(self._is_at_least(child, -bound, below) for _, child in children(board))
        start, target, becomes = claim["witness"] & 63, claim["witness"] >> 6 & 63, claim["witness"] >> 12
        witness = chess.Move(start, target, becomes + 1 if becomes else None)
        for move, child in children(board):
            if move == witness:
                return is_mated(child, rank - 1) if by_search else self._is_at_most(child, -bound, below)
        return False

    def _is_at_most(self, board: chess.Board, bound: int, below: int | None) -> bool:
        return self._is_known(board, "upper", lambda found: found <= bound, below)

    def _is_at_least(self, board: chess.Board, bound: int, below: int | None) -> bool:
        return self._is_known(board, "lower", lambda found: found >= bound, below)

    def _is_known(self, board: chess.Board, side: str, enough: Any, below: int | None) -> bool:
        value = end_value(board)
        if value is not None:
            return bool(enough(value)) and (below is None or below > 0)
        if enough(1 if side == "upper" else -1):
            return below is None or below > 0
        claims = self._claims.get(name_of(board), [])
        return any(
            claim["side"] == side and enough(claim["bound"]) and (below is None or claim["rank"] < below)
            for claim in claims
        )


def mates(board: chess.Board, plies: int) -> bool:
    """Whether the side to move mates within so many plies, by a search of all moves."""
    for move in board.generate_legal_moves():
        if plies > 1 or board.gives_check(move):
            board.push(move)
            mated = is_mated(board, plies - 1)
            board.pop()
            if mated:
                return True
    return False


def is_mated(board: chess.Board, plies: int) -> bool:
    """Whether the side to move is mated within so many plies, by a search of all moves."""
    value = end_value(board)
    if value is not None or plies < 2:
        return value == -1
    for move in board.generate_legal_moves():
        board.push(move)
        mate = mates(board, plies - 1)
        board.pop()
        if not mate:
            return False
    return True


def exported(client: Client, fen: str) -> list[dict[str, Any]]:
    """All records below a position."""
    with client.export("chess", fen, form="jsonl") as chunks:
        lines = b"".join(chunks).decode().splitlines()
    return [json.loads(line) for line in lines]


def verdict_of(score: chess.engine.Score) -> int | None:
    """1, 0 or -1 for the side to move; None where the score says nothing."""
    worth = score.score(mate_score=NO_MATE)
    assert worth is not None
    if abs(worth) >= WIN:
        return 1 if worth > 0 else -1
    return 0 if abs(worth) <= DRAW else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", help="the command of an engine; without it none is asked")
    parser.add_argument("--seconds", type=float, default=10, help="of the engine for each ending")
    parser.add_argument("--without-records", action="store_true", help="ask the engine only")
    arguments = parser.parse_args()
    engine = None
    if arguments.engine is not None:
        command = shutil.which(arguments.engine)
        if command is None:
            parser.error(f"there is no command {arguments.engine}")
        engine = chess.engine.SimpleEngine.popen_uci(command)
    failed = unclear = 0
    print("| ending | value | records | in error | engine | depth | says |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for ending in ENDINGS:
        records, broken = "", ""
        if not arguments.without_records:
            with connect("memory:") as client:
                client.solve("chess", ending.fen, budget=Budget(nodes=20_000_000))
                check = OtherCheck(exported(client, ending.fen))
            wrong = check.failing()
            if check.bounds(ending.fen) != (ending.value, ending.value):
                wrong.append(f"the records give {check.bounds(ending.fen)}")
            for text in wrong[:5]:
                print(text, file=sys.stderr)
            failed += len(wrong)
            records, broken = f"{len(check):,}", f"{len(wrong)}"
        score, depth, says = "", "", ""
        if engine is not None:
            found = engine.analyse(chess.Board(ending.fen), chess.engine.Limit(time=arguments.seconds))
            verdict = verdict_of(found["score"].relative)
            score, depth = str(found["score"].relative), f"{found['depth']}"
            says = "nothing" if verdict is None else "the same" if verdict == ending.value else "ANOTHER RESULT"
            failed += says == "ANOTHER RESULT"
            unclear += verdict is None
        short = ending.fen.removesuffix(" - - 0 1")
        print(f"| `{short}` | {ending.value} | {records} | {broken} | {score} | {depth} | {says} |", flush=True)
    if engine is not None:
        engine.quit()
    print(f"{len(ENDINGS)} endings, {failed} wrong, {unclear} of which the engine says nothing")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
