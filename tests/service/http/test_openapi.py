"""The OpenAPI document is valid, has every call and every URL, and describes what is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from asking import ask, post
from conftest import Both
from openapi_spec_validator import OpenAPIV31SpecValidator

from proofbase.service.access.roles import CALLS
from proofbase.service.http.proto_comments import comments
from proofbase.service.http.routes import ROUTES


@pytest.fixture(scope="module")
def document(both: Both) -> Any:
    found = ask(both.http, "/openapi.json")
    assert found.status == 200 and found.headers["content-type"] == "application/json"
    return found.json


def test_the_document_is_valid(document: Any) -> None:
    errors = [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()]
    assert errors == []


def test_every_call_and_every_url_is_there(document: Any) -> None:
    documented = {f"{verb.upper()} {path}" for path, verbs in document["paths"].items() for verb in verbs}
    calls = {f"POST /{name}" for name in CALLS if name.startswith("proofbase.v1.")}
    assert documented == calls | {route.name for route in ROUTES}


def test_names_of_operations_differ(document: Any) -> None:
    names = [operation["operationId"] for verbs in document["paths"].values() for operation in verbs.values()]
    assert len(set(names)) == len(names)


def test_fields_of_answers_are_required_and_those_of_requests_are_not(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert {"number", "rank", "known"} <= set(schemas["MoveAnswer"]["required"])
    assert schemas["MoveAnswer"]["properties"]["rank"]["type"] == ["integer", "null"]
    assert "searched" not in schemas["LookupResponse"]["required"]
    assert "required" not in schemas["LookupRequest"] and "required" not in schemas["Budget"]


def test_the_comments_of_the_protos_are_there() -> None:
    said = comments()
    assert said["proofbase.v1.Solutions.Lookup"].startswith("One position")
    assert said["proofbase.v1.LookupRequest.position"].startswith("The game's text form")
    assert said["proofbase.v1.BatchItem"].startswith("One text")
    assert said["proofbase.v1.BatchItem.Status.STATUS_UNKNOWN"].startswith("Legal, but")


ANSWERS = [
    ("LookupResponse", "/v1/games/tic-tac-toe/positions/5?board=true"),
    ("GetLineResponse", "/v1/games/tic-tac-toe/lines/-"),
    ("GetProofResponse", "/v1/games/tic-tac-toe/proofs/-?max_nodes=20"),
    ("AnalyseGameResponse", "/v1/games/tic-tac-toe/analyses?moves=521"),
    ("GetStatisticsResponse", "/v1/games/tic-tac-toe/statistics?census=true"),
    ("ListGamesResponse", "/v1/games"),
    ("Limits", "/v1/limits"),
    ("ListJobsResponse", "/v1/jobs"),
    ("Error", "/v1/games/nope"),
    ("Error", "/nothing"),
]


@pytest.mark.parametrize(("schema", "path"), ANSWERS)
def test_answers_are_as_the_schemas_say(document: Any, both: Both, schema: str, path: str) -> None:
    post(both.http, "Jobs/StartSolve", {"game": "tic-tac-toe"})
    problems = list(_problems(document, {"$ref": f"#/components/schemas/{schema}"}, ask(both.http, path).json, schema))
    assert problems == []


TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def _problems(document: Any, schema: Any, value: Any, where: str) -> Iterator[str]:
    """What of a value its schema does not allow."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, TYPES[kind]) for kind in kinds):
        yield f"{where}: {value!r} is none of {kinds}"
    elif isinstance(value, list):
        for item in value:
            yield from _problems(document, schema["items"], item, f"{where}[]")
    elif isinstance(value, dict):
        others = schema.get("additionalProperties", True)
        for name in schema.get("required", []):
            if name not in value:
                yield f"{where}: {name} is missing"
        for name, part in value.items():
            if name in schema.get("properties", {}):
                yield from _problems(document, schema["properties"][name], part, f"{where}.{name}")
            elif isinstance(others, dict):
                yield from _problems(document, others, part, f"{where}.{name}")
            elif others is False:
                yield f"{where}: {name} is not in the schema"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
