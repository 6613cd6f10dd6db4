"""A game that was played as a file in a format of other programs: PGN, PDN or SGF."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.formats.game_files import FORMATS
from proofbase.engine.formats.notation import read_move, read_position
from proofbase.engine.games import open_game
from proofbase.service.errors import InvalidRequestError
from proofbase.service.explorer.asking import Asker

__all__ = ["GameFile"]


class GameFile:
    """Answers `/games/{game}/file`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The game up to the position of the page."""
        parameters, place, game = await self._asker.read(request)
        name = game.name
        form = FORMATS.get(parameters.get("format", ""))
        if form is None or not form.takes(name):
            known = " and ".join(entry.name for entry in FORMATS.values() if entry.takes(name))
            raise InvalidRequestError(f"games of {name} are written as {known or 'no file'}", field="format")
        analysis = await self._asker.analysis(name, place.start, place.played)  # reads and checks all of it
        rules = open_game(name, "python")
        start = read_position(rules, analysis.position)
        moves, position = list[int](), start
        for played in analysis.moves:
            moves.append(read_move(rules, position, played.move))
            position = rules.play(position, moves[-1])
        file = f"{name.replace(':', '-').replace(',', '-')}.{form.name.lower()}"
        headers = {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-store"}
        return Response(form.write(rules, start, moves, (), "") + "\n", headers=headers, media_type="text/plain")
