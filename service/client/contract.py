"""The calls of a service, in this process or of a server: one interface."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, ClassVar, Literal

from proofbase.engine.problems.report import ProblemReport
from proofbase.service.answers import (
    Analysis,
    Cut,
    GameInfo,
    ImportResult,
    ImportTablesResult,
    Line,
    PositionAnswer,
    Proof,
    Statistics,
    ThreatAnswer,
)
from proofbase.service.answers.batches import BatchItems, PackedAnswers
from proofbase.service.client.files import Exported
from proofbase.service.commands.transfer.record_blocks import RecordBlock
from proofbase.service.errors import ServiceFailedError, ServiceUnavailableError, rebuild_error
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job, JobPage
from proofbase.service.jobs.positions.model import PositionOutcome
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.limits import Limits
from proofbase.service.positions import Where
from proofbase.storage.closing import Closing

__all__ = ["OnProgress", "Service"]

OnProgress = Callable[[Job], None] | None
"""Called with each report of a job."""


class Service(Closing):
    """A service: over a store in this process, or at an address over gRPC. Both behave the same.

    **Games and positions.** A game goes by any of its names. A position is a text (the game's own form, or a list of
    moves such as `moves:4455`; nothing or `-` is the initial one), or a key (bytes) for the canonical position of that
    key. Moves in answers are in the orientation of the position asked for.

    **Options that several methods have.** Of lookups:

    * `search`: positions of unknown value are searched, creating at most so many nodes each; None: nothing is searched.
      Nothing of the searches is stored.
    * `search_seconds`: of all searches of the call (of a stream: of each batch), below the service's own limit.

    Of solves:

    * `at_least`: is the value at least this? Without both thresholds the exact value is asked for.
    * `result_at_least`: is the result of the game as a whole, the score so far plus the value, at least this? 1 asks
      for a win, 0 for a draw or better.
    * `algorithm`: name of a search with its policies. `budget`: limits.
    * `thresholds`: for the exact value, the order of the questions.
    * `workers`: 0 for one search; otherwise a proof manager gives tasks to so many workers, which are processes with
      `worker_processes`, and threads otherwise.

    **Errors.** The exceptions of `proofbase.engine.errors`, `proofbase.storage` and `proofbase.service.errors`, the
    same types from both; `ServiceUnavailableError` when a server does not answer. "Not known" is never an error.

    **Threads.** A client may be used by several threads. Close it, or use it as a context manager.

    Attributes:
        target: what was connected to.
        is_remote: whether the service is in another process, where jobs go on when this one ends.
        is_temporary: whether the store is gone when this process ends.
    """

    target: str
    is_remote: ClassVar[bool] = False
    is_temporary: bool = False

    # What is known

    @abstractmethod
    def games(self) -> list[GameInfo]:
        """The games of the store, then the other games that can be opened."""

    @abstractmethod
    def game(self, name: str) -> GameInfo:
        """One game by any of its names, whether the store has records of it or not."""

    @abstractmethod
    def limits(self) -> Limits:
        """What the service accepts."""

    @abstractmethod
    def lookup(
        self,
        game: str,
        position: Where = None,
        *,
        board: bool = False,
        distances: bool = False,
        search: int | None = None,
        search_seconds: float | None = None,
    ) -> PositionAnswer:
        """What is known of one position, its moves best first.

        With `distances` the answer says within how many plies the store proves that the position and its moves are not
        won or lost. With `search`, a position of unknown value is searched; `searched` tells of the search.
        """

    @abstractmethod
    def batch_lookup(
        self, game: str, positions: Sequence[str], *, search: int | None = None, search_seconds: float | None = None
    ) -> BatchItems:
        """What is known of many texts; each has its own status."""

    @abstractmethod
    def batch_lookup_keys(
        self, game: str, keys: Sequence[bytes], *, search: int | None = None, search_seconds: float | None = None
    ) -> PackedAnswers:
        """What is known of many keys, in columns."""

    @abstractmethod
    def batch_lookup_packed(
        self, game: str, packed: bytes, *, search: int | None = None, search_seconds: float | None = None
    ) -> PackedAnswers:
        """What is known of keys that are packed one after the other, each of the game's key size. The fastest way."""

    @abstractmethod
    def stream_lookup(
        self,
        game: str,
        batches: Iterable[Sequence[str] | Sequence[bytes]],
        *,
        search: int | None = None,
        search_seconds: float | None = None,
    ) -> Iterator[BatchItems | PackedAnswers]:
        """Batch after batch, answers in order: of texts (lists of items) or of keys (columns)."""

    @abstractmethod
    def line(self, game: str, position: Where = None, *, max_plies: int | None = None) -> Line:
        """The line of best play, and why it stops."""

    @abstractmethod
    def analyse_game(self, game: str, moves: str, position: Where = None) -> Analysis:
        """What is known of each move of a game that started at `position`; it searches nothing.

        `moves` is a list as people write it, or a game in PGN or SGF, which says itself where it begins.
        """

    @abstractmethod
    def threats(
        self, game: str, position: Where = None, *, search: int | None = None, search_seconds: float | None = None
    ) -> ThreatAnswer:
        """Wins by threats in a position of go-moku, renju or qubic, and what stops them.

        Args:
            game: any name of the game.
            position: one where the game goes on.
            search: nodes of one search; None for 20,000.
            search_seconds: of all searches of the answer; None for the service's own limit.

        Raises:
            InvalidRequestError: the game has no threats, or is over in this position.
            LimitExceededError: more nodes or seconds than a lookup may take.
        """

    @abstractmethod
    def problem(
        self,
        game: str,
        position: Where = None,
        *,
        moves: int | None = None,
        intended: Sequence[str] = (),
        search_seconds: float | None = None,
    ) -> ProblemReport:
        """Whether exactly one first move wins in so many moves: keys, cooks, tries, variations (docs/problems.md).

        Args:
            game: a built-in one that is won, drawn or lost.
            position: one where the game goes on. EPD and the texts of composers say the length and the key as well.
            moves: the side to move is to win in so many; None: as the text says, or in as few as can be.
            intended: keys of the author, if the text does not say them: every other key is a cook.
            search_seconds: of all searches of the answer; None for the service's own limit.

        Raises:
            InvalidRequestError: the game has no problems, or is over in this position.
            LimitExceededError: more seconds than a lookup may take.
        """

    @abstractmethod
    def proof(
        self,
        game: str,
        position: Where = None,
        *,
        side: Literal["lower", "upper"] | None = None,
        max_depth: int | None = None,
        max_nodes: int | None = None,
        continuation: str | None = None,
    ) -> Proof:
        """A page of the proof below a position."""

    @abstractmethod
    def statistics(
        self,
        game: str | None = None,
        *,
        census: bool = False,
        continuation: str | None = None,
        histograms: bool = False,
    ) -> Statistics:
        """Counts of what the store holds; with `histograms` also of the positions of a game's tables."""

    # Jobs

    @abstractmethod
    def start_solve(
        self,
        game: str,
        position: Where = None,
        *,
        at_least: int | None = None,
        result_at_least: int | None = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
        workers: int = 0,
        worker_processes: bool = False,
    ) -> Job:
        """Queues a solve: for the exact value, or for "is it at least this?"."""

    @abstractmethod
    def start_positions(
        self,
        game: str,
        positions: Sequence[str] | Sequence[bytes],
        *,
        lines: Sequence[int] = (),
        source: str | None = None,
        at_least: int | None = None,
        result_at_least: int | None = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
    ) -> Job:
        """Queues one job that solves a list of positions, texts or keys, each within the budget.

        Every position is read before there is a job. `lines` are their lines in the file that they are from, and
        `source` is its name: messages and outcomes name them.

        Raises:
            InvalidPositionError: what is no position, with its line or else its index.
        """

    @abstractmethod
    def list_positions(
        self, job_id: str, *, skip: int = 0, limit: int | None = None
    ) -> tuple[list[PositionOutcome], Cut | None]:
        """A page of what a job over positions has found out so far, without the first `skip` outcomes.

        The cut is None where these are all that there are now.
        """

    def position_outcomes(self, job_id: str, *, skip: int = 0) -> Iterator[PositionOutcome]:
        """All that a job over positions has found out so far, page by page."""
        cut: Cut | None = Cut("count", "")
        while cut is not None:
            page, cut = self.list_positions(job_id, skip=skip)
            skip += len(page)
            yield from page

    @abstractmethod
    def start_verification(
        self,
        game: str | None = None,
        position: Where = None,
        *,
        sample: int | None = None,
        seed: int = 0,
        rules: Literal["native", "python"] = "native",
        quarantine: bool = False,
        repair: bool = False,
        zones: bool = False,
    ) -> Job:
        """Queues the local check of the whole store, of a game, or of what a position's claims rest on.

        Args:
            game, position: what is checked.
            sample: only so many records, drawn without replacement; None: all.
            seed: of the drawing, 0 to 2**63 - 1.
            rules: `python` for the independent rules.
            quarantine: what fails, and what rests on it, is moved out of the records.
            repair: what failing records rest on is proved anew, where a search can.
            zones: replies outside the zones of threat trees are not played out (docs/zones.md).
        """

    @abstractmethod
    def start_table(
        self,
        game: str,
        size: int,
        *,
        action: Literal["build", "verify"] = "build",
        threads: int = 0,
        distances: bool = False,
        memory_bytes: int | None = None,
        disk_bytes: int | None = None,
        present: bool = False,
        table: str | None = None,
        compress: bool = False,
    ) -> Job:
        """Queues the building of the tables of a size that are missing beside the store, or the verification of all.

        Args:
            game: one with tables.
            size: what the game means by it, such as the stones of awari.
            action: `build` those that are missing, or `verify` all.
            threads: 0 for one a processor.
            distances: tables of plies beside those of values are among them (docs/tables.md).
            memory_bytes: a class that needs more is built or verified in parts; None: the limit `job_memory_bytes`.
            disk_bytes: begin only if the files need no more.
            present: verify those of the tables that are there; without it all have to be there.
            table: only the one with this name, such as chess-kr-kp, and those that it needs.
            compress: each table before the next one is built, those that are there too.
        """

    @abstractmethod
    def watch(self, job_id: str) -> Iterator[Job]:
        """The job now, then at least twice a second while it runs, until it is finished or paused."""

    @abstractmethod
    def job(self, job_id: str) -> Job:
        """The job as it is now."""

    @abstractmethod
    def jobs(
        self,
        states: Collection[str] = (),
        *,
        kinds: Collection[str] = (),
        limit: int | None = None,
        continuation: str | None = None,
    ) -> tuple[JobPage, Cut | None]:
        """A page of jobs, newest first, and how to go on; its `unreadable` counts those that were passed over."""

    @abstractmethod
    def prune_jobs(self, *, older_than: float | None = None, keep: int | None = None) -> int:
        """Forgets finished jobs that ended at least `older_than` seconds ago, and returns how many.

        The newest `keep` finished jobs stay. None is what the service itself does at intervals: `kept_job_days` and
        `kept_jobs` of its limits.
        """

    @abstractmethod
    def cancel(self, job_id: str) -> Job:
        """Ends a job for good."""

    @abstractmethod
    def pause(self, job_id: str) -> Job:
        """Stops a job so that it can be resumed."""

    @abstractmethod
    def resume(self, job_id: str, *, budget: Budget | None = None) -> Job:
        """Queues a job that is paused or has failed, or a solve whose budget was used up (`job.resumable`).

        `budget` gives new limits of a solve, over all its work so far; those that are None stay as they were. A solve
        whose budget was used up goes on where it ended, if it gets more of what was used up.
        """

    def wait(self, job_id: str, *, on_progress: OnProgress = None) -> Job:
        """Watches a job until it is finished or paused, and returns it.

        An exception in `on_progress`, or an interruption, cancels the job and is raised again.

        Raises:
            ServiceUnavailableError: the server has gone away; the job goes on when it is back.
            Exception: what the job failed with.
        """
        job: Job | None = None
        try:
            for job in self.watch(job_id):
                if on_progress is not None:
                    on_progress(job)
        except ServiceUnavailableError as error:
            raise ServiceUnavailableError(
                f"{error}; job {job_id} goes on when the server is back, and wait({job_id!r}) of a client follows it"
            ) from None
        except BaseException:
            self._cancel_quietly(job_id)
            raise
        if job is None:
            raise ServiceFailedError(f"the watch of job {job_id} ended without a report")
        if job.state == "failed":
            raise rebuild_error(job.error_reason or "INTERNAL", job.error or f"job {job_id} failed", {})
        return job

    def _cancel_quietly(self, job_id: str) -> None:
        try:
            self.cancel(job_id)
        except Exception:
            return  # the job has ended, or the server is gone: the first error is the one to raise

    # Transfer

    @abstractmethod
    def export(
        self,
        game: str,
        position: Where = None,
        *,
        form: Literal["certificate", "jsonl", "csv", "dot", "estimates"] = "certificate",
        max_nodes: int | None = None,
        strategy_seconds: float | None = None,
        side: Literal["lower", "upper"] | None = None,
    ) -> Exported:
        """A file with the records that a position's claims rest on; for None all of the game (JSON lines and CSV).

        With `side`, only what the position's bounds of that side rest on: one half of a draw, say.
        With `strategy_seconds`, a certificate gets smaller: for so long strategies are looked for (docs/strategies.md).
        """

    @abstractmethod
    def import_(
        self,
        data: Iterable[bytes] | IO[bytes] | Path,
        *,
        form: Literal["certificate", "jsonl", "estimates"] = "certificate",
        source: str | None = None,
    ) -> ImportResult:
        """Checks a file (its chunks, the open file, or its path) and merges its records. It may be compressed by xz.

        The source of the records is by default the name of the file, where a path is given.
        """

    @abstractmethod
    def record_blocks(self, game: str, firsts: Sequence[bytes] = ()) -> Iterator[RecordBlock]:
        """Ranges of a game's records with their fingerprints, keys ascending.

        `firsts` are the keys with which ranges begin; records before them are a range of their own.
        """

    @abstractmethod
    def block_records(self, game: str, first: bytes = b"", end: bytes | None = None) -> Iterator[tuple[bytes, bytes]]:
        """Keys and encoded records, without sources, from the key `first` on and before the key `end`."""

    @abstractmethod
    def read_table(self, game: str, name: str) -> Iterator[bytes]:
        """The file of a table, chunk by chunk: one of `statistics().tables`."""

    @abstractmethod
    def import_tables(self, game: str, tables: Iterable[tuple[str, Iterable[bytes]]]) -> ImportTablesResult:
        """Verifies every entry of tables, and puts them into the directory of tables, all or none.

        `tables` are names and the bytes of files. The smaller tables that they need are among them or there already;
        those of the same names are replaced.

        Raises:
            DamagedTableError: a table is not what it should be.
        """

    # Life

    @abstractmethod
    def close(self) -> None:
        """Ends the connection; in process it also closes the store."""
