"""Whether a game keeps what `proofbase.engine.rules.Game` asks of it."""

from __future__ import annotations

from proofbase.engine.conformance.report import ConformanceReport, check_game, refuse_broken_game
from proofbase.engine.conformance.requirements import REQUIREMENTS, Violation
from proofbase.engine.game_loading import load_game

__all__ = ["REQUIREMENTS", "ConformanceReport", "Violation", "check_game", "load_game", "refuse_broken_game"]
