"""Games of OpenSpiel (https://github.com/google-deepmind/open_spiel) by name, and its states as positions."""

from __future__ import annotations

from proofbase.engine.openspiel.catalogue import FAMILY, is_installed, name_of, open_openspiel
from proofbase.engine.openspiel.limits import name_like
from proofbase.engine.openspiel.translation import PositionOf, counterpart_of, native_name, position_of, state_of

__all__ = [
    "FAMILY",
    "PositionOf",
    "counterpart_of",
    "is_installed",
    "name_like",
    "name_of",
    "native_name",
    "open_openspiel",
    "position_of",
    "state_of",
]
