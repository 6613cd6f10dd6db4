"""The limits of a service: configuration with good defaults, which clients can ask for, and those that are fixed.

With the fixed ones every field of every message is bounded, and a message stays below 1 MiB (batches of packed keys:
below `message_bytes`). What is longer is cut, and says so (`service/answers/bounds.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

__all__ = [
    "BOARD_CHARACTERS",
    "ERROR_CHARACTERS",
    "FINDING_BYTES",
    "HARD_MESSAGE_BYTES",
    "LINE_CHARACTERS",
    "LINE_MOVES",
    "MOVE_CHARACTERS",
    "PAGE_BYTES",
    "POSITION_CHARACTERS",
    "QUESTIONS",
    "TEXT_CHARACTERS",
    "TURN_SECONDS",
    "Limits",
]

MIB = 1 << 20
PAGE_BYTES = 800_000
"""An answer with many items ends its page at so many bytes."""
POSITION_CHARACTERS = 10_000
"""The text of a position, in requests and in answers."""
BOARD_CHARACTERS = 20_000
TEXT_CHARACTERS = 1_000
"""Any other text in an answer."""
ERROR_CHARACTERS = 2_000
"""What a failed job or call says. HTTP/2 headers carry it twice; servers and proxies limit them to some 8 KiB."""
MOVE_CHARACTERS = 200
LINE_MOVES, LINE_CHARACTERS = 100, 2_000
"""The best line in the progress of a job, which tells how many moves the line has in all."""
QUESTIONS = 1_000
"""Questions of a solve, in its result: the last ones, with the number of all."""
FINDING_BYTES = 500_000
"""All findings that a verification keeps, together."""
TURN_SECONDS = 0.04
"""A long write is cut into transactions of about this length, with room for the writes of others between them. A job or
a call that is to stop ends after one of them."""
FEWEST_TABLE_BYTES = 4 * MIB
"""More than the largest block of a table."""
HARD_MESSAGE_BYTES = 64 * MIB
"""Larger messages would block the event loop for too long, whatever the configuration says."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server accepts. Every limit is a positive number; there is no "unlimited".

    Attributes:
        batch_size: positions in one batch.
        message_bytes: bytes of one message, in either direction.
        concurrent_jobs: jobs that run at a time; more wait, and clients take turns.
        job_turn_seconds: a job that has worked for so long gives its slot to a waiting job of another client.
        job_threads: threads and worker processes of one job. `proofbase serve` allows as many as there are processors.
        queued_jobs: jobs that may wait.
        job_memory_bytes: bytes of one job's search, and its default budget.
        cache_bytes: bytes of the in-memory copies of stored records, over all games.
        table_bytes: bytes of the blocks of tables in memory, over all games; 4 MiB at least.
        proof_nodes: nodes of one page of a proof.
        line_plies: plies of one line.
        census_records: records that one census reads.
        import_bytes: bytes of one import.
        concurrent_streams: long streams (watches, exports, imports, lookup streams) open at a time.
        search_nodes: nodes that the search of one position of a lookup may create.
        search_seconds: seconds that the searches of one lookup, single or batch, may take together.
        job_positions: positions in the list of one job.
        findings: findings that a verification keeps; it counts all failures.
        client_lookups: positions that one client may look up a second.
        client_streams: streams that one client may have open.
        client_jobs: jobs of one client that run or wait.
        client_running_jobs: jobs of one client that run at a time; its others wait. Below `concurrent_jobs`, no client
            can keep the others waiting.
        client_cpu_seconds: seconds of processor time a day (UTC) for the calls and the jobs of one client.
        kept_jobs: the newest finished jobs, so many, are kept whatever their age.
        kept_job_days: every finished job is kept for so many days; then a server forgets it.
        kept_searches: of the solves that their budget ended, so many keep their checkpoints: the newest ones.

    Raises:
        ValueError: a limit is not a positive whole number, message_bytes is outside 1 KiB..64 MiB, or table_bytes is
            below 4 MiB.
    """

    batch_size: int = 10_000
    message_bytes: int = 4 * MIB
    concurrent_jobs: int = 2
    queued_jobs: int = 1_000
    job_memory_bytes: int = 4 << 30
    cache_bytes: int = 2 << 30
    table_bytes: int = 2 << 30
    proof_nodes: int = 5_000
    line_plies: int = 1_000
    census_records: int = 5_000_000
    import_bytes: int = 8 << 30
    concurrent_streams: int = 100
    findings: int = 1_000
    search_nodes: int = 1_000_000
    search_seconds: int = 10
    job_positions: int = 1_000_000
    job_turn_seconds: int = 30
    job_threads: int = 255
    client_lookups: int = 2_000_000
    client_streams: int = 50
    client_jobs: int = 100
    client_running_jobs: int = 1
    client_cpu_seconds: int = 86_400
    kept_jobs: int = 1_000
    kept_job_days: int = 30
    kept_searches: int = 100

    def __post_init__(self) -> None:
        for field in fields(self):
            number = getattr(self, field.name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise ValueError(f"limit {field.name} is {number!r}: a whole number above 0 is needed")
            if number >= 1 << (63 if "bytes" in field.name or field.name == "census_records" else 31):
                raise ValueError(f"limit {field.name} is {number}: that is more than it can be")
        if not 1024 <= self.message_bytes <= HARD_MESSAGE_BYTES:
            raise ValueError(f"limit message_bytes is {self.message_bytes}: 1024..{HARD_MESSAGE_BYTES} are possible")
        if self.table_bytes < FEWEST_TABLE_BYTES:
            raise ValueError(f"limit table_bytes is {self.table_bytes}: {FEWEST_TABLE_BYTES} at least")

    @classmethod
    def of(cls, settings: Mapping[str, int]) -> Limits:
        """Limits from a configuration that names only some of them.

        Raises:
            ValueError: an unknown name, or a number out of range.
        """
        names = {field.name for field in fields(cls)}
        unknown = sorted(set(settings) - names)
        if unknown:
            raise ValueError(f"unknown limit {unknown[0]!r}: there are {', '.join(sorted(names))}")
        return cls(**settings)
