"""The URLs to read from, each a call of one method: the path and the query give the fields of its request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["ROUTES", "ReadRoute"]


@dataclass(frozen=True, slots=True)
class ReadRoute:
    """A URL, and the method that answers it.

    Attributes:
        path: with the fields of the request that are in it. A position comes last: it may contain slashes.
        call: the method, as `Service/Method` of proofbase.v1.
        summary: for people.
        cached: the answer stays as it is while nothing of the game changes.
        form: of the answer: JSON, server-sent events, or a file.
        verb: GET; POST where the request is the body.
    """

    path: str
    call: str
    summary: str
    cached: bool = False
    form: Literal["json", "events", "file"] = "json"
    verb: Literal["GET", "POST"] = "GET"

    @property
    def name(self) -> str:
        """As in the table of roles."""
        return f"{self.verb} {self.path}"

    @property
    def method(self) -> str:
        """The full name of the method."""
        return f"proofbase.v1.{self.call}"


GAME = "/v1/games/{game}"


def _of_a_position(part: str, call: str, summary: str, form: Literal["json", "file"] = "json") -> list[ReadRoute]:
    """A URL with the position in its path, and one that takes it from the query, or the initial position."""
    path = f"{GAME}/{part}"
    return [
        ReadRoute(f"{path}/{{position}}", call, summary, cached=True, form=form),
        ReadRoute(path, call, f"{summary} The position is in the query.", cached=True, form=form),
    ]


ROUTES: tuple[ReadRoute, ...] = (
    *_of_a_position("positions", "Solutions/Lookup", "What is known of a position."),
    *_of_a_position("lines", "Solutions/GetLine", "The line of best play."),
    *_of_a_position("proofs", "Solutions/GetProof", "A page of the proof below a position."),
    *_of_a_position("analyses", "Solutions/AnalyseGame", "What each move of a game gave away."),
    *_of_a_position("threats", "Solutions/GetThreats", "Wins by threats, and what stops them."),
    *_of_a_position("problems", "Solutions/ExamineProblem", "Whether one first move alone wins, with all variations."),
    *_of_a_position("exports", "Transfer/Export", "A file with the records of a position or of a game.", "file"),
    ReadRoute(f"{GAME}/positions", "Solutions/BatchLookup", "What is known of many positions.", verb="POST"),
    ReadRoute(GAME, "Solutions/GetGame", "A game.", cached=True),
    ReadRoute(f"{GAME}/statistics", "Solutions/GetStatistics", "Counts of a game's records."),
    ReadRoute("/v1/games", "Solutions/ListGames", "The games of the store, and others that can be opened."),
    ReadRoute("/v1/statistics", "Solutions/GetStatistics", "Counts of the store."),
    ReadRoute("/v1/limits", "Solutions/GetLimits", "What the server accepts."),
    ReadRoute("/v1/jobs", "Jobs/List", "Jobs, newest first."),
    ReadRoute("/v1/jobs/{id}", "Jobs/Get", "A job as it is now."),
    ReadRoute("/v1/jobs/{id}/positions", "Jobs/ListPositions", "What a job over a list of positions has found."),
    ReadRoute("/v1/jobs/{id}/events", "Jobs/Watch", "The progress of a job.", form="events"),
)
