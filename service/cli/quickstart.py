"""The quick start: solve, store, serve, ask, verify and certify a small game on this machine."""

from __future__ import annotations

import json as jsonlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.engine.checking.checker import check_certificate
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.options import Json
from proofbase.service.cli.output.job_documents import solve_document, verification_document
from proofbase.service.cli.output.position_answer import move_table, print_board, summary
from proofbase.service.cli.output.watching import run_job
from proofbase.service.client.connect import connect
from proofbase.service.client.exported_files import export_to
from proofbase.service.jobs.solve.model import SolveResult
from proofbase.service.jobs.verification import VerificationResult
from proofbase.service.words.amounts import amount, bytes_text
from proofbase.service.words.values import highest_value, value_text

if TYPE_CHECKING:
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job

__all__ = ["quickstart"]

SAMPLE = 500


def quickstart(
    game: Annotated[str, typer.Option(metavar="GAME", help="What to solve from its initial position.")] = (
        "connect-four:5x4"
    ),
    directory: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the store and the certificate here.", show_default="a temporary one"),
    ] = None,
    json: Json = False,
) -> int:
    """Solve a small game, from the first search to the checked certificate.

    Solves it exactly into an LMDB store behind a gRPC server, asks the server, verifies all and certifies it.
    """
    folder = nullcontext(str(directory)) if directory else tempfile.TemporaryDirectory(prefix="proofbase-")
    begun = time.monotonic()
    with folder as name:
        path = Path(name)
        path.mkdir(parents=True, exist_ok=True)
        with _server(path / "store") as address, connect(address) as client:
            return _tour(client, address, game, path, begun, json=json)


def _tour(client: Service, address: str, game: str, folder: Path, begun: float, *, json: bool) -> int:
    def print_step(step: str, text: str) -> None:
        """What a stage did, and its seconds: since the stage before it ended."""
        nonlocal begun
        now = time.monotonic()
        if not json:
            screen.say(f"{step:<12} {now - begun:>4.1f} s  {text}")
        begun = now

    print_step("serve", f"LMDB store {folder / 'store'}, gRPC server at {address}")
    solved = run_job(client, client.start_solve(game))
    print_step("solve", _solve_text(game, solved))
    answer = client.lookup(game, board=True)
    line = client.line(game)
    native = run_job(client, client.start_verification(game))
    print_step("verify", _verify_text(native, "native rules"))
    second = run_job(client, client.start_verification(game, sample=SAMPLE, rules="python"))
    print_step("", _verify_text(second, "independent Python rules, a sample"))
    certificate = folder / "solution.proof"
    summary = export_to(client, certificate, game, "-", form="certificate")
    checked = check_certificate(certificate.read_bytes())
    verdict = "valid" if checked.valid else f"NOT valid: {checked.findings[0].rule}"
    written = f"{amount(summary.records, 'record')}, {bytes_text(summary.bytes)}"
    print_step("certificate", f"{written}; checked by the rules alone: {verdict}")
    if json:
        documents.print_document(
            {
                "solve": solve_document(solved),
                "lookup": documents.lookup_document(answer),
                "line": line,
                "verify": [verification_document(native), verification_document(second)],
                "certificate": {"records": summary.records, "bytes": summary.bytes, "valid": checked.valid},
            }
        )
    else:
        _show(answer)
        screen.say(f"\nbest play    {' '.join(step.move for step in line.steps)} ({line.stop_message})")
    good = answer.known and checked.valid and not (_verified(native).failed or _verified(second).failed)
    return ExitStatus.POSITIVE if good else ExitStatus.NEGATIVE


@contextmanager
def _server(store: Path) -> Iterator[str]:
    """The address of a server process on a free port of this machine, which ends with the block."""
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--store", str(store), "--json"]
    command += ["--log-level", "warning"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            started = process.stdout.readline()
            if not started:
                raise ConnectionError(f"the server did not start (exit status {process.wait()}): see its message above")
            yield jsonlib.loads(started)["address"]
        finally:
            process.terminate()


def _show(answer: PositionAnswer) -> None:
    screen.say()
    print_board(answer)
    screen.say(f"\nvalue        {summary(answer)}\n")
    move_table(answer)


def _solve_text(game: str, job: Job) -> str:
    result = _solved(job)
    value = value_text(result.value, highest_value(game))
    nodes, records = amount(result.nodes, "node"), amount(result.records, "record")
    return f"{game} from the initial position: {value}; {nodes}, {records} added or improved"


def _verify_text(job: Job, rules: str) -> str:
    result = _verified(job)
    verdict = f"{result.failed:,} fail" if result.failed else "all pass"
    return f"{amount(result.checked, 'record')} by the {rules}: {verdict} ({result.records_per_second:,.0f}/s)"


def _solved(job: Job) -> SolveResult:
    assert isinstance(job.result, SolveResult)
    return job.result


def _verified(job: Job) -> VerificationResult:
    assert isinstance(job.result, VerificationResult)
    return job.result
