"""`proofbase migrate`: a store in the format of this release."""

from __future__ import annotations

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.options import Json, Store
from proofbase.service.cli.session import store_url, usage_errors_of_urls
from proofbase.storage import open_store, store_class

__all__ = ["migrate"]


def migrate(store: Store = None, json: Json = False) -> int:
    """Make the tables of a PostgreSQL store, or bring a store to the format of this release.

    A directory is also brought there when any other command opens it for writing.
    """
    url = store_url(store)
    before: str | None
    after: str | None
    with usage_errors_of_urls():
        kind = store_class(url)
    if kind.migratable:
        # The packages of PostgreSQL are an extra, and a directory needs none of them.
        from proofbase.migrations import migrate as run_migrations  # noqa: PLC0415

        migration = run_migrations(url)
        before, after = migration.from_revision, migration.to_revision
    else:
        with open_store(url, read_only=not kind.temporary, create=False) as opened:
            before = after = opened.revision
        if not kind.temporary:
            with open_store(url, create=False) as opened:  # opening it for writing brings it to this format
                after = opened.revision
    if json:
        documents.print_document({"from": before, "to": after, "changed": before != after})
    elif before == after:
        screen.say(f"the store is at revision {after}: nothing to do" if after else "the store is new: nothing to do")
    else:
        screen.say(f"the store went from {'nothing' if before is None else f'revision {before}'} to revision {after}")
    return ExitStatus.POSITIVE
