"""What `proofbase stats --by-ply` prints: the solution of a position, counted ply by ply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.engine.checking.by_ply import count_by_ply
from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.games import open_game
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.words.game_words import GameWords

if TYPE_CHECKING:
    from proofbase.engine.checking.by_ply import SolutionByPly
    from proofbase.service.client.contract import Service

__all__ = ["print_by_ply"]


def print_by_ply(client: Service, game_name: str, position: str, *, json: bool) -> ExitStatus:
    """Counts the certificate of a position and prints it. Exit status 1: nothing is known of the position."""
    reader = CertificateReader(client.export(game_name, position))
    game: Any = open_game(reader.header.game)
    root = game.parse(reader.header.root)
    counted = count_by_ply(game, root, dict(reader))
    lines = [_texts(game, root, solution.deepest) for solution in counted]
    if json:
        bounds = [_document(solution, line) for solution, line in zip(counted, lines, strict=True)]
        documents.print_document({"game": game.name, "position": reader.header.root, "bounds": bounds})
    elif not counted:
        screen.say("nothing is stored of this position")
    else:
        words = GameWords.of(game.name)
        for solution, line in zip(counted, lines, strict=True):
            sign = ">=" if solution.side == "lower" else "<="
            screen.say(f"value {sign} {solution.bound}, rank {solution.rank:,}")
            columns = ("ply", "positions", "moves", "strategic", "settled")
            cells = [[f"{number:,}" for number in counts] for counts in solution.plies]
            cells.append(["total", *(f"{number:,}" for number in solution.total[1:])])
            screen.print_table(columns, cells, right=columns)
            screen.say(f"deepest line  {words.line(line, game.side(root)) or 'none'}\n")
        screen.say("moves: of the side that the bound favours; strategic: not forced by a threat to end the game")
        screen.say("settled: by a line, threats, a table or a small search, with nothing stored below")
    return ExitStatus.POSITIVE if counted else ExitStatus.NEGATIVE


def _texts(game: Any, root: Any, moves: tuple[int, ...]) -> list[str]:
    texts, position = [], root
    for move in moves:
        texts.append(game.move_text(position, move))
        position = game.play(position, move)
    return texts


def _document(solution: SolutionByPly, line: list[str]) -> dict[str, Any]:
    return {
        "side": solution.side,
        "bound": solution.bound,
        "rank": solution.rank,
        "plies": [counts._asdict() for counts in solution.plies],
        "deepest": line,
    }
