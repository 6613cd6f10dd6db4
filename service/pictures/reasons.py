"""A proof in sentences, such as: Red plays 6. If Yellow answers 1, then 3; 7 is the mirror image of 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from proofbase.service.answers import Claim, Proof, ProofNode
from proofbase.service.pictures.boards import side_name, side_text
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.evidence import evidence_text, pairing_words, strategy_words

__all__ = ["claim_sentence", "evidence_sentence", "reasons"]

MOST_SHOWN = 12
"""Further answers are folded."""
LinkOfMoves = Callable[[tuple[str, ...], str], str | None]
"""Where the position after some moves is told about, by the moves and the side of the claim."""


def claim_sentence(claim: Claim, game: str, side: int, highest: int) -> str:
    """What a claim says, for the side that moves: `Red wins`, `Red has at least a draw`, `Red gets at most +3`."""
    name, bound, lower = side_name(game, side), claim.bound, claim.side == "lower"
    if highest != 1:
        return f"{name} gets {'at least' if lower else 'at most'} {f'{bound:+d}' if bound else '0'} from here"
    if bound == 0:
        return f"{name} {'has at least a draw' if lower else 'cannot win'}"
    return f"{name} {'wins' if bound > 0 else 'loses'}"


def evidence_sentence(claim: Claim, words: str | None = None) -> Markup | None:
    """What a claim rests on besides other claims; None where it rests on those alone.

    Args:
        claim: the claim.
        words: the address of the page that explains the kinds of evidence.
    """

    def explained(text: str, kind: str) -> Markup:
        return tag("a", text, href=f"{words}#{kind}") if words else tag("span", text)

    if claim.evidence == "table" or claim.table:
        return joined("the ", explained("table", "table"), f" {claim.table} says so")
    if claim.evidence in ("search", "search_to_limits"):
        to_limits = " and ends at the limits of values" if claim.evidence == "search_to_limits" else ""
        count = f"{claim.search_nodes:,} positions settles it{to_limits}"
        return joined("a ", explained("small search", "small-search"), f" of at most {count}")
    if claim.evidence == "line":
        return joined("a ", explained("forcing line", "forcing-line"), f" of {len(claim.line)} moves decides it")
    if claim.threats is not None:
        return joined("by ", explained("threats", "threats"), f": {evidence_text(claim)}")
    if claim.strategy is not None:
        return joined("by a ", explained("strategy", "strategy"), f": it {strategy_words(claim.strategy)}")
    if claim.pairing is not None:
        return joined("by a ", explained("pairing", "pairing"), f": it {pairing_words(claim.pairing)}")
    return None


def reasons(proof: Proof, side: int, highest: int, link: LinkOfMoves, words: str | None = None) -> Markup:
    """The first moves of a proof in sentences: what is claimed, the move, the answer to each reply.

    Args:
        proof: a page of it, with at least the first two plies.
        side: whose move it is.
        highest: limit of the game's values.
        link: where moves lead to.
        words: the address of the page that explains the kinds of evidence.
    """
    children: dict[int, list[ProofNode]] = defaultdict(list)
    roots = list[ProofNode]()
    for node in proof.nodes:
        (roots if node.depth == 0 else children[node.parent]).append(node)
    informative = [root for root in roots if not _says_nothing(root.claim, highest)]
    parts = [_of_root(root, children, proof.game, side, highest, link, words) for root in informative]
    return joined(*parts)


def _says_nothing(claim: Claim, highest: int) -> bool:
    """Whether a claim is true of every position: at most a win, at least a loss."""
    return claim.bound >= highest if claim.side == "upper" else claim.bound <= -highest


def _of_root(
    root: ProofNode,
    children: dict[int, list[ProofNode]],
    game: str,
    side: int,
    highest: int,
    link: LinkOfMoves,
    words: str | None,
) -> Markup:
    heading = tag("h3", f"{claim_sentence(root.claim, game, side, highest)}.")
    if root.kind == "terminal":
        return joined(heading, tag("p", "The game is over: its rules give the value."))
    rests = evidence_sentence(root.claim, words)
    below = children[root.number]
    if rests is not None and not below:
        by = (
            joined(" The move is ", _move((), root.claim.witness, root.claim, link), ".")
            if root.claim.witness
            else None
        )
        return joined(heading, tag("p", _sentence(rests), by))
    before: tuple[str, ...] = ()
    paragraph = tag("p", _sentence(rests), " The other replies:") if rests is not None else None
    if root.claim.side == "upper":
        replies = below
        begins, mover, answerer = "If", side, 1 - side
    else:
        first = below[0]
        move = first.move or ""
        plays = joined(f"{side_name(game, side)} plays ", _move((), move, first.claim, link))
        if first.kind == "terminal":
            return joined(heading, tag("p", plays, ", and the game is over."))
        rests = evidence_sentence(first.claim, words)
        replies, before = children[first.number], (move,)
        paragraph = tag("p", plays, ": " if rests else None, rests, ".")
        if not replies:
            return joined(heading, paragraph)
        begins, mover, answerer = "If", 1 - side, side
    verb = "plays" if root.claim.side == "upper" else "answers"
    items = [
        tag("li", f"{begins} {side_text(mover, game)} {verb} ", _reply(alike, before, game, answerer, link, words))
        for alike in _together(_alike(replies))
    ]
    reasons_list = tag("ul", *items[:MOST_SHOWN], class_="reasons") if items else None
    folded = None
    if len(items) > MOST_SHOWN:
        rest = tag("ul", *items[MOST_SHOWN:], class_="reasons")
        folded = tag("details", tag("summary", f"{len(items) - MOST_SHOWN} more"), rest)
    return joined(heading, paragraph, reasons_list, folded)


def _alike(replies: list[ProofNode]) -> list[list[ProofNode]]:
    """Replies that lead to the same position up to symmetry, together."""
    groups: dict[bytes, list[ProofNode]] = {}
    for node in replies:
        groups.setdefault(node.key, []).append(node)
    return list(groups.values())


def _together(groups: list[list[ProofNode]]) -> list[tuple[list[ProofNode], list[ProofNode]]]:
    """Replies that have the same answer in one sentence: each with the replies that are mirror images of its first."""
    alike: dict[tuple[object, ...], tuple[list[ProofNode], list[ProofNode]]] = {}
    for number, (node, *mirrors) in enumerate(groups):
        rests = evidence_sentence(node.claim)
        alone = number if mirrors or not node.claim.witness else None
        same, _ = alike.setdefault((node.kind, node.claim.witness, rests, alone), ([], mirrors))
        same.append(node)
    return list(alike.values())


def _reply(
    together: tuple[list[ProofNode], list[ProofNode]],
    before: tuple[str, ...],
    game: str,
    answerer: int,
    link: LinkOfMoves,
    words: str | None,
) -> Markup:
    same, mirrors = together
    node = same[0]
    move = _moves(before, same, link, "or")
    mirrored = None
    if mirrors:
        are = "is the mirror image" if len(mirrors) == 1 else "are mirror images"
        mirrored = joined("; ", _moves(before, mirrors, link, "and"), f" {are} of {node.move}")
    rests = evidence_sentence(node.claim, words)
    if node.kind == "terminal":
        what: Content = ", the game is over"
    elif node.kind == "missing":
        what = ": the store does not have this position"
    elif node.claim.witness:
        played = (*before, node.move or "")
        answer = _move(played, node.claim.witness, None, link) if len(same) == 1 else tag("b", node.claim.witness)
        what = joined(f", then {side_text(answerer, game)} plays ", answer)
        if rests is not None:
            what = joined(what, ": ", rests)
    elif rests is not None:
        what = joined(": ", rests)
    else:
        what = ""
    return joined(move, what, mirrored, ".")


def _moves(before: tuple[str, ...], nodes: list[ProofNode], link: LinkOfMoves, word: str) -> Markup:
    """`1`, `1 or 2`, `1, 2 or 3` as links; many of them unfold."""
    links = [_move(before, node.move, node.claim, link) for node in nodes]
    if len(links) > MOST_SHOWN:
        rest: list[Content] = [piece for move in links[3:] for piece in (" ", move)]
        more = tag("details", tag("summary", f"{word} {len(links) - 3} others"), *rest, class_="mirrors")
        return joined(links[0], ", ", links[1], ", ", links[2], " ", more)
    if len(links) == 1:
        return links[0]
    pieces: list[Content] = [piece for move in links[:-1] for piece in (", ", move)]
    return joined(*pieces[1:], f" {word} ", links[-1])


def _move(before: tuple[str, ...], move: str | None, claim: Claim | None, link: LinkOfMoves) -> Markup:
    if move is None:
        return tag("b", "any move")
    side = claim.side if claim is not None else ""
    href = link((*before, move), side)
    return tag("a", move, href=href, class_="move") if href else tag("b", move)


def _sentence(content: Markup) -> Markup:
    """With a capital letter and a full stop."""
    return joined(Markup(content[:1].upper()), Markup(content[1:]), ".")
