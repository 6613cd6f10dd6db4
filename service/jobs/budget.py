"""The limits of one job."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from proofbase.service.errors import InvalidRequestError

__all__ = ["NO_LIMITS", "Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one job; None is not limited (memory: the service's limit). `seconds` are those of storing, too.

    Raises:
        TypeError: a limit is no number.
        InvalidRequestError: a limit is 0 or less.
    """

    nodes: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None

    def __post_init__(self) -> None:
        for name, number in self.limits().items():
            kinds = (int, float) if name == "seconds" else int
            if not isinstance(number, kinds) or isinstance(number, bool):
                what = "a number" if name == "seconds" else "a whole number (int)"
                raise TypeError(f"Budget: {name} is {what} or None, not {ascii(number)[:60]}")
            if not 0 < number < float("inf"):
                raise InvalidRequestError(
                    f"a budget of {number} {name.replace('_bytes', '')}: more than 0 is needed "
                    "(leave it out for no limit)",
                    field=f"budget.{name}",
                )

    def limits(self) -> dict[str, float]:
        """The limits that are given, by name."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: number for name, number in numbers.items() if number is not None}

    def changed(self, other: Budget) -> Budget:
        """This budget, with the limits that the other one gives instead of its own."""
        return replace(self, **other.limits())  # type: ignore[arg-type]  # numbers of the fields' own types

    def used_up(self, nodes: int, seconds: float) -> str | None:
        """The limit that a job has reached; None while it may go on."""
        if self.nodes is not None and nodes >= self.nodes:
            return "nodes"
        if self.seconds is not None and seconds >= self.seconds:
            return "seconds"
        return None


NO_LIMITS = Budget()
