"""The parts of a package that are about its game: records and tables, the certificate, the value, the checks.

Each writes its file, and adds to the entry of the game in the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from proofbase.service.commands.packages.packed_blocks import tables_to_pack
from proofbase.service.commands.packages.publication import Publication
from proofbase.service.commands.transfer.export import export
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.record_selection import below
from proofbase.service.positions.probe import probe_position
from proofbase.service.resources.verifications import covering_verification
from proofbase.storage.package.files import LARGEST_FILE, new_file, part_names
from proofbase.storage.package.writing import write_solution

__all__ = ["write_blocks", "write_certificate", "write_checks", "write_value"]

BATCH = 10_000
Item = tuple[bytes, bytes]


def write_blocks(publication: Publication) -> None:
    """The records, and the tables of values.

    Raises:
        InvalidRequestError: there are none.
        MalformedRecordError, DamagedTableError: one is damaged.
        StoreFullError: they cannot be written.
    """
    resources, game = publication.resources, publication.game
    name = f"{publication.stem}.blocks"
    rules = resources.games.open_python(game.name)
    tables = tables_to_pack(resources, rules, publication.table_names) if publication.with_tables else iter(())
    records, packed = write_solution(publication.folder / name, game.name, _numbered_records(publication), tables)
    if not records["count"] and not packed:
        raise InvalidRequestError(
            f"the store has neither records nor tables of {game.name}: there is nothing to publish"
        )
    names = part_names(publication.folder / name)
    more = {"more_files": names[1:]} if names[1:] else {}
    publication.entry.update(file=name, **more, records=records, tables=packed)
    publication.files += names


def _numbered_records(publication: Publication) -> Iterator[Item]:
    """The records to publish, keys ascending, with the numbers of their sources in the package."""
    game, store = publication.game, publication.resources.store
    total = store.count(game.name) if publication.root is None else None
    for done, (key, record) in enumerate(_records(publication), 1):
        yield key, publication.sources.of(record)
        if done % BATCH == 0:
            publication.on_progress("records", done, total, "records")


def _records(publication: Publication) -> Iterator[Item]:
    game, store, root = publication.game, publication.resources.store, publication.root_key
    if root is None:
        yield from store.scan(game.name)
        return
    keys = iter(sorted(key for key, _ in below(store, game, root)))
    while batch := list(islice(keys, BATCH)):
        for key, data in zip(batch, store.get_many(game.name, batch), strict=True):
            if data is not None:
                yield key, data


def write_certificate(publication: Publication) -> None:
    """A certificate of the position, with the sources of the records. None where the store knows nothing of it."""
    game, sources = publication.game, publication.sources
    used = [source for source in sources.sources if source.number in sources.used]
    texts = [f"{source.program}: {source.text}" if source.program else source.text for source in used]
    try:
        chunks = export(publication.resources, game.name, game.text(publication.position), sources=texts)
    except InvalidRequestError:
        return
    name, written = f"{publication.stem}.certificate", 0
    with new_file(publication.folder / name) as file:
        for chunk in chunks:
            written += len(chunk)
            if written > LARGEST_FILE:
                raise InvalidRequestError(
                    f"the certificate has more than {LARGEST_FILE // 10**9} GB, which hosts of packages do not take: "
                    "leave it out (--no-certificate)"
                )
            file.write(chunk)
            publication.on_progress("certificate", written, None, "bytes")
    publication.entry["certificate"] = name
    publication.files.append(name)


def write_value(publication: Publication) -> None:
    """What the records and tables of the package say of the position."""
    resources, game, position = publication.resources, publication.game, publication.position
    record = resources.store.get_many(game.name, [game.key(position)])[0]
    tables, published = resources.tables.of(game), {table["name"] for table in publication.entry["tables"]}
    if tables is not None and tables.name(position) not in published:
        tables = None
    lower, upper = probe_position(game, position, record, tables, witness=False).value.known_bounds
    publication.entry["value"] = {"lower": lower, "upper": upper}


def write_checks(publication: Publication) -> None:
    """The verification of the store that covers all of the records, if there is one."""
    game, records = publication.game, publication.entry["records"]
    last_source = publication.sources.highest
    verification = covering_verification(publication.resources.store, game.name, game.rules_version, last_source)
    if verification is None or not records["count"]:
        return
    publication.entry["checks"] = [
        {
            "by": verification.by,
            "when": datetime.fromtimestamp(verification.finished, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "program": verification.program,
            "rules": verification.rules,
            "rules_version": verification.rules_version,
            "fingerprint": records["fingerprint"],
            "records": records["count"],
            "sample": None,
            "table_entries": 0,
            "failed": 0,
        }
    ]
