"""`/standard?fen=` and `/antichess?fen=` in the JSON of the public tablebase service of chess servers.

Its clients work with another base address. What the fields mean is written in the README of
https://github.com/lichess-org/lila-tablebase; docs/http.md says where ours differ.
"""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.rules.chessboard.fen import read_fen
from proofbase.engine.rules.chessboard.notation import uci
from proofbase.engine.rules.fifty_moves import MOST_PLIES
from proofbase.service.answers import MoveAnswer, PositionAnswer
from proofbase.service.convert import from_message
from proofbase.service.errors import InvalidRequestError
from proofbase.service.http.exchange import EXCHANGE
from proofbase.service.http.methods import Methods
from proofbase.service.http.pages import Page
from proofbase.service.words.game_words import GameWords

__all__ = ["described", "tablebase_pages"]

GAMES = {"/standard": "chess", "/antichess": "giveaway:antichess"}
CATEGORIES = ("loss", "unknown", "maybe-loss", "blessed-loss", "draw", "cursed-win", "maybe-win", "win")
"""Of the positions after the moves, for the other side: the best move has the first of them."""
OF_MOVER = dict(zip(CATEGORIES, ("win", "unknown", *CATEGORIES[6:1:-1], "loss"), strict=True))
Json = dict[str, Any]


def tablebase_pages(methods: Methods) -> list[Page]:
    """What answers the two addresses; it asks `Solutions/Lookup` of the services."""
    lookup = methods["proofbase.v1.Solutions/Lookup"]

    def page(path: str, game: str) -> Page:
        async def answer(request: Request) -> Response:
            fen = request.query_params.get("fen", "").replace("_", " ").strip()
            if "/" not in fen:
                raise InvalidRequestError("`?fen=` takes a position as FEN", field="fen")
            message = await EXCHANGE.get().ask(lookup, lookup.request(game=game, position=fen, distances=True))
            counter = re.fullmatch(r"\S+ +[wb] +\S+ +\S+ +([0-9]{1,4})(?: +[0-9]+)?", fen)
            description = described(from_message(message, PositionAnswer), int(counter[1]) if counter else 0)
            return Response(
                json.dumps(description), headers={"cache-control": "no-store"}, media_type="application/json"
            )

        return Page(path, answer)

    return [page(path, game) for path, game in GAMES.items()]


def described(answer: PositionAnswer, counter: int) -> Json:
    """A position in the form of that service.

    Args:
        answer: what is known of it, with distances.
        counter: plies since the last capture or move of a pawn.
    """
    words, position = GameWords.of(answer.game), read_fen(answer.position)

    def move_entry(move: MoveAnswer) -> tuple[tuple[object, ...], Json]:
        takes, becomes = "x" in move.move, "=" in move.move
        zeroing = takes or position.men[move.number % 64] == "P"
        plies = words.plies_of(move)
        after = plies and (plies[0] - 1, plies[1])
        value = -move.value.lower if move.known else None
        left = (MOST_PLIES if zeroing else MOST_PLIES - counter - 1) if counter < MOST_PLIES else -1
        state = _state(answer.game, move.position, value, after, left, move.terminal)
        names: Json = {"uci": uci(position, move.number), "san": move.move, "zeroing": zeroing}
        return _order(state, after and after[0]), names | {"conversion": takes or becomes} | state

    moves = [entry for _, entry in sorted(map(move_entry, answer.moves), key=lambda pair: pair[0])]
    value = answer.value.lower if answer.known else None
    left = MOST_PLIES - counter if counter <= MOST_PLIES else -1
    state = _state(answer.game, answer.position, value, words.plies_of(answer), left, answer.terminal)
    if moves and (best := OF_MOVER[moves[0]["category"]]) != "unknown":
        state["category"] = best
    return state | {"moves": moves}


def _state(game: str, fen: str, value: int | None, plies: tuple[int, bool] | None, left: int, terminal: bool) -> Json:
    """What is said of a position and of each position after a move, for the side to move there.

    Args:
        game: chess or antichess.
        fen: of the position.
        value: None where it is not known.
        plies: within which a won or lost game ends, and whether it is proved that it takes so many.
        left: plies until a draw can be claimed by the rule of fifty moves; -1: it could have been claimed before.
        terminal: the game is over.
    """
    chess = game == "chess"
    dead = chess and _is_dead(fen)
    proved = plies[0] if plies and plies[1] else 0
    distance = 0 if dead or value == 0 else value * proved if value and proved else None  # 0 is a draw
    if dead or value == 0:
        category = "draw"
    elif value is None:
        category = "unknown"
    else:
        certain = terminal or (plies is not None and plies[0] <= left)
        words = (
            ("cursed-win", "blessed-loss") if left < 0 else ("win", "loss") if certain else ("maybe-win", "maybe-loss")
        )
        category = words[value < 0]
    return {
        "checkmate": chess and terminal and value == -1,
        "stalemate": terminal and (value == 0 if chess else _has_men(fen)),
        "variant_win": terminal and not chess,
        "variant_loss": False,
        "insufficient_material": dead,
        "dtz": None,
        "precise_dtz": None,
        "dtm": distance if chess else None,
        "dtw": None if chess else distance,
        "dtc": None,
        "category": category,
    }


def _order(state: Json, plies: int | None) -> tuple[object, ...]:
    """Best moves first: wins from the quickest on, losses from the slowest on."""
    category = CATEGORIES.index(state["category"])
    ends = (state["checkmate"], not state["variant_win"], state["stalemate"], state["insufficient_material"])
    lost_for_other = category < CATEGORIES.index("draw")
    length = 10_000 if plies is None else plies
    return category, *(not flag for flag in ends), length if lost_for_other else -length


def _is_dead(fen: str) -> bool:
    """Whether nobody can mate: beside kings one bishop or knight at most, or bishops on squares of one colour."""
    men = read_fen(fen).men
    others = [(man.lower(), (square + square // 8) % 2) for square, man in enumerate(men) if man not in ".kK"]
    kinds = {kind for kind, _ in others}
    return kinds <= {"b", "n"} and (len(others) <= 1 or (kinds == {"b"} and len({colour for _, colour in others}) == 1))


def _has_men(fen: str) -> bool:
    return any(man.isupper() for man in read_fen(fen).men)
