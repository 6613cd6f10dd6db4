"""A naive model of a store, which the conformance suite compares stores with."""

from __future__ import annotations

from collections.abc import Iterable

from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record


class StoreModel:
    """What a store should hold, kept as naively as possible: all claims ever put, by game and key."""

    def __init__(self) -> None:
        self.claims: dict[tuple[str, bytes], set[Claim]] = {}

    def put(self, game: str, items: Iterable[tuple[bytes, bytes]]) -> bool:
        """Adds all items, or none and returns False when that contradicts."""
        trial: dict[tuple[str, bytes], set[Claim]] = {}
        for key, record in items:
            game_and_key = (game, key)
            trial.setdefault(game_and_key, set(self.claims.get(game_and_key, ()))).update(decode_record(record).claims)
        for claims in trial.values():
            lowest_upper = min((claim.bound for claim in claims if claim.side == Side.UPPER), default=1 << 40)
            if any(claim.side == Side.LOWER and claim.bound > lowest_upper for claim in claims):
                return False
        self.claims.update(trial)
        return True

    def records(self, game: str) -> list[tuple[bytes, bytes]]:
        """What a scan should give, without sources."""
        return sorted((key, self._record(claims)) for (name, key), claims in self.claims.items() if name == game)

    def _record(self, claims: set[Claim]) -> bytes:
        def is_dropped(claim: Claim) -> bool:
            for other in claims - {claim}:
                if other.dominates(claim) and (not claim.dominates(other) or other.tie < claim.tie):
                    return True
            return False

        return encode_record(Record.of(claim for claim in claims if not is_dropped(claim)))
