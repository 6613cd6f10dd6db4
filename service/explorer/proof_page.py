"""The pages that tell why: the claims and the tree of the proof, the line of best play, the analysis of a game."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import AnalysedMove, Analysis, Line, PositionAnswer, ProofNode
from proofbase.service.explorer.addresses import Place, address
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import job_form, page, section
from proofbase.service.pictures.curves import analysis_curve
from proofbase.service.pictures.job import facts_list
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.pictures.position import claims_table, position_board, position_facts, side_text, value_chip
from proofbase.service.pictures.proof import proof_tree
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import OUTCOMES

__all__ = ["AnalysisPage", "LinePage", "ProofPage"]

DEPTH = 2
"""Plies of the tree that are shown at a time; what is below is opened."""
NODES = 500


def _back(place: Place) -> Markup:
    return tag("p", tag("a", "Back to the position", href=place.href(), id="back-to-position"))


class ProofPage:
    """Answers `/games/{game}/proof`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The claims of a position, what they rest on, and the tree of the proof."""
        parameters = dict(request.query_params)
        place = Place.read(request.path_params["game"], parameters)
        game = await self._asker.game(place.game)
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
            _back(place),
            self._position(place, answer, game.highest_value),
            section("What is claimed", claims, name="claims"),
            section("The tree of the proof", tree, name="tree"),
            self._check(answer) if answer.stored else None,
            current="/",
        )

    def _position(self, place: Place, answer: PositionAnswer, highest: int) -> Markup:
        board = tag("div", position_board(answer, highest, last=place.last), class_="board-frame small")
        return tag("div", board, facts_list(position_facts(answer, highest)), class_="beside")

    def _check(self, answer: PositionAnswer) -> Markup:
        """How somebody can check it: here, or with a certificate on a machine of his own."""
        download = address(f"/v1/games/{answer.game}/exports", position=answer.position, format="certificate")
        name = "".join(c if c.isalnum() or c == "." else "-" for c in answer.game)
        rules = [
            tag("option", text, value=value)
            for value, text in (("RULES_NATIVE", "the compiled rules"), ("RULES_PYTHON", "the rules in plain Python"))
        ]
        verify = tag(
            "form",
            tag("label", tag("span", "By"), tag("select", *rules, name="rules")),
            tag("button", "Check this now"),
            class_="row scripted",
            hidden=True,
            id="verify",
            data_start="verify",
            data_game=answer.game,
            data_position=answer.position,
        )
        return section(
            "Check it",
            tag(
                "p",
                "Every claim can be checked by the rules alone. The server checks what the value rests on, in front of "
                "you; or take the certificate to a machine of your own:",
            ),
            verify,
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


class LinePage:
    """Answers `/games/{game}/line`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The line of best play from a position, to be played through."""
        place = Place.read(request.path_params["game"], dict(request.query_params))
        game = await self._asker.game(place.game)
        answer = await self._asker.lookup_at(place)
        line = await self._asker.line(place.game, answer.position)
        moves = tuple(step.move for step in line.steps)
        whole = Place(game.name, place.start, (*place.played, *moves), place.at)
        through = tag("p", tag("a", "Play it through", href=whole.href(), class_="button", id="play-through"))
        return page(
            f"Best play: {game.name}",
            _back(place),
            through if moves else None,
            self._sentence(answer, line) if moves else None,
            self._steps(whole, line, game.highest_value) if moves else None,
            tag("p", f"The line stops: {line.stop_message}.", class_="note", id="stop"),
            current="/",
        )

    def _sentence(self, answer: PositionAnswer, line: Line) -> Markup | None:
        """The value and the whole line, where players have a way to write it."""
        words = GameWords.of(line.game, built_in_only=True)
        if words.players is None:
            return None
        written = words.line([step.move for step in line.steps], answer.side)
        return tag("p", f"{words.of_position(answer)}: {written}", id="written-line")

    def _steps(self, whole: Place, line: Line, highest: int) -> Markup:
        rows = []
        words = GameWords.of(line.game, built_in_only=True)
        for number, step in enumerate(line.steps, 1):
            link = tag("a", step.move, href=whole.to(whole.at + number).href(), class_="move")
            chip = value_chip(
                step.value, highest, words=words.decided(step.value, step.rank) if words.players else None
            )
            cells = (tag("td", number), tag("th", link, scope="row"), tag("td", chip))
            rows.append(tag("tr", *cells))
        heads = tag("tr", *(tag("th", name, scope="col") for name in ("ply", "move", "value for who moves next")))
        return tag("table", tag("thead", heads), tag("tbody", *rows), class_="moves", id="line")


class AnalysisPage:
    """Answers `/games/{game}/analysis`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """A game that was played: its curve, and what each move gave away."""
        place = Place.read(request.path_params["game"], dict(request.query_params))
        game = await self._asker.game(place.game)
        analysis = await self._asker.analysis(place.game, place.start, place.moves)
        curve = analysis_curve(analysis, game.highest_value, link=lambda ply: place.to(ply).href())
        return page(
            f"Analysis: {game.name}",
            _back(place),
            tag("div", curve, class_="chart-frame", id="curve"),
            tag("p", _decided(analysis), id="decided"),
            self._moves(place, analysis, game.highest_value),
            self._solve(analysis),
            tag("div", id="live"),
            tag("p", analysis.cut.message, class_="note") if analysis.cut else None,
            current="/",
        )

    def _moves(self, place: Place, analysis: Analysis, highest: int) -> Markup:
        rows = []
        words = GameWords.of(analysis.game, built_in_only=True)
        for number, move in enumerate(analysis.moves, 1):
            link = tag("a", move.move, href=place.to(number).href(), class_="move")
            cells: tuple[Content, ...] = (
                tag("td", number),
                tag("td", words.side(move.side).removesuffix(" player")),
                tag("th", link, scope="row"),
                tag("td", value_chip(move.value, highest, move.score)),
                tag("td", value_chip(move.value_of_move, highest, move.score)),
                tag("td", _remark(move)),
            )
            rows.append(tag("tr", *cells, class_="changed-row" if move.changes_outcome else None))
        names = ("ply", "player", "move", "value before", "value of the move", "")
        heads = tag("tr", *(tag("th", name, scope="col") if name else tag("td") for name in names))
        table = tag("table", tag("thead", heads), tag("tbody", *rows), class_="moves")
        return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="moves of the game")

    def _solve(self, analysis: Analysis) -> Markup | None:
        """One job for all positions that are not known, the last one first: earlier ones use what it has proved."""
        last = analysis.moves[-1].value_of_move.exact if analysis.moves else True
        positions = [] if last else [analysis.last_position]
        positions += [move.position for move in reversed(analysis.moves) if not move.value.exact]
        if not positions:
            return None
        label = f"Solve the {len(positions)} positions that are not known"
        return job_form("solve-game", label, 10, analysis.game, positions)


def _decided(analysis: Analysis) -> str:
    if not 0 < analysis.decided_by <= len(analysis.moves):
        return "No move is known to have changed the outcome."
    move = analysis.moves[analysis.decided_by - 1]
    became = f"{OUTCOMES[move.outcome]} became {OUTCOMES[move.outcome_of_move]}"
    return f"Decided by move {analysis.decided_by}, {move.move} of {side_text(move.side, analysis.game)}: {became}."


def _remark(move: AnalysedMove) -> str:
    parts = []
    if move.changes_outcome:
        parts.append(f"{OUTCOMES[move.outcome]} becomes {OUTCOMES[move.outcome_of_move]}")
    elif move.gives_away:
        parts.append(f"gives away {move.gives_away}")
    if move.better_moves:
        parts.append(f"better: {', '.join(move.better_moves)}")
    if move.refutation:
        parts.append(f"refuted by {' '.join(move.refutation)}")
    return "; ".join(parts)
