"""What all parts of a solve's work share."""

from __future__ import annotations

from proofbase.service.answers import Value
from proofbase.service.jobs.control import JobControl
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.positions import find_position
from proofbase.service.positions.probe import probe_positions
from proofbase.service.resources import Resources
from proofbase.service.resources.search_table import SearchTable

__all__ = ["SolveContext"]


class SolveContext:
    """A solve, with its game and its position opened.

    Args:
        resources: the store and what belongs to it.
        control: of the job.
        spec: what is asked.
        table: the transposition table that its searches hand on.

    Attributes:
        resources, control, spec, table: as above.
        game, position: that the questions are about.
        memory: bytes that a search may hold, or the searches of all workers together.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: SolveSpec, table: SearchTable) -> None:
        self.resources = resources
        self.control = control
        self.spec = spec
        self.table = table
        self.game = resources.games.open(spec.game)
        self.position = find_position(self.game, spec.position)
        self.memory = spec.budget.memory_bytes or resources.limits.job_memory_bytes
        self._known: tuple[int, Value] | None = None
        """The store's generation of the game, and what is known of the value by records of that generation."""

    @property
    def of_users_game(self) -> bool:
        """Whether the rules are a user's, which may hang."""
        return self.resources.games.is_users_own(self.game.name)

    def known_value(self) -> Value:
        """What the rules, the tables and the store know of the value."""
        tables = self.resources.tables.of(self.game)
        generation = self.resources.store.generation(self.game.name)
        if self._known is None or self._known[0] != generation or tables is not None:
            [probe] = probe_positions(self.game, [self.position], self.resources.undamaged, tables)
            self._known = generation, probe.value
        return self._known[1]
