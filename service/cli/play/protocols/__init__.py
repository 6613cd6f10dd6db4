"""The protocols by which boards and referees make the program play."""

from __future__ import annotations

from proofbase.service.cli.play.protocols.engine import Engine
from proofbase.service.cli.play.protocols.gomocup import Gomocup
from proofbase.service.cli.play.protocols.gtp import Gtp
from proofbase.service.cli.play.protocols.uci import Uci

__all__ = ["PROTOCOLS", "Engine"]

PROTOCOLS: dict[str, type[Engine]] = {"uci": Uci, "gomocup": Gomocup, "gtp": Gtp}
