"""Kills servers, or their database, while jobs run: nothing acknowledged may be lost, and no job may fail.

    python tests/bench/kills/trial_job_kills.py lmdb|servers|database [--kills N] [--seed S]

`lmdb` kills a server on a directory, `servers` one of two servers on one PostgreSQL database, and `database` the
database of two servers (all of its processes, or one that serves a connection): each with SIGKILL, at a random moment,
while solves of one position, solves of lists of positions, verifications and imports run. A killed process is started
again. After every kill all that a server has ever acknowledged is looked up: jobs that were started, jobs that were
reported finished, with their results, outcomes of positions that were listed, and imports. In the end every job has to
be done, every list has the outcome of each position, and every record has to pass its check. Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).parents[2] / "storage"))  # postgres_server.py
sys.path.insert(0, str(Path(__file__).parent))
from killed_processes import Database, PostgresUnavailableError, ServerProcess, TrialFailedError

from proofbase.engine import open_rules
from proofbase.migrations import migrate
from proofbase.service.client import Budget, Client, Job, PositionOutcome, SolveResult, VerificationResult, connect
from proofbase.service.errors import ServiceUnavailableError
from proofbase.storage import StoreError, TransientStoreError

os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"  # the children that are forked here do nothing but exec
T = TypeVar("T")
UNREACHABLE = (ServiceUnavailableError, TransientStoreError)
PATIENCE_SECONDS = 120.0
WATCHED = 30
"""Jobs at a time, about: each holds a stream, and one connection may hold half of those of a server."""
BOARD = "connect-four:5x5"
LISTED = 60
"""Positions of a list, of which each is solved within some milliseconds: a list lives through a kill or two."""


@dataclass
class Acknowledged:
    """What servers have acknowledged."""

    started: dict[str, Job] = field(default_factory=dict)
    finished: dict[str, Job] = field(default_factory=dict)
    outcomes: dict[str, list[PositionOutcome]] = field(default_factory=dict)
    """By the id of a job over positions: those that were listed."""
    imported: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


class Trial:
    """The jobs, and what is known of them.

    Args:
        servers: they share one store.
        seed: of the positions, the jobs and the kills; how threads meet is not repeated.
    """

    def __init__(self, servers: list[ServerProcess], seed: int) -> None:
        self.servers = servers
        self.chance = random.Random(seed)
        self.known = Acknowledged()
        self._watchers: list[threading.Thread] = []
        self._games = iter(range(seed * 1_000_000, (seed + 1) * 1_000_000))
        self._certificates = _certificates(8)

    def ask(self, question: Callable[[Client], T], patience: float = PATIENCE_SECONDS) -> T:
        """An answer of any server, however long it takes until one can be had."""
        deadline = time.monotonic() + patience
        while True:
            try:
                return question(random.choice(self.servers).client)
            except UNREACHABLE:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def try_once(self, question: Callable[[Client], T]) -> T | None:
        """An answer of a server, None if it cannot be had."""
        try:
            return question(self.chance.choice(self.servers).client)
        except UNREACHABLE:
            return None

    def start_jobs(self) -> None:
        """A few jobs and an import, unless many jobs have not ended yet; each is watched until it ends."""
        if len(self.known.started) - len(self.known.finished) >= WATCHED:
            return
        self._start(self._short_solve())
        self._start(self._solve_of_a_list())
        self._start(lambda client: client.start_solve("connect-four:6x5", budget=Budget(nodes=500_000)))
        self._start(lambda client: client.start_verification("connect-four:4x4"))
        threading.Thread(target=self._import, args=(self.chance.choice(list(self._certificates)),), daemon=True).start()

    def _short_solve(self) -> Callable[[Client], Job]:
        game = f"random-graph:nodes=2000,degree=4,span=60,values=2,ends=10,seed={next(self._games)}"
        return lambda client: client.start_solve(game)

    def _solve_of_a_list(self) -> Callable[[Client], Job]:
        texts = [_random_position(self.chance) for _ in range(LISTED)]
        return lambda client: client.start_positions(BOARD, texts)

    def _start(self, call: Callable[[Client], Job]) -> None:
        job = self.try_once(call)
        if job is not None:
            self.known.started[job.id] = job
            if job.kind == "positions":
                self.known.outcomes[job.id] = []
            thread = threading.Thread(target=self._watch, args=(job.id,), daemon=True)
            thread.start()
            self._watchers.append(thread)

    def _watch(self, job_id: str) -> None:
        while job_id not in self.known.finished:
            try:
                for job in random.choice(self.servers).client.watch(job_id):
                    if job.finished:
                        self.known.finished[job_id] = job
            except UNREACHABLE:
                time.sleep(0.05)
            except Exception as error:
                self.known.faults.append(f"watch of job {job_id}: {type(error).__name__}: {error}")
                return

    def _import(self, game: str) -> None:
        try:
            if self.try_once(lambda client: client.import_([self._certificates[game]])) is not None:
                self.known.imported.add(game)
        except Exception as error:
            self.known.faults.append(f"import of {game}: {type(error).__name__}: {error}")

    def check(self, recent: int = 12) -> None:
        """Compares what was acknowledged with what is stored: of the newest jobs, and of some others."""
        if self.known.faults:
            raise TrialFailedError("; ".join(self.known.faults))
        ids = list(self.known.started)
        for job_id in {*ids[-recent:], *random.sample(ids, min(len(ids), 4))}:
            self._check_job(job_id)
        for game in list(self.known.imported):
            if not self.ask(lambda client, game=game: client.lookup(game).known):  # type: ignore[misc]
                raise TrialFailedError(f"the import of {game} was acknowledged and is lost")

    def _check_job(self, job_id: str) -> None:
        reported = self.known.finished.get(job_id)
        stored = self.ask(lambda client: client.job(job_id))
        if stored.state == "failed" or (reported is not None and reported.state == "failed"):
            raise TrialFailedError(f"job {job_id} failed: {stored.error or reported}")
        if job_id in self.known.outcomes:
            self._check_outcomes(job_id)
        if reported is None:
            return
        if (reported.state, reported.result) != (stored.state, stored.result):
            raise TrialFailedError(f"job {job_id} was reported as {reported}, and is stored as {stored}")
        result = stored.result
        if isinstance(result, SolveResult) and result.status == "exact":
            value = self.ask(lambda client: client.lookup(stored.spec.game or "")).value
            if value != result.value:
                raise TrialFailedError(f"job {job_id} found {result.value}, and {value} is stored")

    def _check_outcomes(self, job_id: str) -> None:
        """What was listed stays; what is found agrees with the records; a job that is done has found all."""
        listed = self.known.outcomes[job_id]
        found = self.ask(lambda client: list(client.position_outcomes(job_id)))
        if found[: len(listed)] != listed or [outcome.number for outcome in found] != list(range(len(found))):
            raise TrialFailedError(f"job {job_id} listed {listed[-3:]}, and now lists {found[-3:]}")
        self.known.outcomes[job_id] = found
        if job_id in self.known.finished and len(found) != LISTED:
            raise TrialFailedError(f"job {job_id} is done, with {len(found)} of {LISTED} outcomes")
        for outcome in self.chance.sample(found, min(len(found), 3)):
            value = self.ask(lambda client, at=outcome.position: client.lookup(BOARD, at)).value  # type: ignore[misc]
            if outcome.status != "exact" or outcome.value != value:
                raise TrialFailedError(f"job {job_id} found {outcome}, and {value} is stored")

    def finish(self) -> dict[str, Any]:
        """Waits for all jobs, and checks everything."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        for thread in self._watchers:
            thread.join(max(0.0, deadline - time.monotonic()))
        missing = [job_id for job_id in self.known.started if job_id not in self.known.finished]
        if missing:
            states = [str(self.ask(lambda client, name=name: client.job(name)))[:300] for name in missing[:5]]  # type: ignore[misc]
            raise TrialFailedError(f"{len(missing)} jobs do not end: {states}")
        self.check(recent=len(self.known.started))
        states: dict[str, int] = {}
        continuation = None
        while True:
            page, cut = self.ask(lambda client, after=continuation: client.jobs(limit=500, continuation=after))  # type: ignore[misc]
            for job in page:
                states[job.state] = states.get(job.state, 0) + 1
            if cut is None:
                break
            continuation = cut.continuation
        if states.get("failed"):
            raise TrialFailedError(f"jobs by state: {states}")
        verified = self.ask(lambda client: client.verify()).result
        assert isinstance(verified, VerificationResult)
        if verified.failed or not verified.checked:
            raise TrialFailedError(f"{verified.failed} of {verified.checked} records fail: {verified.findings[:3]}")
        return {
            "started": len(self.known.started),
            "states": states,
            "lists": len(self.known.outcomes),
            "outcomes": sum(map(len, self.known.outcomes.values())),
            "imports": len(self.known.imported),
            "records": verified.checked,
        }


def _certificates(count: int) -> dict[str, bytes]:
    """Certificates of small games, by the name of the game."""
    found = {}
    with connect("memory:") as client:
        for number in range(count):
            game = f"random-graph:nodes=500,degree=4,span=40,values=2,ends=10,seed={number}"
            result = client.solve(game).result
            assert isinstance(result, SolveResult)
            found[game] = b"".join(client.export(game, "-"))
    return found


def _random_position(chance: random.Random) -> str:
    """Fourteen moves from the empty board, or fewer where the game ends before."""
    rules = open_rules(BOARD)
    position = rules.initial()
    for _ in range(14):
        if rules.terminal(position) is None:
            position = rules.play(position, chance.choice(list(rules.moves(position))))
    return rules.text(position)


@contextmanager
def _killing(kind: str, home: Path) -> Iterator[tuple[list[ServerProcess], Callable[[random.Random], None]]]:
    """The servers of a trial, and what kills one of them, or their database, and starts it again."""
    log = home / "log"
    with ExitStack() as stack:
        if kind == "lmdb":
            servers = [ServerProcess(str(home / "store"), log)]
        else:
            database = Database(home)
            stack.callback(database.stop)
            migrate(database.url)
            servers = [ServerProcess(database.url, log) for _ in range(2)]

        def stop() -> None:
            for server in servers:
                if server.alive():
                    server.end(signal.SIGTERM)

        stack.callback(stop)

        def kill(chance: random.Random) -> None:
            if kind == "database":
                database.kill(chance)
                return
            server = chance.choice(servers)
            server.end()
            server.start()

        yield servers, kill


def run(kind: str, kills: int, seed: int, report: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """One trial.

    Raises:
        TrialFailedError: something acknowledged is lost, or a job failed.
    """
    with tempfile.TemporaryDirectory(prefix="proofbase-kills-") as name:
        home = Path(name)
        home.chmod(0o755)
        began = time.monotonic()
        try:
            with _killing(kind, home) as (servers, kill):
                trial = Trial(servers, seed)
                for number in range(kills):
                    trial.start_jobs()
                    time.sleep(trial.chance.random() * 0.8)
                    kill(trial.chance)
                    trial.check()
                    if any(not server.alive() for server in servers):
                        raise TrialFailedError("a server has ended")
                    if (number + 1) % 10 == 0:
                        seconds = time.monotonic() - began
                        report(f"{kind}: {number + 1} kills, {len(trial.known.finished)} jobs done, {seconds:.0f} s")
                outcome = trial.finish()
        except (TrialFailedError, StoreError) as error:
            log = (home / "log").read_text(errors="replace")
            raise TrialFailedError(f"{error}\n{log[-6000:]}") from error
        waits = (home / "log").read_text(errors="replace").count("waits for the store")
        return {"kind": kind, "kills": kills, **outcome, "waits": waits, "seconds": round(time.monotonic() - began)}


def main() -> int:
    """Runs a trial by the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["lmdb", "servers", "database"])
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        outcome = run(arguments.kind, arguments.kills, arguments.seed, lambda line: print(line, flush=True))
    except (TrialFailedError, PostgresUnavailableError) as error:
        print(f"FAILED: {error}")
        return 1
    print(json.dumps(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main())
