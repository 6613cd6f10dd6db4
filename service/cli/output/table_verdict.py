"""The verdict on tables of others: one JSON document (docs/table-verdict.schema.json), and one page of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.service.words.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofbase.engine.formats.foreign.tables.check import Failure, ForeignCheck

__all__ = ["verdict_document", "verdict_page"]

TRUSTED = 10
"""Tables taken on trust that a page names; the document names all."""
FILES = 40
"""Files that a page names; the document names all."""
MOVES = 3
"""Moves that a page shows of a counterexample, the best ones; the document has all."""


def verdict_document(check: ForeignCheck, failures: Sequence[Failure], about: dict[str, Any]) -> dict[str, Any]:
    """The verdict.

    Args:
        check: what was found.
        failures: the counterexamples.
        about: members about the program, the game, the reader and the files.
    """
    failed = sum(len(one.failing) for one in check.tables)
    sampled = about["sample"] is not None
    return {
        "format": "proofbase-table-verdict",
        "version": 1,
        "valid": not failed,
        **about,
        "relies_on": check.relies_on,
        "plies": bool(check.plies),
        "progress": "plies" if check.plies else "not checked" if sampled else "layers",
        "positions": sum(one.positions for one in check.tables),
        "failed": failed,
        "tables": [
            {
                "table": one.table.name,
                "numbers": one.table.entries,
                "positions": one.positions,
                "finished": one.finished,
                "failed": len(one.failing),
            }
            for one in check.tables
            if one.positions
        ],
        "counterexamples": [_failure(failure) for failure in failures],
    }


def _failure(failure: Failure) -> dict[str, Any]:
    document: dict[str, Any] = failure._asdict()
    document["moves"] = [{"move": move, "value": value, "plies": plies} for move, value, plies in failure.moves]
    return document


def _words(value: int, plies: int | None, highest: int) -> str:
    words = str(value) if highest > 1 else ("a loss", "a draw", "a win")[value + 1]
    return words if plies is None or value == 0 else f"{words} in {plies}"


def verdict_page(document: dict[str, Any], highest: int) -> str:
    """The same for people, with at most so many files and moves as the constants above say.

    Args:
        document: the verdict.
        highest: the largest value of the game.
    """
    sample, trusted = document["sample"], document["relies_on"]
    drawn = f", drawn with the seed {document['seed']}" if sample else ""
    failed = f"not valid: {document['failed']:,} of {document['positions']:,} positions"
    valid = f"valid if {amount(len(trusted), 'table')} taken on trust {'is' if len(trusted) == 1 else 'are'} true"
    progress = {
        "plies": "Wins and losses end: their plies fall by one along best play.",
        "layers": "Wins end: none rests on a cycle.",
        "not checked": "Whether wins end was not checked, which a sample of values cannot show.",
    }[document["progress"]]
    counts = f"{amount(document['positions'], 'position')} of {amount(len(document['tables']), 'table')}{drawn}"
    finished = sum(row["finished"] for row in document["tables"])
    lines = [
        f"# Tables of {document['game']}: {failed if not document['valid'] else valid if trusted else 'valid'}",
        "",
        f"Checked: {counts}, the value of each against those after its moves. {progress}",
        f"The rules settle {amount(finished, 'position')} in which the game is over.",
        *([_on_trust(trusted, bool(sample))] if trusted else []),
        f"By proofbase {document['program']}, rules of {document['game']} version {document['rules_version']}.",
        "",
        "| table | positions | failed |",
        "|---|---:|---:|",
        *(f"| {row['table']} | {row['positions']:,} | {row['failed']:,} |" for row in document["tables"]),
        "",
    ]
    if not document["valid"]:
        lines += ["The first of them (values for the side to move):", ""]
        lines += [f"{place}. {_example(one, highest)}" for place, one in enumerate(document["counterexamples"], 1)]
        lines.append("")
    lines += ["| file | bytes | SHA-256 |", "|---|---:|---|"]
    library = [document["library"]] if document["library"] else []
    for row in [document["reader"], *library, *document["files"][:FILES]]:
        lines.append(f"| {row['name']} | {row['bytes']:,} | `{row['sha256']}` |")
    if (more := len(document["files"]) - FILES) > 0:
        lines.append(f"| and {more:,} more | | |")
    return "\n".join(lines) + "\n"


def _on_trust(names: list[str], sampled: bool) -> str:
    more = f" and {len(names) - TRUSTED:,} more" if len(names) > TRUSTED else ""
    what = "not checked but for these positions" if sampled else "not checked"
    return f"Taken on trust, {what}: {', '.join(names[:TRUSTED])}{more}."


def _example(one: dict[str, Any], highest: int) -> str:
    text = f"`{one['position']}`: {_words(one['value'], one['plies'], highest)} ({one['rule']})"
    moves = sorted(one["moves"], key=lambda move: (move["value"], move["plies"] or 0))[:MOVES]
    listed = ", ".join(f"{move['move']} {_words(move['value'], move['plies'], highest)}" for move in moves)
    more = len(one["moves"]) - len(moves)
    rests = "; may follow from another wrong entry" if one["follows"] else ""
    return f"{text}. After its moves, for the other side: {listed}{f' and {more} more' if more else ''}{rests}."
