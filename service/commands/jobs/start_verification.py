"""Start a verification."""

from __future__ import annotations

from typing import Any, Literal

from proofbase.engine.errors import (
    InvalidParametersError,
    NativeCoreMissingError,
    RulesNotLoadedError,
    UnknownGameError,
)
from proofbase.engine.rules import Game
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.starting import JobStarter
from proofbase.service.jobs.verification import VerificationSpec
from proofbase.service.positions import Where, find_position, text_of_job
from proofbase.service.resources import Resources
from proofbase.storage import StoreReadOnlyError

__all__ = ["start_verification"]

NEEDS_CORE = (
    "the native rules, a quarantine and a repair need the native core: `pip install .` in a clone of proofbase builds "
    "it; `proofbase verify --rules python` needs no core"
)


def start_verification(
    resources: Resources,
    jobs: JobStarter,
    game_name: str | None = None,
    where: Where = None,
    *,
    sample: int | None = None,
    seed: int = 0,
    rules: Literal["native", "python"] = "native",
    quarantine: bool = False,
    zones: bool = False,
    repair: bool = False,
) -> Job:
    """Queues the local check of stored records.

    Args:
        resources: the store and what belongs to it.
        jobs: starts the job.
        game_name: only this game; None for all.
        where: only what the claims of this position rest on; None for everything (write `-` for the initial position).
        sample: only so many records, drawn without replacement.
        seed: seed of the sample.
        rules: the rules to check by.
        quarantine: move what fails, and what rests on it, out of the records.
        zones: do not play out replies outside the zones of threat trees (docs/zones.md).
        repair: search for proofs of what failing records rest on, and store them, before anything is moved.

    Raises:
        RulesNotLoadedError: there is no such game here: nothing can be checked.
        InvalidPositionError: there is no such position.
        InvalidRequestError: a position without a game, a sample of nothing, unknown rules.
        QueueFullError, StoreReadOnlyError: the service cannot take it.
        NativeCoreMissingError: the service answers by the rules in Python, and cannot check by the native ones.
    """
    if rules not in ("native", "python"):
        raise InvalidRequestError(f"rules are 'native' or 'python', not {rules!r}", field="rules")
    if (rules == "native" or quarantine or repair) and resources.games.rules == "python":
        raise NativeCoreMissingError(NEEDS_CORE)
    if sample is not None and sample < 1:
        raise InvalidRequestError(f"a sample of {sample} records: at least 1 is needed", field="sample")
    if not 0 <= seed < 1 << 63:
        raise InvalidRequestError(f"a seed of {seed}: 0 to 2**63-1 are possible", field="seed")
    if game_name is None:
        if where is not None:
            raise InvalidRequestError("a position needs a game", field="game")
        spec = VerificationSpec(None, None, sample, seed, rules, quarantine, zones, repair)
    else:
        game = _opened(resources, game_name)
        position = None if where is None else text_of_job(game, find_position(game, where))
        spec = VerificationSpec(game.name, position, sample, seed, rules, quarantine, zones, repair)
    if (quarantine or repair) and resources.store.read_only:
        what = "quarantined" if quarantine else "repaired"
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be {what}")
    return jobs.start(spec)


def _opened(resources: Resources, name: str) -> Game[Any]:
    try:
        return resources.games.open(name)
    except InvalidParametersError:
        raise
    except UnknownGameError as error:
        raise RulesNotLoadedError(f"nothing was checked: {error}") from None
