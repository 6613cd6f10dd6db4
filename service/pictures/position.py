"""What is known of a position: its board, its value in words, its moves in a table."""

from __future__ import annotations

from collections.abc import Callable

from proofbase.service.answers import Claim, MoveAnswer, PositionAnswer, Source, Value
from proofbase.service.pictures.boards import Board, Target, board_svg
from proofbase.service.pictures.boards.board import CLASSES
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.estimates import estimate_text
from proofbase.service.words.evidence import evidence_text
from proofbase.service.words.game_words import GameWords, grouped_moves
from proofbase.service.words.values import OUTCOMES, is_built_in, outcome_of, result_text, value_text

__all__ = [
    "Link",
    "board_of",
    "claims_table",
    "move_link",
    "moves_table",
    "position_board",
    "position_facts",
    "rank_text",
    "side_text",
    "value_chip",
    "value_sign",
]

Link = Callable[[MoveAnswer], str | None]
"""Where a move leads to."""
_SIGNS = {1: "W", 0: "D", -1: "L"}
MOST_OPEN_ROWS = 20
"""More moves of unknown value than this have no rows of their own: they are listed."""


def no_link(move: MoveAnswer) -> None:
    """A board that is only looked at."""
    return


def value_sign(value: Value, highest: int) -> str:
    """A value in one to four characters: `W`, `D`, `L` or a number, with a sign for a bound, `?` for nothing known."""

    def one(number: int) -> str:
        return _SIGNS[number] if highest == 1 else f"{number:+d}" if number else "0"

    if value.exact:
        return one(value.lower)
    if value.lower_known:
        return f"≥{one(value.lower)}"
    return f"≤{one(value.upper)}" if value.upper_known else "?"


def value_chip(value: Value, highest: int, score: int = 0, words: str | None = None) -> Markup:
    """A value in words, coloured by the outcome of the whole game for the side that has it.

    Args:
        value: the value.
        highest: limit of the game's values.
        score: by how much the side is ahead so far.
        words: for the value, where they say more than itself.
    """
    return tag("span", words or value_text(value, highest), class_=f"value {CLASSES[outcome_of(value, score)]}")


def rank_text(rank: int | None) -> str:
    """Within how many plies a value is realised."""
    return "" if rank is None else f"{rank} {'ply' if rank == 1 else 'plies'}"


def side_text(side: int, game: str) -> str:
    """Who that is: `White`, `the first player`."""
    return GameWords.of(game, built_in_only=True).player(side)


def is_best(answer: PositionAnswer, move: MoveAnswer) -> bool:
    """Whether a move is known to be worth what the position is worth."""
    return answer.value.exact and move.known and move.value.lower == answer.value.lower


def board_of(answer: PositionAnswer, highest: int, *, last: str | None = None, link: Link = no_link) -> Board:
    """The board of an answer."""
    targets = tuple(
        Target(
            move=move.move,
            number=move.number,
            outcome=outcome_of(move.value, answer.score),
            words=value_text(move.value, highest) if move.value.anything_known else "not known",
            sign=value_sign(move.value, highest),
            best=is_best(answer, move),
            href=link(move),
        )
        for move in answer.moves
    )
    return Board(answer.game, answer.position, answer.side, targets, last, answer.board)


def position_board(
    answer: PositionAnswer, highest: int, *, last: str | None = None, link: Link = no_link, name: str = "board"
) -> Markup:
    """The board as SVG; each legal move is a link where `link` gives an address."""
    return board_svg(board_of(answer, highest, last=last, link=link), name=name)


def position_facts(answer: PositionAnswer, highest: int) -> list[tuple[str, Content]]:
    """What is known of the position, fact by fact with its name."""
    words = GameWords.of(answer.game, built_in_only=True)  # a user's own rules may take any time
    facts: list[tuple[str, Content]] = [("to move", words.player(answer.side))]
    if answer.terminal:
        facts[0] = ("to move", "nobody: the game is over")
    if answer.score:
        facts.append(("ahead by", f"{answer.score:+d}"))
    known = answer.value.anything_known
    said = words.of_position(answer) if words.players else None
    told = known or answer.no_win_within > 0
    facts.append(("value", value_chip(answer.value, highest, answer.score, said) if told else "not known"))
    if highest > 1 and known:
        outcome = OUTCOMES[outcome_of(answer.value, answer.score)]
        facts.append(("the game", result_text(answer.value, answer) if is_built_in(answer.game) else outcome))
    if answer.value.exact and answer.rank is not None and not answer.terminal and not words.players:
        facts.append(("decided within", rank_text(answer.rank)))
    if answer.witness is not None:
        facts.append(("best move", answer.witness))
    facts.extend(("open", estimate_text(estimate)) for estimate in answer.estimates)
    if answer.searched is not None:
        reason = answer.searched.unknown_reason
        ended = f", ended by its limit of {reason}" if reason else ""
        facts.append(("searched", f"{answer.searched.nodes:,} nodes, {answer.searched.algorithm}{ended}"))
    return facts


def move_link(move: MoveAnswer, link: Link) -> Markup:
    """A move as a link, or as its text."""
    href = link(move)
    return tag("span", move.move) if href is None else tag("a", move.move, href=href, class_="move")


def moves_table(
    answer: PositionAnswer, highest: int, *, link: Link = no_link, ask: Callable[[MoveAnswer], Markup | None] = no_link
) -> Markup:
    """The moves with their values, best first; many moves of unknown value are listed below the table.

    Args:
        answer: what is known.
        highest: limit of the game's values.
        link: where a move leads to.
        ask: what can be asked about a move of unknown value.

    Where the game's players have words of their own, the rows are in groups: winning, drawing, losing, not known.
    """
    if not answer.moves:
        return Markup()
    known = [move for move in answer.moves if move.value.anything_known]
    unknown = [move for move in answer.moves if move not in known]
    rows = list(answer.moves) if len(unknown) <= MOST_OPEN_ROWS else known
    words = GameWords.of(answer.game, built_in_only=True)

    def body(heading: str | None, moves: list[MoveAnswer]) -> Markup:
        above = tag("tr", tag("th", heading, colspan=3, scope="rowgroup"), class_="group") if heading else None
        return tag("tbody", above, *(_move_row(answer, move, highest, words, link, ask) for move in moves))

    heads = [tag("th", name, scope="col") for name in ("move", "value")]
    heads.append(tag("td") if words.players else tag("th", "decided within", scope="col"))
    groups = grouped_moves(rows) if words.players else []
    table = tag(
        "table",
        tag("caption", f"{len(answer.moves)} legal moves, best first"),
        tag("thead", tag("tr", *heads)),
        *([body(f"{group} ({len(found)})", found) for group, found in groups] or [body(None, rows)]),
        class_="moves",
    )
    if not rows:
        table = Markup()
    if len(unknown) <= MOST_OPEN_ROWS:
        return table
    links = joined(*(tag("li", move_link(move, link)) for move in unknown))
    listed = tag("ul", links, class_="open-moves")
    return joined(table, tag("p", f"{len(unknown)} moves of unknown value:"), listed)


def _move_row(
    answer: PositionAnswer,
    move: MoveAnswer,
    highest: int,
    words: GameWords,
    link: Link,
    ask: Callable[[MoveAnswer], Markup | None],
) -> Markup:
    best = tag("span", "best", class_="best") if is_best(answer, move) else None
    said = words.of_move(move) if words.players else None
    value = tag("span", "not known", class_="value open")
    if move.value.anything_known:
        value = value_chip(move.value, highest, answer.score, said)
    rank: Content = "the game is over" if move.terminal else ask(move) if not move.known else None
    if rank is None and not words.players:
        rank = rank_text(move.rank)
    return tag(
        "tr",
        tag("th", move_link(move, link), scope="row"),
        tag("td", value, " " if best else None, best),
        tag("td", rank),
    )


def claims_table(claims: tuple[Claim, ...], sources: tuple[Source, ...], highest: int) -> Markup:
    """The claims of a record: what each says, what it rests on, and where it came from."""
    texts = {source.number: source.text for source in sources}
    rows = []
    for claim in claims:
        bound = value_text(Value(claim.bound, claim.bound, True, True), highest)
        by = f"by the move {claim.witness}" if claim.witness else ""
        rests = {
            "children": by or "every move",
        }.get(claim.evidence) or "; ".join(part for part in (evidence_text(claim), by) if part)
        rows.append(
            tag(
                "tr",
                tag("th", f"{'at least' if claim.side == 'lower' else 'at most'} {bound}", scope="row"),
                tag("td", rank_text(claim.rank)),
                tag("td", rests),
                tag("td", "; ".join(texts.get(number, f"source {number}") for number in claim.sources)),
            )
        )
    heads = ("claim", "within", "rests on", "from")
    return tag(
        "table",
        tag("caption", "Claims of this position"),
        tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads))),
        tag("tbody", *rows),
        class_="claims",
    )
