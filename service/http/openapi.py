"""The OpenAPI document (https://spec.openapis.org/oas/v3.1.0), made from the protos and from the table of routes."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from starlette.requests import Request
from starlette.responses import Response

from proofbase import __version__
from proofbase.service.access.roles import CALLS
from proofbase.service.access.roles import ROUTES as NEEDS
from proofbase.service.http.json_text import is_always_written, is_optional
from proofbase.service.http.methods import FILES, Method, Methods
from proofbase.service.http.pages import Page
from proofbase.service.http.proto_comments import comments
from proofbase.service.http.reading import parameters_of
from proofbase.service.http.routes import ROUTES, ReadRoute

__all__ = ["document_page", "openapi_document"]

Json = dict[str, Any]
DESCRIPTION = """What is known of positions of games, and jobs that find out more. Every value can be checked by the
rules alone. Each call of the protocol is a POST with JSON or protobuf (the Connect protocol); what is read has URLs
of its own. Every field of an answer is there, 0, false and empty ones too; an optional number that is absent is null.
Only objects that say nothing are left out. docs/http.md of proofbase has examples."""
_PARAMETER = re.compile(r"{(\w+)}")
_DOUBLE: Json = {"type": ["number", "string"], "format": "double"}
_INTEGERS: dict[int, Json] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "format": "uint32", "minimum": 0},
    FieldDescriptor.CPPTYPE_INT64: {"type": ["string", "integer"], "format": "int64"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": ["string", "integer"], "format": "uint64"},
}
_ERROR: Json = {
    "type": "object",
    "description": "Why there is no answer. `details` has google.rpc.ErrorInfo with a stable reason.",
    "required": ["code", "message"],
    "properties": {
        "code": {"type": "string", "description": "As in the Connect protocol: not_found, invalid_argument ..."},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string"},
                    "value": {"type": "string", "format": "byte"},
                    "debug": {"type": "object"},
                },
            },
        },
    },
}


def document_page(methods: Methods) -> Page:
    """The document as a page of the server."""

    @cache
    def text() -> str:
        return json.dumps(openapi_document(methods), separators=(",", ":"))

    async def answer(request: Request) -> Response:
        return Response(text(), media_type="application/json", headers={"cache-control": "public, max-age=300"})

    return Page("/openapi.json", answer)


def openapi_document(methods: Methods) -> Json:
    """The document.

    Args:
        methods: of the services.
    """
    schemas: Json = {"Error": _ERROR}
    paths: Json = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.verb.lower()] = _read_operation(route, methods[route.method], schemas)
    for method in methods.values():
        paths[f"/{method.name}"] = {"post": _call_operation(method, schemas)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "proofbase", "version": __version__, "description": DESCRIPTION},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _read_operation(route: ReadRoute, method: Method, schemas: Json) -> Json:
    in_path = set(_PARAMETER.findall(route.path))
    operation: Json = {
        "operationId": re.sub(r"\W+", "_", route.name).strip("_"),
        "summary": route.summary,
        "description": f"{comments().get(_dotted(method), '')}\n\nThe call {method.name}.".strip(),
        "tags": [route.path.split("/")[2]],
        "parameters": [],
        "responses": _responses(_contents_of(route, method, schemas)),
        **_security(NEEDS.get(route.name)),
    }
    fields = parameters_of(method.request.DESCRIPTOR)
    if route.verb == "POST":
        operation["requestBody"] = _body({"application/json": _reference(method.request.DESCRIPTOR, schemas)})
        fields = {name: field for name, field in fields.items() if name in in_path}
    for name, field in fields.items():
        where = "path" if name in in_path else "query"
        parameter = {"name": name, "in": where, "required": where == "path", "schema": _schema(field, schemas)}
        operation["parameters"].append(_described(parameter, comments().get(field.full_name)))
    if "position" in fields and "moves" not in fields and "position" not in in_path and route.verb == "GET":
        text = "Instead of a position: the moves from the initial position."
        schema = {"type": "string"}
        operation["parameters"].append({"name": "moves", "in": "query", "description": text, "schema": schema})
    if route.cached:
        operation["responses"]["304"] = {"description": "As the client has it (If-None-Match)."}
    return operation


def _contents_of(route: ReadRoute, method: Method, schemas: Json) -> Json:
    if route.form == "file":
        return {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    if route.form == "events":
        # The data of each event.
        return {"text/event-stream": _reference(method.answer.DESCRIPTOR, schemas)}
    return {"application/json": _reference(method.answer.DESCRIPTOR, schemas)}


def _call_operation(method: Method, schemas: Json) -> Json:
    request = _reference(method.request.DESCRIPTOR, schemas)
    answer = _reference(method.answer.DESCRIPTOR, schemas)
    if method.requests or method.answers:  # messages in the envelopes of the protocol
        kinds = ("application/connect+json", "application/connect+proto")
    else:
        kinds = ("application/json", "application/proto")
    proto = {"schema": {"type": "string", "format": "binary"}}
    return {
        "operationId": method.name.replace("/", "_").replace(".", "_"),
        "summary": method.name.rpartition("/")[2],
        "description": comments().get(_dotted(method), ""),
        "tags": [method.name.partition("/")[0]],
        "requestBody": _body({kinds[0]: request, kinds[1]: proto}),
        "responses": _responses({kinds[0]: answer, kinds[1]: proto}),
        **_security(CALLS.get(method.name)),
    }


def _security(need: str | None) -> Json:
    if need == "nobody":
        return {"security": []}
    return {"security": [{"token": []}, {}], "x-role": need}


def _body(contents: Json) -> Json:
    return {"required": True, "content": contents}


def _responses(contents: Json) -> Json:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "200": {"description": "The answer.", "content": contents},
        "default": {"description": "Why there is none.", "content": error},
    }


def _dotted(method: Method) -> str:
    return method.name.replace("/", ".")


def _reference(descriptor: Any, schemas: Json) -> Json:
    return {"schema": _reference_schema(descriptor, schemas)}


def _reference_schema(descriptor: Any, schemas: Json) -> Json:
    if descriptor.full_name == "google.protobuf.Timestamp":
        return {"type": "string", "format": "date-time"}
    name = descriptor.full_name.removeprefix("proofbase.v1.")
    if name not in schemas:
        schemas[name] = {}  # a message may contain itself
        properties = {
            field.json_name: _described(_schema(field, schemas), comments().get(field.full_name))
            for field in descriptor.fields
        }
        made: Json = {"type": "object", "properties": properties, "additionalProperties": False}
        if descriptor.full_name not in _names_in_requests():
            made["required"] = [field.json_name for field in descriptor.fields if is_always_written(field)]
        schemas[name] = _described(made, comments().get(descriptor.full_name))
    return {"$ref": f"#/components/schemas/{name}"}


@cache
def _names_in_requests() -> set[str]:
    """The messages that clients send, with all their parts: there a field may be left out."""
    names = set[str]()

    def add(message: Any) -> None:
        if message.full_name not in names:
            names.add(message.full_name)
            for field in message.fields:
                if field.message_type is not None:
                    add(field.message_type)

    for file in FILES:
        for service in file.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                add(method.input_type)
    return names


def _described(schema: Json, text: str | None) -> Json:
    return {**schema, "description": text} if text else schema


def _schema(field: FieldDescriptor, schemas: Json) -> Json:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        return {"type": "object", "additionalProperties": _single(kind.fields_by_name["value"], schemas)}
    single = _single(field, schemas)
    if is_optional(field):
        kinds = single["type"] if isinstance(single["type"], list) else [single["type"]]
        return {**single, "type": [*kinds, "null"]}
    return {"type": "array", "items": single} if field.is_repeated else single


def _single(field: FieldDescriptor, schemas: Json) -> Json:
    if field.message_type is not None:
        return _reference_schema(field.message_type, schemas)
    if field.enum_type is not None:
        return {"type": "string", "enum": [value.name for value in field.enum_type.values]}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "format": "byte"}
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return {"type": "boolean"}
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return {"type": "string"}
    return _INTEGERS.get(field.cpp_type, _DOUBLE)
