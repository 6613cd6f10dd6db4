"""The page that tells why: the proof in sentences, the claims, the tree of the proof, and how to check it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.rules.within import FAMILY
from proofbase.service.answers import PositionAnswer, Proof, ProofNode
from proofbase.service.explorer.addresses import Place, address
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, page, section
from proofbase.service.explorer.questions import check_form
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.pictures.position import claims_table, package_note, position_board
from proofbase.service.pictures.proof import proof_tree
from proofbase.service.pictures.reasons import reasons
from proofbase.service.pictures.sentences import verdict_line
from proofbase.service.words.game_words import GameWords

__all__ = ["ProofPage"]

DEPTH = 2
"""Plies of the tree that are shown at a time; what is below is opened."""
NODES = 500


class ProofPage:
    """Answers `/games/{game}/proof`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The claims of a position, what they rest on, and the tree of the proof."""
        parameters, place, game = await self._asker.read(request)
        answer = await self._asker.lookup_at(place)
        side = parameters.get("side")
        proof = await self._asker.proof(
            place.game,
            answer.position,
            side=side if side in ("lower", "upper") else None,
            depth=DEPTH,
            nodes=NODES,
            continuation=parameters.get("continuation", ""),
        )

        def of_node(node: ProofNode) -> str:
            return Place(game.name, node.position).href()

        def below(node: ProofNode) -> str:
            return Place(game.name, node.position).href("proof", side=node.claim.side)

        tree = proof_tree(proof, game.highest_value, link=of_node, further=below)
        more = proof.cut.continuation if proof.cut is not None else None
        if more is not None:
            following = place.href("proof", side=side, continuation=more)
            tree = joined(tree, tag("p", tag("a", "The next part of the tree", href=following)))
        if not proof.nodes:
            tree = tag("p", "Nothing is stored about this position.")
        claims: Content = tag("p", "No record of this position is stored.")
        if answer.terminal:
            claims = tag("p", "The game is over here: its rules alone give the value.")
        elif answer.claims:
            claims = claims_table(answer.claims, answer.sources, game.highest_value)
        return page(
            f"Why? {game.name}",
            back_to(place),
            self._position(place, answer, game.highest_value),
            self._reasons(place, proof, answer, game.highest_value) if proof.nodes else None,
            section("What is claimed", claims, name="claims"),
            section("The tree of the proof", tree, name="tree"),
            await self._shortest(answer),
            self._check(answer) if answer.stored else None,
            package_note(proof.package),
            current="/",
        )

    async def _shortest(self, answer: PositionAnswer) -> Markup | None:
        """Where the proof is that a win takes no fewer plies, and the certificate of both."""
        if not answer.no_win_within or answer.rank is None or answer.value.lower <= 0:
            return None
        for limit in (answer.no_win_within, answer.rank):
            game = f"{FAMILY}:{limit}:{answer.game}"
            position = f"{answer.position} plies={answer.no_win_within}"
            if (await self._asker.lookup(game, position)).stored:
                break
        else:
            return None
        words = GameWords.of(answer.game, built_in_only=True)
        win = f"{FAMILY}:{answer.rank}:{answer.game}"
        download = address(
            f"/v1/games/{win}/exports", position=f"{answer.position} plies={answer.rank}", format="certificate"
        )
        refuted = tag("a", f"No {words.distance(answer.no_win_within)}", href=Place(game, position).href("proof"))
        parts: list[Content] = [tag("p", refuted, " is a proof of its own.", id="refuted")]
        if (await self._asker.lookup(win, f"{answer.position} plies={answer.rank}")).stored:
            file = "".join(c if c.isalnum() or c == "." else "-" for c in win)
            both = tag("a", "Download both proofs", href=download, download=f"{file}.proofbase", class_="button")
            parts.append(tag("p", both))
        return section("The shortest win", *parts, name="shortest")

    def _reasons(self, place: Place, proof: Proof, answer: PositionAnswer, highest: int) -> Markup:
        """The first plies of the proof in sentences; their moves lead to this page about the positions after them."""

        def link(moves: tuple[str, ...], side: str) -> str:
            return place.after(*moves).href("proof", side=side)

        return section("In words", reasons(proof, answer.side, highest, link, "/words"), name="reasons")

    def _position(self, place: Place, answer: PositionAnswer, highest: int) -> Markup:
        board = position_board(answer, highest, last=place.last, turns=place.turn)
        return tag("div", tag("div", board, class_="board-frame small"), verdict_line(answer, highest), class_="beside")

    def _check(self, answer: PositionAnswer) -> Markup:
        """How somebody can check it: here, or with a certificate on a machine of his own."""
        download = address(f"/v1/games/{answer.game}/exports", position=answer.position, format="certificate")
        name = "".join(c if c.isalnum() or c == "." else "-" for c in answer.game)
        return section(
            "Check it",
            tag(
                "p",
                "Every claim can be checked by the rules alone. The server checks what the value rests on, in front of "
                "you; or take the certificate to a machine of your own:",
            ),
            check_form(answer, choose_rules=True),
            tag("div", id="live"),
            tag(
                "p",
                tag(
                    "a",
                    "Download the certificate",
                    href=download,
                    download=f"{name}.proofbase",
                    class_="button",
                    id="certificate",
                ),
            ),
            tag("p", "It is checked by a short program that knows the rules and nothing of the search:"),
            tag("pre", tag("code", f"proofbase check {name}.proofbase"), tabindex=0),
        )
