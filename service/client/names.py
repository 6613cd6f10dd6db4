"""The public names of the client but for `connect`: its classes, the dataclasses of answers and jobs, errors."""

from __future__ import annotations

from proofbase.service.answers import (
    Census,
    Claim,
    Cut,
    ExportSummary,
    GameInfo,
    GameStatistics,
    ImportResult,
    Line,
    LineStep,
    MoveAnswer,
    PositionAnswer,
    Proof,
    ProofNode,
    Source,
    Statistics,
    Value,
)
from proofbase.service.answers.batches import BatchItem, BatchItems, PackedAnswers
from proofbase.service.answers.verifications import Verification
from proofbase.service.client.client import Client
from proofbase.service.client.files import Exported
from proofbase.service.client.shortest import ShortestWin
from proofbase.service.errors import (
    InvalidRequestError,
    JobStateError,
    LimitExceededError,
    NotAuthenticatedError,
    QueueFullError,
    QuotaExceededError,
    RoleLackingError,
    ServiceError,
    ServiceFailedError,
    ServiceUnavailableError,
    SpoolFullError,
    StaleContinuationError,
    TablesBusyError,
    TooManyCallsError,
    TooManyStreamsError,
    UnknownFieldError,
    UnreadAnswersError,
    UnsafeServerError,
    UnsoundRecordsError,
)
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.local_checks import Finding
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.positions.model import PositionOutcome, PositionsProgress, PositionsResult, PositionsSpec
from proofbase.service.jobs.solve.model import Question, SolveProgress, SolveResult, SolveSpec
from proofbase.service.jobs.table import TableFinding, TableOutcome, TableProgress, TableResult, TableSpec
from proofbase.service.jobs.verification import VerificationProgress, VerificationResult, VerificationSpec
from proofbase.service.limits import Limits
from proofbase.service.scores import GameScores, PlayedGame, PlayerSummary

__all__ = [
    "BatchItem",
    "BatchItems",
    "Budget",
    "Census",
    "Claim",
    "Client",
    "Cut",
    "ExportSummary",
    "Exported",
    "Finding",
    "GameInfo",
    "GameScores",
    "GameStatistics",
    "ImportResult",
    "InvalidRequestError",
    "Job",
    "JobStateError",
    "LimitExceededError",
    "Limits",
    "Line",
    "LineStep",
    "MoveAnswer",
    "NotAuthenticatedError",
    "PackedAnswers",
    "PlayedGame",
    "PlayerSummary",
    "PositionAnswer",
    "PositionOutcome",
    "PositionsProgress",
    "PositionsResult",
    "PositionsSpec",
    "Proof",
    "ProofNode",
    "Question",
    "QueueFullError",
    "QuotaExceededError",
    "RoleLackingError",
    "ServiceError",
    "ServiceFailedError",
    "ServiceUnavailableError",
    "ShortestWin",
    "SolveProgress",
    "SolveResult",
    "SolveSpec",
    "Source",
    "SpoolFullError",
    "StaleContinuationError",
    "Statistics",
    "TableFinding",
    "TableOutcome",
    "TableProgress",
    "TableResult",
    "TableSpec",
    "TablesBusyError",
    "TooManyCallsError",
    "TooManyStreamsError",
    "UnknownFieldError",
    "UnreadAnswersError",
    "UnsafeServerError",
    "UnsoundRecordsError",
    "Value",
    "Verification",
    "VerificationProgress",
    "VerificationResult",
    "VerificationSpec",
]
