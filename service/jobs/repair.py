"""Proves anew what failing claims of a game rest on, so that these pass their local check again.

Stores that were written by releases before this one may hold claims whose support was never stored: of an import that
was killed, say. Such a claim is usually true, and a search that uses the records around it proves it quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from proofbase.engine.rules import Game
from proofbase.service.errors import LimitExceededError
from proofbase.service.jobs.failing_claims import keep_sound_part, whole_game
from proofbase.service.jobs.proof_manager.task import Task, run_task
from proofbase.service.resources import Resources
from proofbase.storage import (
    Claim,
    Record,
    RecordError,
    RecordsRemovedError,
    Side,
    decode_record,
    encode_record,
    without_sources,
)

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["REPAIR_NODES", "repair"]

REPAIR_NODES = 1_000_000
"""Nodes of the search for one claim at the most."""
Broken = tuple[int, bytes, Claim]
"""A rank, a key, and a claim that fails."""


def repair(
    resources: Resources,
    game: Game[Any],
    stop_if_asked: Callable[[], None],
    must_stop: Callable[[], bool],
    *,
    may_replace: bool,
) -> int:
    """Searches for proofs of the claims that fail, and stores them.

    Claims are taken by ascending rank. One that passes again, since what it rests on was proved just before, costs no
    search. The new proof may need more plies than a claim says. Then, with `may_replace`, the same bound with the rank
    of the proof takes the place of the claim, which goes to the quarantine. A claim that is false, or that no search of
    `REPAIR_NODES` nodes proves, is left as it is.

    Args:
        resources: the store and what belongs to it.
        game: the game.
        stop_if_asked: called now and then; what it raises ends the repair. What was stored until then stays.
        must_stop: whether a search has to end now.
        may_replace: whether claims may go to the quarantine.

    Returns:
        Of how many records claims went to the quarantine.

    Raises:
        LimitExceededError: the game's records do not fit into `job_memory_bytes`.
    """
    replaced = 0
    while True:
        removals = resources.store.removals(game.name)
        sound, broken = _sound_and_failing(resources, game, stop_if_asked)
        proofs = _Proofs(resources, game, sound, removals, must_stop, may_replace=may_replace)
        try:
            for _, key, claim in broken:
                stop_if_asked()
                proofs.prove(key, claim)
        except RecordsRemovedError:
            continue  # what was sound may fail now
        finally:
            replaced += proofs.replaced
        return replaced


class _Proofs:
    """Proves claims that fail, one after the other.

    Args:
        resources, game: as in `repair`.
        sound: stored claims that pass; what is proved is added.
        removals: of the records when these were read.
        must_stop: whether a search has to end now.
        may_replace: as in `repair`.

    Attributes:
        replaced: of how many records claims went to the quarantine.
    """

    def __init__(
        self,
        resources: Resources,
        game: Game[Any],
        sound: RecordTable,
        removals: int,
        must_stop: Callable[[], bool],
        *,
        may_replace: bool,
    ) -> None:
        self.replaced = 0
        self._may_replace = may_replace
        self._resources = resources
        self._game = game
        self._sound = sound
        self._removals = removals
        self._must_stop = must_stop
        self._set_aside: set[tuple[bytes, Claim]] = set()
        """Stored claims in whose place a claim of a larger rank is now."""

    def prove(self, key: bytes, claim: Claim) -> None:
        """Makes one claim pass, or puts the same bound with another rank in its place, if a search proves it."""
        if _passes(self._sound, key, claim):
            if (key, claim) in self._set_aside:
                self._store([key], "repair: it passes again")
            return
        game, memory = self._game, self._resources.limits.job_memory_bytes
        at_least = claim.bound if claim.side == Side.LOWER else claim.bound + 1
        position = game.position(key)
        task = Task(0, game.name, game.text(position), at_least, "auto", REPAIR_NODES, memory)
        result = run_task(task, game, position, self._sound, self._must_stop)
        if result.answer is (claim.side == Side.LOWER):
            proved = list(dict.fromkeys([*(proved for proved, _ in result.records), key]))
            before = [(proved, self._sound.get(proved)) for proved in proved]
            self._sound.load(result.records)
            gone = {} if _passes(self._sound, key, claim) else {key: claim}
            if not self._store(proved, f"repair {result.algorithm} at_least={at_least}", gone):
                self._sound.remove(proved)
                self._sound.load([(other, record) for other, record in before if record is not None])

    def _store(self, keys: list[bytes], source: str, gone: Mapping[bytes, Claim] = MappingProxyType({})) -> bool:
        """Stores the sound claims of keys, in the place of those that fail and would hide them: of a smaller rank.

        Args:
            keys: of records of which some claims are sound.
            source: where they come from.
            gone: claims that go as well.

        Returns:
            False if nothing was stored, since no claim may go.
        """
        stored = zip(keys, self._resources.undamaged.get_many(self._game.name, keys), strict=True)
        instead_of = dict[bytes, list[Claim]]()
        for key, data in stored:
            record = self._sound.get(key)
            if record is None:
                continue
            passing = decode_record(record).claims
            there = () if data is None else decode_record(without_sources(data)).claims
            hiding = [one for one in there if one not in passing and _hides(one, passing)]
            hiding += [one for one in there if one == gone.get(key) and one not in passing + tuple(hiding)]
            if hiding:
                instead_of[key] = hiding
                if self._may_replace:
                    self._set_aside.update((key, claim) for claim in hiding)
        if instead_of and not self._may_replace:
            return False
        self.replaced += len(instead_of)
        self._removals = self._resources.writer.replace(
            self._game, self._sound, keys, instead_of, source=source, removals=self._removals
        )
        return True


def _sound_and_failing(
    resources: Resources, game: Game[Any], stop_if_asked: Callable[[], None]
) -> tuple[RecordTable, list[Broken]]:
    """The largest part of the stored claims that pass with each other alone, and the others by ascending rank."""
    whole = whole_game(resources, game, stop_if_asked)
    if whole is None:
        raise LimitExceededError(
            f"the records of {game.name} take more than {resources.limits.job_memory_bytes} bytes of memory: they "
            "cannot be repaired within this limit",
            limit="job_memory_bytes",
            largest=resources.limits.job_memory_bytes,
            field="repair",
        )
    failing = keep_sound_part(whole, {}, stop_if_asked)
    broken = [(claim.rank, key, claim) for key, claims in failing.items() for claim in claims or ()]
    return whole.records, sorted(broken, key=lambda entry: entry[:2])


def _hides(claim: Claim, others: tuple[Claim, ...]) -> bool:
    return any(claim.dominates(other) for other in others)


def _passes(table: RecordTable, key: bytes, claim: Claim) -> bool:
    """Whether a claim passes with the records of a table, which has it then."""
    before = table.get(key)
    try:
        table.put(key, encode_record(Record.of([claim])))
    except RecordError:  # it contradicts what was proved
        return False
    if not any(finding.claim in (None, claim) for finding in table.check([key]).findings):
        return True
    table.remove([key])
    if before is not None:
        table.put(key, before)
    return False
