"""No password of a store's URL is shown."""

from __future__ import annotations

import pytest

from proofbase.storage import open_store, shown_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("games", "games"),
        ("lmdb:///var/games", "lmdb:///var/games"),
        ("memory:", "memory:"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://me@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql://me:secret@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql://me:se@cret@host/db", "postgresql://me@host/db"),
        ("postgresql://:secret@host/db", "postgresql://host/db"),
        ("postgresql+psycopg://me:secret@/db?host=/run/pg", "postgresql+psycopg://me@/db?host=/run/pg"),
        ("postgresql://host/db?user=me&password=secret", "postgresql://host/db?user=me"),
        ("postgresql://me:secret@[::1/db", "postgresql://me@[::1/db"),
    ],
)
def test_shown_urls_have_no_password(url: str, shown: str) -> None:
    assert shown_url(url) == shown


@pytest.mark.parametrize("url", ["postgres://me:secret@host/db", "mysql://me:secret@host/db", "memory:secret@x"])
def test_messages_about_urls_have_no_password(url: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        open_store(url)
    if "://" in url:
        assert "secret" not in str(refused.value)
