"""A page of a proof as a tree that is opened step by step, without a script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from proofbase.service.answers import Claim, Proof, ProofNode, Value
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.evidence import evidence_text
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import value_text

__all__ = ["claim_text", "proof_tree"]

OPEN_DEPTH = 1
"""The tree is opened so far at first."""

LinkOfNode = Callable[[ProofNode], str | None]


def proof_tree(
    proof: Proof, highest: int, *, link: LinkOfNode | None = None, further: LinkOfNode | None = None
) -> Markup:
    """The nodes of a page as nested lists; nodes with something below them can be opened.

    Args:
        proof: the page.
        highest: limit of the game's values.
        link: where a node's position is shown.
        further: for a node that was not expanded, where the proof below it is.
    """
    children: dict[int, list[ProofNode]] = defaultdict(list)
    roots = []
    numbers = {node.number for node in proof.nodes}
    for node in proof.nodes:
        if node.number == node.parent or node.parent not in numbers:
            roots.append(node)
        else:
            children[node.parent].append(node)
    items = _items(roots, children, _ClaimWords(GameWords.of(proof.game, built_in_only=True), highest), link, further)
    # Nodes that are too deep have a link to what is below, where there are links.
    is_cut = proof.cut is not None and not (further is not None and proof.cut.reason == "depth")
    cut = tag("p", f"cut: {proof.cut.message}", class_="note") if proof.cut is not None and is_cut else None
    return joined(tag("ul", items, class_="proof"), cut)


def _items(
    nodes: list[ProofNode],
    children: dict[int, list[ProofNode]],
    words: _ClaimWords,
    link: LinkOfNode | None,
    further: LinkOfNode | None,
) -> Markup:
    """The nodes as items of a list: without recursion, since a proof may be deep."""
    item_of: dict[int, Markup] = {}
    order = list(nodes)
    for node in order:  # grows: parents before children
        order.extend(children[node.number])
    for node in reversed(order):
        below = [item_of.pop(child.number) for child in children[node.number]]
        line = _line(node, words, link if not below else None)
        if below:
            # A link inside of what opens the details would be one control in another.
            href = link(node) if link is not None and node.move else None
            shows = tag("li", tag("a", f"the position after {node.move}", href=href)) if href else None
            content = tag("details", tag("summary", line), tag("ul", shows, *below), open=node.depth < OPEN_DEPTH)
        elif node.kind == "cut" and further is not None:
            content = joined(line, " ", tag("a", "open", href=further(node), class_="further"))
        else:
            content = line
        item_of[node.number] = tag("li", content)
    return joined(*(item_of[node.number] for node in nodes))


def claim_text(side: str, bound: int, highest: int) -> str:
    """What a claim says, for the side that moves."""
    value = value_text(Value.of(bound), highest)
    return f"{'at least' if side == 'lower' else 'at most'} {value}"


class _ClaimWords(NamedTuple):
    """What claims are said in."""

    words: GameWords
    highest: int

    def of(self, claim: Claim) -> str:
        """A claim with its plies: `at least win within 3 plies`, `mate within 2`, `mated within 1`."""
        decided = claim.bound if claim.side == "lower" else -claim.bound
        is_of_mate = self.words.players is not None and self.highest == 1 and decided == 1
        if is_of_mate and claim.rank and not claim.above_tables:
            return self.words.distance(claim.rank, won=claim.side == "lower", exact=False)
        rank = f", rank {claim.rank:,}" if claim.rank else ""
        return f"{claim_text(claim.side, claim.bound, self.highest)}{rank}"


def _line(node: ProofNode, words: _ClaimWords, link: LinkOfNode | None) -> Markup:
    claim = node.claim
    rests = {
        "inner": f"by {claim.witness}" if claim.witness else "every move below",
        "terminal": "the game is over",
        "leaf": evidence_text(claim),
        "repeated": f"shown above as node {node.same_as}",
        "cut": "",
        "missing": "not in the store",
        "range": "the limit of the game's values",
    }[node.kind]
    move: Content = None
    if node.move:
        href = link(node) if link is not None else None
        move = tag("a", node.move, href=href, class_="move") if href else tag("b", node.move)
    return joined(
        move,
        ": " if node.move else None,
        words.of(claim),
        tag("span", f" {rests}", class_="rests") if rests else None,
        tag("span", f" [{node.number}]", class_="number"),
    )
