"""Errors of the engine.

EngineError
├── UnknownGameError (ValueError)             no game of that name
│   ├── InvalidParametersError                the game exists, its parameters do not make sense
│   └── RulesNotLoadedError                   a store or a file has the game, and its rules are not loaded here
├── InvalidPositionError (ValueError)         text that is no legal position of the game
├── InvalidMoveError (ValueError)             text or number that is no legal move of the position
├── InvalidKeyError (ValueError)              bytes that are not the canonical key of a legal position
├── RecordError (StoreError, ValueError)      errors of records (engine/records/errors.py)
│   ├── MalformedRecordError                  bytes that are not one record in version 1 of the encoding
│   ├── RecordOverflowError                   more undominated claims than a record holds
│   └── ContradictionError                    claims of one key whose lower bound is above its upper bound
├── MalformedCertificateError (ValueError)    bytes that are not one certificate in version 1 of the format
├── BrokenGameError (ValueError, TypeError)   a user's game that breaks a requirement of `rules.Game`
├── GameFailedError (RuntimeError)            rules of a user's game that raised an exception
├── UnknownAlgorithmError (ValueError)        no search of that name
├── NoTablesError (ValueError)                the game has no tables
├── DamagedTableError (RuntimeError)          a table file was changed, or belongs to other rules
├── InvalidCheckpointError (ValueError)       a checkpoint of another question, or a damaged one
├── CheckStoppedError (RuntimeError)          a process of a check was killed: nothing is known of the certificate
├── SearchCancelledError (RuntimeError)       cancel() stopped the taking of a solution, or a restore
└── NativeCoreMissingError (ModuleNotFoundError)  the compiled part is not installed, or leaves the game out

Every error names what was wrong and where; none carries an unbounded piece of its input (`quoted`).
"""

from __future__ import annotations

from proofbase.engine.records.errors import (
    ContradictionError,
    EngineError,
    MalformedRecordError,
    RecordError,
    RecordOverflowError,
)

__all__ = [
    "BrokenGameError",
    "CheckStoppedError",
    "ContradictionError",
    "DamagedTableError",
    "EngineError",
    "GameFailedError",
    "InvalidCheckpointError",
    "InvalidKeyError",
    "InvalidMoveError",
    "InvalidParametersError",
    "InvalidPositionError",
    "MalformedCertificateError",
    "MalformedRecordError",
    "NativeCoreMissingError",
    "NoTablesError",
    "RecordError",
    "RecordOverflowError",
    "RulesNotLoadedError",
    "SearchCancelledError",
    "UnknownAlgorithmError",
    "UnknownGameError",
    "quoted",
]


class UnknownGameError(EngineError, ValueError):
    """No game of that name is known."""


class InvalidParametersError(UnknownGameError):
    """The game is known, but not with these parameters (a board of 0 columns, say)."""


class RulesNotLoadedError(UnknownGameError):
    """A store or a file has records of a game whose rules are not loaded here: nothing can be said of the records."""


class InvalidPositionError(EngineError, ValueError):
    """A text that is not a legal position of the game."""


class InvalidMoveError(EngineError, ValueError):
    """A text or a number that is not a legal move of the position."""


class InvalidKeyError(EngineError, ValueError):
    """Bytes that are not the canonical key of a legal position of the game."""


class MalformedCertificateError(EngineError, ValueError):
    """Bytes that break the certificate format (docs/certificate.md)."""


class BrokenGameError(EngineError, ValueError, TypeError):
    """A user's game that breaks a requirement of `proofbase.engine.rules.Game`.

    The message names the game, the requirement, and the position and moves that show it. `proofbase check-game`
    looks for more.
    """


class GameFailedError(EngineError, RuntimeError):
    """Rules of a user's game raised an exception that is not one of those that `Game` allows.

    The message names the game, the method, the type and text of the exception, and the user's lines that raised it. It
    is short and printable whatever the exception holds.

    Attributes:
        method: of the game that was called.
        exception: name of the exception's type.
        frames: the user's own lines, outermost first: `chomp.py, line 31, in play`.
    """

    method: str = ""
    exception: str = ""
    frames: tuple[str, ...] = ()


class UnknownAlgorithmError(EngineError, ValueError):
    """No search algorithm of that name is known."""


class NoTablesError(EngineError, ValueError):
    """The game has no tables."""


class DamagedTableError(EngineError, RuntimeError):
    """A table file that was changed since it was written, or that was built by other rules."""


class InvalidCheckpointError(EngineError, ValueError):
    """A checkpoint that is damaged or belongs to another question."""


class CheckStoppedError(EngineError, RuntimeError):
    """A process that checked a certificate was killed. The certificate is neither valid nor invalid by that."""


class SearchCancelledError(EngineError, RuntimeError):
    """`cancel()` of a search stopped it while it took its solution or replayed a checkpoint."""


class NativeCoreMissingError(EngineError, ModuleNotFoundError):
    """`proofbase.engine._core` cannot be imported, or was built without the game; the Python rules still work."""


def quoted(text: str, limit: int = 60) -> str:
    """`text` in quotes for a message, printable, and cut after `limit` characters."""
    return repr(text) if len(text) <= limit else f"{text[:limit]!r}... ({len(text)} characters)"
