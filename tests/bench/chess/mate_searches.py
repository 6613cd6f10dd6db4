"""Claimed mates from published files, the searches that prove them, and results that are kept from run to run."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from proofbase.engine._core import Search, open_game
from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.records import decode_record

__all__ = ["DATA", "Claimed", "Kept", "Proof", "ask_within", "claimed_mates", "prove"]

DATA = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "data"
"""Where the published files are."""


SOLUTION_SECONDS = 30.0
"""After which the records of a proof are given up."""


class Claimed(NamedTuple):
    """A position, and in how many moves its side to move mates; below 0: is mated."""

    name: str
    fen: str
    moves: int

    @property
    def plies(self) -> int:
        """Until the mate."""
        return 2 * self.moves - 1 if self.moves > 0 else -2 * self.moves


class Proof(NamedTuple):
    """What a search has found: whether a win, or a loss, is proved, and within how many plies."""

    proved: bool
    plies: int | None
    """None where it is not known; 0 where the opposite is proved."""
    nodes: int
    seconds: float
    """Of the processor, for the search without its records."""
    without_records: bool = False
    """The search has an answer, and does not come to an end with the records of it: it does not count as proved."""


def claimed_mates(file: Path) -> list[Claimed]:
    """The positions of a file with `bm #N` or `dm N`, by their lines."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        claim = re.search(r"\bbm #(-?\d+)|\bdm (-?\d+)", line)
        if claim and not line.startswith("#"):
            found.append(Claimed(f"line {number}", " ".join(line.split()[:4]), int(claim[1] or claim[2])))
    return found


def prove(
    game: str, text: str, *, wins: bool, nodes: int, seconds: float | None = None, algorithm: str = "df-pn"
) -> Proof:
    """Asks whether the side to move wins, or loses; a proof is checked record by record.

    Raises:
        AssertionError: the local check refuses a record of the proof.
    """
    rules = open_game(game)
    position = rules.parse(text)
    search = Search(rules, position, 1 if wins else 0, algorithm=algorithm)
    begun = time.process_time()
    search.run(nodes=nodes, seconds=seconds)
    took, made = time.process_time() - begun, search.progress().nodes
    if search.status == "unknown":
        return Proof(False, None, made, took)
    if search.status != ("proved" if wins else "disproved"):
        return Proof(False, 0, made, took)
    cancelling = threading.Timer(SOLUTION_SECONDS, search.cancel)
    cancelling.start()
    try:
        solution = search.solution()
    except (SearchCancelledError, MemoryError):
        return Proof(False, None, made, took, without_records=True)
    finally:
        cancelling.cancel()
    assert solution.check().failed == 0, text
    data = solution.get(rules.key(position))
    assert data is not None, text
    claims = decode_record(data).claims
    ranks = [claim.rank for claim in claims if (claim.bound > 0 if wins else claim.bound < 0)]
    return Proof(True, min(ranks), made, took)


def ask_within(claimed: Claimed, plies: int, nodes: int) -> bool | None:
    """Whether the side to move mates, or is mated, within so many plies; None: not known after so many nodes."""
    if plies < 1:
        return False
    rules = open_game(f"within:{plies}:chess")
    search = Search(rules, rules.parse(claimed.fen), 1 if claimed.moves > 0 else 0, algorithm="df-pn")
    search.run(nodes=nodes)
    if search.status == "unknown":
        return None
    assert search.solution().check().failed == 0, claimed
    return search.status == ("proved" if claimed.moves > 0 else "disproved")


class Kept:
    """Results by name in a file of JSON lines, so that a run goes on where an earlier one ended.

    Args:
        file: the file; None: nothing is kept.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.results: dict[str, dict[str, Any]] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.results[entry.pop("name")] = entry

    def add(self, name: str, **result: Any) -> None:
        """Keeps a result at once."""
        self.results[name] = result
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"name": name, **result}) + "\n")
