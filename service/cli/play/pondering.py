"""Searches while the other side thinks about its move."""

from __future__ import annotations

import threading

from proofbase.service.cli.play.adviser import Adviser
from proofbase.service.cli.play.played_game import PlayedGame

__all__ = ["Pondering"]


class Pondering:
    """One thread that searches behind the replies of the other side.

    Args:
        adviser: who searches; nobody else may ask it meanwhile.
    """

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def start(self, game: PlayedGame) -> None:
        """Begins with the position of a game that goes on."""
        self._stop.clear()
        position, lead = game.position, game.lead()
        self._thread = threading.Thread(target=self._adviser.ponder, args=(position, lead, self._goes_on), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Ends within some hundredths of a second."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _goes_on(self) -> bool:
        return not self._stop.is_set()
