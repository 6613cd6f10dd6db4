"""Games of OpenSpiel (https://github.com/google-deepmind/open_spiel) by name, and its states as positions."""

from __future__ import annotations

from proofbase.engine.openspiel.catalogue import FAMILY, is_installed, name_of, open_openspiel

__all__ = ["FAMILY", "is_installed", "name_of", "open_openspiel"]
