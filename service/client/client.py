"""A service with what is made of several of its calls: solving and waiting, scores, claims of others, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from proofbase.engine.formats.foreign.claim import ForeignClaim
from proofbase.service.answers import ExportSummary, PositionAnswer
from proofbase.service.client.all_moves import solve_all_moves
from proofbase.service.client.claim_tables import claims_table
from proofbase.service.client.contract import OnProgress, Service
from proofbase.service.client.exported_files import export_to
from proofbase.service.client.foreign.checking import TriedClaims, check_claims
from proofbase.service.client.foreign.report import ForeignReport
from proofbase.service.client.game_scores import score_games
from proofbase.service.client.shortest import ShortestWin, shortest_win
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.positions import Where
from proofbase.service.scores import GameScores, PlayedGame
from proofbase.service.scores.regrets import regrets

__all__ = ["Client"]


class Client(Service):
    """What `connect` opens: a service over a store in this process, or at an address over gRPC."""

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
        return score_games(self, game, games, nodes=nodes, seconds=seconds, on_progress=on_progress)

    def regret(self, game: str, position: Where, move: str | int) -> int | None:
        """What a move gives away: the value of the position less that of the move; None where it is not proved.

        0 is a best move. Nothing is searched. Of many moves `regrets` is faster.

        Raises:
            InvalidPositionError, InvalidMoveError: there is no such position or move.
        """
        return regrets(self, game, [position], [move], numbered=False)[0]

    def regrets(self, game: str, positions: Iterable[Where], moves: Iterable[str | int]) -> list[int | None]:
        """The regret of one move in each position, both as lists. A move is a text or its number.

        Raises:
            InvalidPositionError, InvalidMoveError: an item is none; the message has its index.
            ValueError: there are more positions than moves, or fewer.
        """
        return regrets(self, game, positions, moves, batch_size=self.limits().batch_size)

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

    @overload
    def solve(
        self,
        game: str,
        position: Where = None,
        *,
        shortest: Literal[False] = False,
        on_progress: OnProgress = None,
        at_least: int | None = None,
        result_at_least: int | None = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
        workers: int = 0,
        worker_processes: bool = False,
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
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
    ) -> ShortestWin: ...

    def solve(
        self,
        game: str,
        position: Where = None,
        *,
        shortest: bool = False,
        most_plies: int | None = None,
        on_progress: OnProgress = None,
        at_least: int | None = None,
        result_at_least: int | None = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
        workers: int = 0,
        worker_processes: bool = False,
    ) -> Job | ShortestWin:
        """Solves and waits; the job's `result` has the answer. Interrupted (by Ctrl-C, say), it cancels the job.

        With `shortest` it looks for the shortest win of the side to move, within at most `most_plies`, by one job for
        each number of plies; the budget is that of all of them. The answer has its `plies`, or why there are none.

        Raises:
            InvalidRequestError: `most_plies` without `shortest`, or an option that asks another question with it.
            Exception: what the job failed with.
        """
        if shortest:
            for name, value in (
                ("at_least", at_least),
                ("result_at_least", result_at_least),
                ("workers", workers or None),
            ):
                if value is not None:
                    raise InvalidRequestError(f"shortest=True asks questions of its own: leave out {name}", field=name)
            return shortest_win(
                self,
                game,
                position,
                self._run(on_progress),
                most_plies,
                algorithm=algorithm,
                thresholds=thresholds,
                budget=budget,
            )
        if most_plies is not None:
            raise InvalidRequestError("most_plies goes with shortest=True", field="most_plies")
        job = self.start_solve(
            game,
            position,
            at_least=at_least,
            result_at_least=result_at_least,
            algorithm=algorithm,
            thresholds=thresholds,
            budget=budget,
            workers=workers,
            worker_processes=worker_processes,
        )
        return self.wait(job.id, on_progress=on_progress)

    def _run(self, on_progress: OnProgress) -> Callable[[Job], Job]:
        return lambda job: self.wait(job.id, on_progress=on_progress)

    def solve_all_moves(
        self,
        game: str,
        position: Where = None,
        *,
        on_progress: OnProgress = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
    ) -> PositionAnswer:
        """Finds and stores the exact values of a position and of all its moves, within one budget for all of them.

        Raises:
            Exception: what a job failed with.
        """
        solve_all_moves(
            self, game, position, self._run(on_progress), algorithm=algorithm, thresholds=thresholds, budget=budget
        )
        return self.lookup(game, position)

    def verify(
        self,
        game: str | None = None,
        position: Where = None,
        *,
        on_progress: OnProgress = None,
        sample: int | None = None,
        seed: int = 0,
        rules: Literal["native", "python"] = "native",
        quarantine: bool = False,
        repair: bool = False,
        zones: bool = False,
    ) -> Job:
        """Verifies and waits; the job's `result` has the findings. Interrupted, it cancels the job.

        Raises:
            Exception: what the job failed with.
        """
        job = self.start_verification(
            game,
            position,
            sample=sample,
            seed=seed,
            rules=rules,
            quarantine=quarantine,
            repair=repair,
            zones=zones,
        )
        return self.wait(job.id, on_progress=on_progress)

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
        form: Literal["certificate", "jsonl", "csv", "dot", "parquet", "positions", "coq", "estimates"] = "certificate",
        max_nodes: int | None = None,
        strategy_seconds: float | None = None,
        side: Literal["lower", "upper"] | None = None,
        on_chunk: Callable[[bytes], None] | None = None,
    ) -> ExportSummary:
        """Writes an export into a file, which is complete or not there at all. Each chunk is given to `on_chunk`.

        `parquet` has a row for each claim, with the columns of `claims_table`; `positions` is Parquet with a row for
        each position: its `moves`, their `values` and the `best` ones (docs/judging-players.md). `coq` is the
        certificate as a theorem for Coq (docs/formal.md). A file of another format whose name ends in `.xz` is
        compressed. `bytes` of the summary is the size of the file.

        Raises:
            InvalidRequestError: a name that ends in `.xz` for `parquet`, `positions` or `coq`.
            ModuleNotFoundError: for `parquet` and `positions`, pyarrow is not installed.
            InvalidParametersError: for `coq`, the game or a kind of evidence is not in engine/formal.
        """
        return export_to(
            self,
            path,
            game,
            position,
            form=form,
            max_nodes=max_nodes,
            strategy_seconds=strategy_seconds,
            side=side,
            on_chunk=on_chunk,
        )
