"""The interface of all clients, of services in this process and of servers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, ClassVar, Literal, Unpack, overload

from proofbase.engine.checking.certificate import MOST_COMPRESSED
from proofbase.engine.checking.xz import XZ_SUFFIX
from proofbase.engine.formats.foreign.claim import ForeignClaim
from proofbase.service.answers import (
    Analysis,
    Cut,
    ExportSummary,
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
from proofbase.service.client.all_moves import solve_all_moves
from proofbase.service.client.arguments import ChecksArguments
from proofbase.service.client.claim_tables import claims_table, write_parquet
from proofbase.service.client.coq_files import write_coq_theorem
from proofbase.service.client.files import Exported, write_compressed, write_file
from proofbase.service.client.foreign.checking import TriedClaims, check_claims
from proofbase.service.client.foreign.report import ForeignReport
from proofbase.service.client.options import (
    OneSolveOptions,
    QuestionOptions,
    SearchOptions,
    SolveOptions,
    TableOptions,
    VerificationOptions,
)
from proofbase.service.client.shortest import ShortestWin, shortest_win
from proofbase.service.commands.transfer.record_blocks import RecordBlock
from proofbase.service.errors import InvalidRequestError, ServiceFailedError, ServiceUnavailableError, rebuild_error
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job, JobPage
from proofbase.service.jobs.positions.report import PositionOutcome
from proofbase.service.limits import Limits
from proofbase.service.positions import Where
from proofbase.service.scores import GameScores, PlayedGame, score_games
from proofbase.storage.closing import Closing

__all__ = ["Client"]

OnProgress = Callable[[Job], None] | None
"""Called with each report of a job."""


class Client(ChecksArguments, Closing):
    """A service: over a store in this process, or at an address over gRPC. Both behave the same.

    **Games and positions.** A game goes by any of its names. A position is a text (the game's own form, or a list of
    moves such as `moves:4455`; nothing or `-` is the initial one), or a key (bytes) for the canonical position of that
    key. Moves in answers are in the orientation of the position asked for. Options that several methods have
    (client/options.py): `search` and `search_seconds` of lookups; `at_least`, `result_at_least`, `algorithm`,
    `thresholds` and `budget` of solves.

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
        **search: Unpack[SearchOptions],
    ) -> PositionAnswer:
        """What is known of one position, its moves best first.

        With `distances` the answer says within how many plies the store proves that the position and its moves are not
        won or lost. With `search`, a position of unknown value is searched; `searched` tells of the search.
        """

    @abstractmethod
    def batch_lookup(self, game: str, positions: Sequence[str], **search: Unpack[SearchOptions]) -> BatchItems:
        """What is known of many texts; each has its own status."""

    @abstractmethod
    def batch_lookup_keys(self, game: str, keys: Sequence[bytes], **search: Unpack[SearchOptions]) -> PackedAnswers:
        """What is known of many keys, in columns."""

    @abstractmethod
    def batch_lookup_packed(self, game: str, packed: bytes, **search: Unpack[SearchOptions]) -> PackedAnswers:
        """What is known of keys that are packed one after the other, each of the game's key size. The fastest way."""

    @abstractmethod
    def stream_lookup(
        self, game: str, batches: Iterable[Sequence[str] | Sequence[bytes]], **search: Unpack[SearchOptions]
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
    def threats(self, game: str, position: Where = None, *, search: int | None = None) -> ThreatAnswer:
        """Wins by threats in a position of go-moku, renju or qubic, and what stops them.

        Args:
            game: any name of the game.
            position: one where the game goes on.
            search: nodes of one search; None for 20,000.

        Raises:
            InvalidRequestError: the game has no threats, or is over in this position.
            LimitExceededError: more nodes than a lookup may take.
        """

    def score_games(
        self,
        game: str,
        games: Iterable[PlayedGame | str | Sequence[int]],
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> GameScores:
        """What every move of some games gave away, as rows, columns, and summaries of the players.

        A game is a `PlayedGame`, the text of its moves, or the numbers of OpenSpiel's actions. Positions of unknown
        value are searched in this process, each with so many `nodes`, all within so many `seconds`; without both none
        is. `on_progress` is called with the number of moves read so far.

        Raises:
            InvalidMoveError, InvalidPositionError: a game cannot be read; the message has its number and line.
        """
        name = self.game(game).name
        counted = {entry.game: entry.fingerprint for entry in self.statistics(name).games}
        return score_games(
            self,
            name,
            games,
            nodes=nodes,
            seconds=seconds,
            batch_size=self.limits().batch_size,
            fingerprint=counted.get(name),
            on_progress=on_progress or (lambda moves: None),
        )

    def check_claims(
        self,
        game: str,
        claims: Iterable[ForeignClaim],
        *,
        source: str | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        tried: TriedClaims | None = None,
        on_report: Callable[[ForeignReport], None] | None = None,
    ) -> ForeignReport:
        """What becomes of claims that others make (docs/foreign.md): proved, refuted or open.

        What is known is looked up. The rest is searched, with so many `nodes` for each claimed limit, all within so
        many `seconds`; without `nodes` nothing is. What is proved is stored, with `source` among its sources. Claims
        that `tried` has seen searched with as many nodes are not searched again.

        Raises:
            InvalidPositionError: a claim is about no position of the game; the message has its place.
        """
        return check_claims(
            self, game, claims, source=source, nodes=nodes, seconds=seconds, tried=tried, on_report=on_report
        )

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
    def start_solve(self, game: str, position: Where = None, **asked: Unpack[OneSolveOptions]) -> Job:
        """Queues a solve: for the exact value, or for "is it at least this?"."""

    @abstractmethod
    def start_positions(
        self,
        game: str,
        positions: Sequence[str] | Sequence[bytes],
        *,
        lines: Sequence[int] = (),
        source: str | None = None,
        **asked: Unpack[QuestionOptions],
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
        self, game: str | None = None, position: Where = None, **options: Unpack[VerificationOptions]
    ) -> Job:
        """Queues the local check of the whole store, of a game, or of what a position's claims rest on."""

    @abstractmethod
    def start_table(self, game: str, size: int, **options: Unpack[TableOptions]) -> Job:
        """Queues the building of the tables of a size that are missing beside the store, or the verification of all."""

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

    @overload
    def solve(
        self,
        game: str,
        position: Where = None,
        *,
        shortest: Literal[False] = False,
        on_progress: OnProgress = None,
        **asked: Unpack[OneSolveOptions],
    ) -> Job: ...

    @overload
    def solve(
        self,
        game: str,
        position: Where = None,
        *,
        shortest: Literal[True],
        most_plies: int | None = None,
        on_progress: OnProgress = None,
        **asked: Unpack[SolveOptions],
    ) -> ShortestWin: ...

    def solve(
        self,
        game: str,
        position: Where = None,
        *,
        shortest: bool = False,
        most_plies: int | None = None,
        on_progress: OnProgress = None,
        **asked: Unpack[OneSolveOptions],
    ) -> Job | ShortestWin:
        """Solves and waits; the job's `result` has the answer. Interrupted (by Ctrl-C, say), it cancels the job.

        With `shortest` it looks for the shortest win of the side to move, within at most `most_plies`, by one job for
        each number of plies; the budget is that of all of them. The answer has its `plies`, or why there are none.

        Raises:
            InvalidRequestError: `most_plies` without `shortest`, or an option that asks another question with it.
            Exception: what the job failed with.
        """
        if shortest:
            run = partial(self._finished, on_progress=on_progress)
            return shortest_win(self, game, position, run, most_plies, dict(asked))
        if most_plies is not None:
            raise InvalidRequestError("most_plies goes with shortest=True", field="most_plies")
        return self.wait(self.start_solve(game, position, **asked).id, on_progress=on_progress)

    def _finished(self, job: Job, *, on_progress: OnProgress) -> Job:
        return self.wait(job.id, on_progress=on_progress)

    def solve_all_moves(
        self,
        game: str,
        position: Where = None,
        *,
        on_progress: OnProgress = None,
        **options: Unpack[SolveOptions],
    ) -> PositionAnswer:
        """Finds and stores the exact values of a position and of all its moves, within one budget for all of them.

        Raises:
            Exception: what a job failed with.
        """
        solve_all_moves(self, game, position, partial(self._finished, on_progress=on_progress), **options)
        return self.lookup(game, position)

    def verify(
        self,
        game: str | None = None,
        position: Where = None,
        *,
        on_progress: OnProgress = None,
        **options: Unpack[VerificationOptions],
    ) -> Job:
        """Verifies and waits; the job's `result` has the findings. Interrupted, it cancels the job.

        Raises:
            Exception: what the job failed with.
        """
        return self.wait(self.start_verification(game, position, **options).id, on_progress=on_progress)

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
    ) -> Exported:
        """A file with the records that a position's claims rest on; for None all of the game (JSON lines and CSV).

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

    def claims_table(self, game: str, position: Where = None) -> Any:
        """The claims that a position's claims rest on, for None all of the game, as a `pyarrow.Table`, a row for each.

        Columns: `key` (hexadecimal), `position`, `side` (`lower`, `upper`), `bound`, `rank`, `evidence`, `witness`,
        `sources` (their numbers). `claims_table(...).to_pandas()` is a data frame.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """
        return claims_table(self.export(game, position, form="csv"))

    def export_to(
        self,
        path: Path,
        game: str,
        position: Where = None,
        *,
        form: Literal["certificate", "jsonl", "csv", "dot", "parquet", "coq", "estimates"] = "certificate",
        max_nodes: int | None = None,
        strategy_seconds: float | None = None,
        on_chunk: Callable[[bytes], None] | None = None,
    ) -> ExportSummary:
        """Writes an export into a file, which is complete or not there at all. Each chunk is given to `on_chunk`.

        `parquet` has a row for each claim, with the columns of `claims_table`. `coq` is the certificate as a theorem
        for Coq (docs/formal.md). A file of another format whose name ends in `.xz` is compressed. `bytes` of the
        summary is the size of the file.

        Raises:
            InvalidRequestError: a name that ends in `.xz` for `parquet` or `coq`.
            ModuleNotFoundError: for `parquet`, pyarrow is not installed.
            InvalidParametersError: for `coq`, the game or a kind of evidence is not in engine/formal.
        """
        compress = path.suffix == XZ_SUFFIX
        if compress and form in ("parquet", "coq"):
            raise InvalidRequestError(f"{path.name}: files of the format {form} are not compressed by xz", field="path")
        part = path.with_name(path.name + ".part")
        written: Any = {"parquet": "csv", "coq": "certificate"}.get(form, form)
        chunks = self.export(game, position, form=written, max_nodes=max_nodes, strategy_seconds=strategy_seconds)
        try:
            if form == "parquet":
                summary = write_parquet(part, chunks, on_chunk)
            elif form == "coq":
                summary = write_coq_theorem(part, chunks, on_chunk)
            elif compress:
                most = MOST_COMPRESSED if form == "certificate" else None
                summary = write_compressed(part, chunks, on_chunk, most)
            else:
                summary = write_file(part, chunks, on_chunk)
            part.replace(path)
        except OSError as error:
            if type(error) is OSError and error.filename is None:  # of a write
                error.filename = str(path)
            raise
        finally:
            part.unlink(missing_ok=True)
        return summary

    # Life

    @abstractmethod
    def close(self) -> None:
        """Ends the connection; in process it also closes the store."""
