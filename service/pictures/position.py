"""What is known of a position: its board, its value in words, its moves in a table."""

from __future__ import annotations

from collections.abc import Callable

from proofbase.service.answers import Claim, MoveAnswer, PositionAnswer, Source, Value
from proofbase.service.pictures.boards import Board, Target, board_svg, has_board, side_text
from proofbase.service.pictures.boards.board import CLASSES, Squares
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.pictures.sentences import best_moves
from proofbase.service.pictures.symmetric_moves import symmetric_moves
from proofbase.service.words.amounts import amount
from proofbase.service.words.estimates import estimate_text
from proofbase.service.words.evidence import evidence_text, pairing_words, strategy_words
from proofbase.service.words.game_words import GameWords, grouped_moves
from proofbase.service.words.values import OUTCOMES, is_built_in, outcome_of, result_text, value_text
from proofbase.service.words.verifications import package_text, verification_text

__all__ = [
    "Link",
    "board_of",
    "claims_table",
    "move_link",
    "moves_table",
    "only_text",
    "package_note",
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
MOST_ASKED = 20
"""Moves of unknown value up to which each has a link that asks about it."""


def no_link(move: MoveAnswer) -> None:
    """A board that is only looked at."""
    return


def value_sign(value: Value, highest: int, rank: int | None = None, *, mates: bool = False) -> str:
    """A value in one to five characters.

    Args:
        value: the value.
        highest: limit of the game's values; 1: values are letters.
        rank: plies within which it is realised.
        mates: whether the game's players count moves to the mate.

    Returns:
        `W`, `D`, `L` or a number; `W17` and `L8` with the plies; `#3`, `-#2` for mates; a sign before a bound; `?`
        where nothing is known.
    """

    def one(number: int) -> str:
        return _SIGNS[number] if highest == 1 else f"{number:+d}" if number else "0"

    if value.exact:
        if highest == 1 and value.lower and rank:
            return f"{'' if value.lower > 0 else '-'}#{(rank + 1) // 2}" if mates else f"{one(value.lower)}{rank}"
        return one(value.lower)
    if value.lower_known:
        return f"≥{one(value.lower)}"
    return f"≤{one(value.upper)}" if value.upper_known else "?"


def move_sign(move: MoveAnswer, highest: int, words: GameWords) -> str:
    """The value of a move with its distance, as a board shows it."""
    mates = words.players is not None and words.players.win == "mate"
    return value_sign(move.value, highest, move.rank if move.known else None, mates=mates)


def move_grade(answer: PositionAnswer, move: MoveAnswer) -> int:
    """How good a move is among those of the same outcome: 0 for the best ones, 2 for the worst."""
    if not move.known:
        return 0
    alike = [other for other in answer.moves if other.known and _sign(other) == _sign(move)]
    goods = [_goodness(other) for other in alike]
    span = max(goods) - min(goods)
    return min(2, int(3 * (max(goods) - _goodness(move)) / span)) if span else 0


def _sign(move: MoveAnswer) -> int:
    return (move.value.lower > 0) - (move.value.lower < 0)


def _goodness(move: MoveAnswer) -> int:
    """A larger gain, a quicker win and a slower loss are better."""
    return 1000 * move.value.lower - _sign(move) * (move.rank or 0)


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


def board_of(
    answer: PositionAnswer,
    highest: int,
    *,
    last: str | None = None,
    link: Link = no_link,
    turns: int = 0,
    chosen: str = "",
    choose: Callable[[str], str] | None = None,
    searched: frozenset[int] = frozenset(),
    squares: Squares | None = None,
) -> Board:
    """The board of an answer."""
    words = GameWords.of(answer.game, built_in_only=True)
    best = {move.number for move in best_moves(answer) if move.known}
    targets = tuple(
        Target(
            move=move.move,
            number=move.number,
            outcome=outcome_of(move.value, answer.score),
            words=_words_of(move, highest),
            sign=move_sign(move, highest, words),
            best=move.number in best,
            href=link(move),
            grade=move_grade(answer, move),
            searched=move.number in searched,
        )
        for move in answer.moves
    )
    return Board(
        answer.game,
        answer.position,
        answer.side,
        targets,
        last,
        answer.board,
        turns,
        chosen,
        choose,
        squares=squares,
    )


def _words_of(move: MoveAnswer, highest: int) -> str:
    """The value of a move as it is read aloud."""
    if not move.value.anything_known:
        return "not known"
    within = f" within {rank_text(move.rank)}" if move.known and move.value.lower and move.rank else ""
    return f"{value_text(move.value, highest)}{within}"


def position_board(
    answer: PositionAnswer,
    highest: int,
    *,
    last: str | None = None,
    link: Link = no_link,
    name: str = "board",
    turns: int = 0,
    chosen: str = "",
    choose: Callable[[str], str] | None = None,
    searched: frozenset[int] = frozenset(),
    squares: Squares | None = None,
) -> Markup:
    """The board as SVG; each legal move is a link where `link` gives an address.

    Args:
        answer: what is known of the position.
        highest: limit of the game's values.
        last: the move that led here.
        link: where a move leads to.
        name: that begins the ids of title and description.
        turns: by how many quarter turns the board is turned.
        chosen: the steps of a move that were chosen so far.
        choose: where a choice of steps leads to.
        searched: numbers of the moves whose value a search has found just now.
        squares: of a user's game that offers them.
    """
    board = board_of(
        answer,
        highest,
        last=last,
        link=link,
        turns=turns,
        chosen=chosen,
        choose=choose,
        searched=searched,
        squares=squares,
    )
    return board_svg(board, name=name)


def position_facts(answer: PositionAnswer, highest: int) -> list[tuple[str, Content]]:
    """What is known of the position, fact by fact with its name."""
    words = GameWords.of(answer.game, built_in_only=True)  # a user's own rules may take any time
    facts: list[tuple[str, Content]] = [("to move", side_text(answer.side, answer.game))]
    if answer.terminal:
        facts[0] = ("to move", "nobody: the game is over")
    if answer.score:
        facts.append(("ahead by", f"{answer.score:+d}"))
    known = answer.value.anything_known
    value_words = words.of_position(answer) if words.players else None
    has_value = known or answer.no_win_within > 0
    facts.append(("value", value_chip(answer.value, highest, answer.score, value_words) if has_value else "not known"))
    if highest > 1 and known:
        outcome = OUTCOMES[outcome_of(answer.value, answer.score)]
        facts.append(("the game", result_text(answer.value, answer) if is_built_in(answer.game) else outcome))
    if answer.value.exact and answer.rank is not None and not answer.terminal and not words.players:
        facts.append(("decided within", rank_text(answer.rank)))
    if answer.witness is not None:
        facts.append(("best move", answer.witness))
    if answer.verification is not None:
        facts.append(("verified", verification_text(answer.verification)))
    if answer.package is not None:
        facts.append(("package", package_text(answer.package)))
    facts.extend(("open", estimate_text(estimate)) for estimate in answer.estimates)
    if answer.searched is not None:
        reason = answer.searched.unknown_reason
        ended = f", ended by its limit of {reason}" if reason else ""
        facts.append(("searched", f"{answer.searched.nodes:,} nodes, {answer.searched.algorithm}{ended}"))
    return facts


def package_note(package: str | None) -> Markup | None:
    """What was checked of a package, below an answer from one; nothing for a store."""
    return None if package is None else tag("p", f"package {package_text(package)}", class_="note package")


def move_link(move: MoveAnswer, link: Link) -> Markup:
    """A move as a link, or as its text."""
    href = link(move)
    return tag("span", move.move) if href is None else tag("a", move.move, href=href, class_="move")


def only_text(answer: PositionAnswer, squares: Squares | None) -> bool:
    """Whether the board of a position is a drawing in text, on which no move can be clicked."""
    return squares is None and not has_board(answer.game)


def moves_table(
    answer: PositionAnswer,
    highest: int,
    *,
    link: Link = no_link,
    ask: Callable[[MoveAnswer], Markup | None] = no_link,
    searched: frozenset[int] = frozenset(),
    unfolded: bool = False,
) -> Markup:
    """The moves with their values, best first; below the table those of unknown value, which unfold.

    Moves that are the same by a symmetry of the game are one row. Where the game's players have words of their own, the
    rows are in groups: winning, drawing, losing.

    Args:
        answer: what is known.
        highest: limit of the game's values.
        link: where a move leads to.
        ask: what can be asked about a move of unknown value.
        searched: numbers of the moves whose value a search has found just now.
        unfolded: whether those of unknown value are shown at once, such as where the board shows no moves.
    """
    if not answer.moves:
        return Markup()
    known = [move for move in answer.moves if move.value.anything_known]
    unknown = [move for move in answer.moves if not move.value.anything_known]
    best = [move for move in best_moves(answer) if move.known]
    words = GameWords.of(answer.game, built_in_only=True)

    def body(heading: str | None, moves: list[MoveAnswer]) -> Markup:
        above = tag("tr", tag("th", heading, colspan=3, scope="rowgroup"), class_="group") if heading else None
        rows = []
        for alike in symmetric_moves(answer, moves):
            marks = {"best": alike[0] in best, "searched": alike[0].number in searched}
            rows.append(_move_row(answer, alike, highest, words, link, ask, **marks))
        return tag("tbody", above, *rows)

    table = Markup()
    if known:
        heads = [tag("th", name, scope="col") for name in ("move", "value")]
        heads.append(tag("td") if words.players else tag("th", "decided within", scope="col"))
        groups = grouped_moves(known) if words.players else []
        table = tag(
            "table",
            tag("caption", amount(len(answer.moves), "legal move"), ", best first" if len(known) > 1 else None),
            tag("thead", tag("tr", *heads)),
            *([body(f"{group} ({len(of_group)})", of_group) for group, of_group in groups] or [body(None, known)]),
            class_="moves",
        )
    known_moves = (
        tag("div", table, class_="scroll tall", tabindex=0, role="region", aria_label="moves") if known else None
    )
    return joined(known_moves, _unknown(answer, unknown, link, ask, unfolded=unfolded) if unknown else None)


def _unknown(
    answer: PositionAnswer,
    unknown: list[MoveAnswer],
    link: Link,
    ask: Callable[[MoveAnswer], Markup | None],
    *,
    unfolded: bool,
) -> Markup:
    """The moves of which nothing is known: one line that unfolds."""
    has_links = len(unknown) <= MOST_ASKED
    items = [
        tag(
            "li",
            move_link(alike[0], link),
            _mirrors(alike, link),
            " " if has_links else None,
            ask(alike[0]) if has_links else None,
        )
        for alike in symmetric_moves(answer, unknown)
    ]
    summary = tag("summary", f"{amount(len(unknown), 'move')} of unknown value")
    return tag("details", summary, tag("ul", *items, class_="open-moves"), class_="unknown-moves", open=unfolded)


def _mirrors(alike: list[MoveAnswer], link: Link) -> Markup | None:
    """The moves that are the same as the first one by symmetry, behind a word that unfolds them."""
    others = alike[1:]
    if not others:
        return None
    links: list[Content] = [piece for move in others for piece in (" ", move_link(move, link))]
    summary = tag("summary", "+ mirror image" if len(others) == 1 else f"+ {len(others)} mirror images")
    return tag("details", summary, *links, class_="mirrors")


def _move_row(
    answer: PositionAnswer,
    alike: list[MoveAnswer],
    highest: int,
    words: GameWords,
    link: Link,
    ask: Callable[[MoveAnswer], Markup | None],
    *,
    best: bool,
    searched: bool,
) -> Markup:
    move = alike[0]
    remark = tag("span", "best", class_="best") if best else None
    value_words = words.of_move(move) if words.players else None
    value = value_chip(move.value, highest, answer.score, value_words)
    rank: Content = "the game is over" if move.terminal else ask(move) if not move.known else None
    if rank is None and not words.players:
        rank = rank_text(move.rank)
    return tag(
        "tr",
        tag("th", move_link(move, link), _mirrors(alike, link), scope="row"),
        tag("td", value, " ", remark, " just searched" if searched else None),
        tag("td", rank),
    )


def _strategy(claim: Claim) -> Content:
    """The diagram of a claim as a picture, and what it does in words."""
    if claim.strategy is None:
        return None
    named = f"; replies with records: {' '.join(claim.strategy.named)}" if claim.strategy.named else None
    picture = _board_of_signs(claim.strategy.diagram, "The diagram of the strategy")
    first = f"the move {claim.witness}, then " if claim.witness else ""
    return joined(f"strategy: {first}it {strategy_words(claim.strategy)}", named, picture)


def _pairing(claim: Claim) -> Content:
    """The pairs of a claim as a picture, and how they keep the other side from winning, in words."""
    if claim.pairing is None:
        return None
    first = f"the move {claim.witness}, then " if claim.witness else ""
    picture = _board_of_signs(claim.pairing.diagram, "The pairs: two squares with the same letter each")
    return joined(f"pairing: {first}it {pairing_words(claim.pairing)}", picture)


def _board_of_signs(diagram: str, label: str) -> Markup:
    """A text of rows as a board."""
    rows = "\n".join(" ".join(row) for row in diagram.split("/"))
    return tag("pre", rows, class_="diagram", role="img", aria_label=label)


def claims_table(claims: tuple[Claim, ...], sources: tuple[Source, ...], highest: int) -> Markup:
    """The claims of a record: what each says, what it rests on, and where it came from."""
    texts = {source.number: source.text for source in sources}
    rows = []
    for claim in claims:
        bound = value_text(Value.of(claim.bound), highest)
        by = f"by the move {claim.witness}" if claim.witness else ""
        rests = {
            "children": by or "every move",
            "strategy": _strategy(claim),
            "pairing": _pairing(claim),
        }.get(claim.evidence) or "; ".join(part for part in (evidence_text(claim), by) if part)
        rows.append(
            tag(
                "tr",
                tag("th", f"{'at least' if claim.side == 'lower' else 'at most'} {bound}", scope="row"),
                tag("td", "" if claim.rank is None else f"{claim.rank:,}"),
                tag("td", rests),
                tag("td", "; ".join(texts.get(number, f"source {number}") for number in claim.sources)),
            )
        )
    heads = ("claim", "rank", "rests on", "from")
    return tag(
        "table",
        tag("caption", "Claims of this position"),
        tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads))),
        tag("tbody", *rows),
        class_="claims",
    )
