"""Tokens in PostgreSQL: a row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from proofbase.storage.postgres.tables import tokens
from proofbase.storage.postgres.transactions import TransactionalStore
from proofbase.storage.tokens import Token, TokenStore

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["PostgresTokens"]


class PostgresTokens(TokenStore):
    """The tokens of a database.

    Args:
        store: runs the transactions.
        owned: whether closing these tokens closes the store.
    """

    def __init__(self, store: TransactionalStore, *, owned: bool = False) -> None:
        self._store = store
        self._owned = owned

    def all(self) -> list[Token]:
        rows = select(tokens).order_by(tokens.c.created, tokens.c.id)
        with self._store.reading() as connection:
            return [Token(**row) for row in connection.execute(rows).mappings()]

    def add(self, token: Token) -> None:
        row = {column.name: getattr(token, column.name) for column in tokens.c}
        adding = insert(tokens).values(row).on_conflict_do_nothing().returning(tokens.c.id)
        if self._store.writing(lambda connection: connection.execute(adding).scalar()) is None:
            raise ValueError(f"there is a token {token.id} already")

    def revoke(self, ids: list[str], moment: float) -> list[Token]:
        known = [name for name in ids if "\0" not in name]
        revoking = (
            update(tokens)
            .where(tokens.c.id.in_(known), tokens.c.revoked.is_(None))
            .values(revoked=moment)
            .returning(*tokens.c)
        )

        def revoke(connection: Connection) -> list[Token]:
            return [Token(**row) for row in connection.execute(revoking).mappings()]

        return self._store.writing(revoke, unchanged=[])

    def close(self) -> None:
        if self._owned:
            self._store.close()
