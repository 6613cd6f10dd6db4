"""The part of the conformance suite that is about tokens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofbase.storage.capabilities import Capability
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.tokens import Token

__all__ = ["TokenConformance"]

FIRST = Token("0" * 16, "Zoë", "reader", b"\1" * 32, 1.25, 9.5)
SECOND = Token("a" * 16, "host.example", "admin", b"", 2.0)


class TokenConformance(ConformanceBase):
    """What every store must do with tokens."""

    def test_tokens_come_back_in_their_order(self, store: SolutionStore) -> None:
        need(store, Capability.TOKENS)
        tokens = store.tokens()
        assert tokens.all() == []
        tokens.add(FIRST)
        tokens.add(SECOND)
        assert tokens.all() == store.tokens().all() == [FIRST, SECOND]
        with pytest.raises(ValueError, match="already"):
            tokens.add(replace(SECOND, name="another"))
        assert tokens.all() == [FIRST, SECOND]

    def test_tokens_are_revoked_once_and_kept(self, store: SolutionStore) -> None:
        need(store, Capability.TOKENS)
        tokens = store.tokens()
        tokens.add(FIRST)
        assert tokens.revoke([SECOND.id, "", "x\0y"], 3.0) == []
        assert tokens.revoke([FIRST.id], 3.0) == [replace(FIRST, revoked=3.0)]
        assert tokens.revoke([FIRST.id], 4.0) == []
        assert tokens.all() == [replace(FIRST, revoked=3.0)]
