"""Lines and proofs as files of other programs: `line --sgf`, `line --pgn`, `tree --pdn`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.engine.formats.game_files import FORMATS, Branch
from proofbase.engine.formats.notation import read_line, read_moves
from proofbase.engine.games import open_game
from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.words.evidence import evidence_text
from proofbase.service.words.game_words import GameWords

if TYPE_CHECKING:
    from proofbase.engine.rules import Game
    from proofbase.service.answers import Line, PositionAnswer, Proof, ProofNode

__all__ = ["chosen_format", "line_in_format", "tree_in_format"]


def chosen_format(game: str, *, json: bool, **asked: bool) -> str | None:
    """The format that was asked for, by its name; None for none.

    Raises:
        UsageError: two of them, or one that is not for this game.
    """
    chosen = [name for name, wanted in asked.items() if wanted]
    exclusive = [*chosen, *(["json"] if json else [])]
    if chosen and len(exclusive) > 1:
        raise UsageError(f"{' and '.join(f'--{name}' for name in exclusive)} exclude each other")
    for name in chosen:
        form = FORMATS[name]
        if not form.takes(game):
            raise UsageError(
                f"--{name} is for {' and '.join(form.families)}: games of {game} are not written as {form.name}"
            )
    return chosen[0] if chosen else None


def line_in_format(form: str, found: Line, position: str, answer: PositionAnswer) -> str:
    """The moves that led to the position, where it was given by moves, and the line.

    Args:
        form: the format.
        found: the line.
        position: as it was given.
        answer: what is known of the position.
    """
    rules = open_game(found.game, "python")
    start, moves, last = read_line(rules, position)
    further, _ = read_moves(rules, last, " ".join(step.move for step in found.steps))
    below: list[Branch] = []
    for move in reversed(further):
        below = [Branch(move, replies=below)]
    return FORMATS[form].write(rules, start, moves, below, _value_of(answer))


def tree_in_format(form: str, proof: Proof, position: str, answer: PositionAnswer) -> str:
    """The moves that led to the position, where it was given by moves, and the proof as variations.

    Of two proofs, of a lower and of an upper bound, the first one. Of the replies the one with the longest resistance
    is in the main line.
    """
    rules = open_game(proof.game, "python")
    start, moves, last = read_line(rules, position)
    roots = [node for node in proof.nodes if node.number == node.parent]
    if len(roots) > 1:
        screen.note(f"the proof of the {roots[0].claim.side} bound; --side {roots[1].claim.side} has the other one")
    below = _branches(rules, last, proof, roots[0]) if roots else []
    if proof.cut is not None:
        screen.note(f"cut: {proof.cut.message}")
    return FORMATS[form].write(rules, start, moves, below, _value_of(answer))


def _value_of(answer: PositionAnswer) -> str:
    """The value of the position in words, for a remark."""
    words = GameWords.of(answer.game)
    return f"{words.side(answer.side)} to move: {words.of_position(answer)}"


def _branches(rules: Game[Any], position: Any, proof: Proof, root: ProofNode) -> list[Branch]:
    """The nodes below a root of a proof as branches."""
    below: dict[int, list[Branch]] = {root.number: []}
    positions = {root.number: position}
    paths = {root.number: list[str]()}
    ranks: dict[int, int] = {}
    for node in proof.nodes[root.number + 1 :]:
        if node.parent not in positions or node.move is None:
            break  # the proof of the other bound begins
        before = positions[node.parent]
        move = rules.parse_move(before, node.move)
        positions[node.number] = rules.play(before, move)
        paths[node.number] = [*paths[node.parent], node.move]
        branch = Branch(move, _remark(node, paths))
        ranks[id(branch)] = node.claim.rank or 0
        below[node.parent].append(branch)
        below[node.number] = branch.replies
    for replies in below.values():
        replies.sort(key=lambda branch: -ranks[id(branch)])
    return below[root.number]


def _remark(node: ProofNode, paths: dict[int, list[str]]) -> str:
    """Why nothing follows a node, where that is not to be seen."""
    if node.kind == "repeated":
        return f"goes on as after {' '.join(paths.get(node.same_as, [])) or 'the first position'}"
    return {
        "leaf": evidence_text(node.claim) + ("" if node.claim.rank is None else f" within {node.claim.rank} plies"),
        "cut": "not expanded",
        "missing": "not in the store",
        "range": "the limit of the game's values",
    }.get(node.kind, "")
