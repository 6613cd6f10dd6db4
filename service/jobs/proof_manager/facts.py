"""What a proof manager asks of its game and its store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from proofbase.service.jobs.proof_manager.question_tree import Node, Question, Questions
from proofbase.storage import Estimate

__all__ = ["Facts"]


class Facts(Questions, Protocol):
    """The game of a manager, and what is known of it (`StoreFacts`)."""

    merged: int

    def settled(self, questions: list[tuple[Any, int]]) -> list[bool | None]:
        """The answers that are known."""

    def known(self) -> Any:
        """What workers of this process share."""

    def known_items(self, most: int) -> tuple[tuple[bytes, bytes], ...]:
        """What is sent to workers elsewhere."""

    def derive(self, node: Node, answer: bool) -> bool:
        """Stores the claim of a node that its children settle, if they support it."""

    def estimates(self, questions: list[Question]) -> list[Estimate | None]:
        """What is believed of questions."""

    def save(self, nodes: Iterable[Node], answered: Iterable[Question]) -> None:
        """Stores what is believed of nodes, and forgets it of answered questions."""
