"""The one table of what each call needs. A call that is not in it is refused wherever clients are checked.

A reader reads. A solver also starts work, and stops and resumes work that he has started. An admin may do everything.
"""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["CALLS", "ROLES", "ROUTES", "Need", "Role", "allows"]

Role = Literal["reader", "solver", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
Need = Literal["nobody", "reader", "solver", "admin"]
"""The role that a call needs at least; `nobody`: it is answered without any."""

CALLS: dict[str, Need] = {
    "proofbase.v1.Solutions/ListGames": "reader",
    "proofbase.v1.Solutions/GetGame": "reader",
    "proofbase.v1.Solutions/GetLimits": "reader",
    "proofbase.v1.Solutions/Lookup": "reader",
    "proofbase.v1.Solutions/BatchLookup": "reader",
    "proofbase.v1.Solutions/StreamLookup": "reader",
    "proofbase.v1.Solutions/GetLine": "reader",
    "proofbase.v1.Solutions/AnalyseGame": "reader",
    "proofbase.v1.Solutions/GetThreats": "reader",
    "proofbase.v1.Solutions/ExamineProblem": "reader",
    "proofbase.v1.Solutions/GetProof": "reader",
    "proofbase.v1.Solutions/GetStatistics": "reader",
    "proofbase.v1.Jobs/StartSolve": "solver",
    "proofbase.v1.Jobs/StartPositions": "solver",
    "proofbase.v1.Jobs/ListPositions": "reader",
    "proofbase.v1.Jobs/StartVerification": "solver",
    "proofbase.v1.Jobs/StartTable": "admin",
    "proofbase.v1.Jobs/Watch": "reader",
    "proofbase.v1.Jobs/Get": "reader",
    "proofbase.v1.Jobs/List": "reader",
    "proofbase.v1.Jobs/Cancel": "solver",
    "proofbase.v1.Jobs/Pause": "solver",
    "proofbase.v1.Jobs/Resume": "solver",
    "proofbase.v1.Jobs/Prune": "admin",
    "proofbase.v1.Transfer/Export": "reader",
    "proofbase.v1.Transfer/Import": "solver",
    "proofbase.v1.Transfer/ListBlocks": "reader",
    "proofbase.v1.Transfer/GetRecords": "reader",
    "proofbase.v1.Transfer/GetTable": "reader",
    "proofbase.v1.Transfer/ImportTables": "admin",
    # Whoever balances the load has to see whether the server lives.
    "grpc.health.v1.Health/Check": "nobody",
    "grpc.health.v1.Health/List": "nobody",
    "grpc.health.v1.Health/Watch": "nobody",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": "reader",
}

ROUTES: dict[str, Need] = {
    "GET /v1/games": "reader",
    "GET /v1/games/{game}": "reader",
    "GET /v1/games/{game}/statistics": "reader",
    "GET /v1/games/{game}/positions": "reader",
    "GET /v1/games/{game}/positions/{position}": "reader",
    "POST /v1/games/{game}/positions": "reader",
    "GET /v1/games/{game}/lines": "reader",
    "GET /v1/games/{game}/lines/{position}": "reader",
    "GET /v1/games/{game}/proofs": "reader",
    "GET /v1/games/{game}/proofs/{position}": "reader",
    "GET /v1/games/{game}/analyses": "reader",
    "GET /v1/games/{game}/analyses/{position}": "reader",
    "GET /v1/games/{game}/threats": "reader",
    "GET /v1/games/{game}/threats/{position}": "reader",
    "GET /v1/games/{game}/problems": "reader",
    "GET /v1/games/{game}/problems/{position}": "reader",
    "GET /v1/games/{game}/exports": "reader",
    "GET /v1/games/{game}/exports/{position}": "reader",
    "GET /v1/statistics": "reader",
    "GET /v1/limits": "reader",
    "GET /v1/jobs": "reader",
    "GET /v1/jobs/{id}": "reader",
    "GET /v1/jobs/{id}/positions": "reader",
    "GET /v1/jobs/{id}/events": "reader",
    # The pages of the explorer; their files are the same for everybody.
    "GET /": "reader",
    "GET /store": "reader",
    "GET /jobs": "reader",
    "GET /jobs/{id}": "reader",
    "GET /words": "reader",
    "GET /games/{game}": "reader",
    "GET /games/{game}/open": "reader",
    "GET /games/{game}/file": "reader",
    "GET /games/{game}/line": "reader",
    "GET /games/{game}/threats": "reader",
    "GET /games/{game}/problem": "reader",
    "GET /games/{game}/play": "reader",
    "GET /games/{game}/setup": "reader",
    "GET /games/{game}/proof": "reader",
    "GET /games/{game}/analysis": "reader",
    "GET /explorer/{fingerprint}/{name}": "nobody",
    # In the form of the public tablebase service.
    "GET /standard": "reader",
    "GET /antichess": "reader",
    # Files of tables.
    "GET /v1/games/{game}/tables/{name}": "reader",
    # What the server can do is no secret: it is in this source.
    "GET /openapi.json": "nobody",
}
"""Needs of what else is answered over HTTP, by method and path. A call over HTTP needs what it needs over gRPC."""


def allows(role: str, need: Need) -> bool:
    """Whether a role may make a call that needs `need`."""
    return need == "nobody" or ROLES.index(need) <= ROLES.index(role)
