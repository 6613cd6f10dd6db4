"""How a package is to be checked, and what its check has found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofbase.service.commands.stores.check_store import StoreCheck

__all__ = ["PackageCheck", "PackageQuestion"]


@dataclass(frozen=True, slots=True)
class PackageQuestion:
    """How a package is to be checked.

    Attributes:
        sample: so many records of each game; None for all, and all files.
        seed: of the samples.
        keep: where to copy a package from afar, to go on there after a stop; None: a temporary directory.
        progress: a file that keeps how far the check is; None: nobody does.
        by: who checks, for the manifest.
    """

    sample: int | None = None
    seed: int = 0
    keep: Path | None = None
    progress: Path | None = None
    by: str | None = None


@dataclass(slots=True)
class PackageCheck:
    """What a check has found.

    Attributes:
        url: of the package.
        found: everything that is wrong, how much was checked, and what was not.
        whole: whether everything was checked that the package says of values.
        seconds: how long it took, with those before a stop.
        checks: a block for the manifest for each game that was checked.
    """

    url: str
    found: StoreCheck = field(default_factory=StoreCheck)
    whole: bool = True
    seconds: float = 0.0
    checks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return self.found.failed == 0

    def leave_out(self, what: str) -> None:
        """Something of the package's values that was not checked."""
        self.whole = False
        self.found.passed_over.append(what)
