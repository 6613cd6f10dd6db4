"""`proofbase solve --file FILE --shortest`: a row for the shortest win, or the longest defence, of each position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.output.position_files import ListedPosition, RowPrinter, read_positions
from proofbase.service.cli.output.written_claims import CLAIM_COLUMNS, ClaimSummary, ask_values, claims_of
from proofbase.service.cli.solves.shortest import find_shortest, shortest_document
from proofbase.service.words.values import game_name

if TYPE_CHECKING:
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.budget import Budget

__all__ = ["solve_shortest_file"]

COLUMNS = ("game", "plies", "loss_plies", "no_win_within", "no_loss_within", "reason", "nodes", "seconds")


def solve_shortest_file(
    client: Service,
    game: str,
    *,
    file: Path,
    algorithm: str,
    budget: Budget,
    most_plies: int | None,
    json: bool,
) -> ExitStatus:
    """Asks for the shortest win of each position, with the whole budget, and prints a row for each."""
    positions = read_positions(game_name(game), file)
    _check(client, game, file, positions)
    claimed = [claims_of(game, position.text) for position in positions]
    with_claims = any(claimed)
    printer = RowPrinter((*COLUMNS, *(CLAIM_COLUMNS if with_claims else ())), json=json)
    summary, status = ClaimSummary(), ExitStatus.POSITIVE
    for position, claims in zip(positions, claimed, strict=True):
        shortest, line = find_shortest(
            client, game, position.text, algorithm=algorithm, budget=budget, most_plies=most_plies
        )
        fields: dict[str, Any] = {**shortest_document(shortest, line), "line": position.line}
        if json:
            fields |= {"main_line": line} | ({"claims": []} if with_claims else {})
        else:
            fields["position"] = position.text
        if claims is not None:
            answer = client.lookup(game, position.text, distances=True)
            verdicts = claims.verdicts(
                answer.value,
                answer.rank,
                answer.witness,
                ask_values(client, game, claims),
                no_win_within=answer.no_win_within,
                no_loss_within=answer.no_loss_within,
            )
            fields |= summary.row(claims, verdicts, json=json)
        printer.print(fields)
        printer.flush()
        if not shortest.proved:
            status = ExitStatus.NEGATIVE
    summary.say()
    return ExitStatus.NEGATIVE if summary.differs else status


def _check(client: Service, game: str, file: Path, positions: list[ListedPosition]) -> None:
    """Refuses a file with a line that makes no sense, before anything is searched."""
    size = client.limits().batch_size
    for first in range(0, len(positions), size):
        part = positions[first : first + size]
        for position, item in zip(part, client.batch_lookup(game, [entry.text for entry in part]), strict=True):
            if item.value is None:
                raise UsageError(f"{file}, line {position.line}: {item.message}")
