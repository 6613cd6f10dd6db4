"""What the URLs answer: the same as the calls, tags that change with the records, positions of any form."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from asking import ask, post
from conftest import Both
from services import serving_both

from proofbase.service.application import Application
from proofbase.service.client import connect
from proofbase.storage import open_store

TTT = "/v1/games/tic-tac-toe"
SAME = {
    f"{TTT}/positions/-": ("Lookup", {}),
    f"{TTT}/positions": ("Lookup", {}),
    f"{TTT}/positions/.../.x./...?board=true": ("Lookup", {"position": "5", "board": True}),
    f"{TTT}/positions/...%2f.x.%2F...?board=1": ("Lookup", {"position": "5", "board": True}),
    f"{TTT}/positions/moves:5,2": ("Lookup", {"position": "moves:5,2"}),
    f"{TTT}/positions?moves=5,2": ("Lookup", {"position": "moves:5,2"}),
    f"{TTT}/positions?position=.../.x./...": ("Lookup", {"position": "5"}),
    f"{TTT}/positions?key=AAA": ("Lookup", {"key": "AAA="}),
    "/v1/games/connect-four%3A4x4/positions/1?search_nodes=100000": (
        "Lookup",
        {"game": "connect-four:4x4", "position": "1", "searchNodes": "100000"},
    ),
    f"{TTT}/positions/moves:5,2?distances=true": ("Lookup", {"position": "moves:5,2", "distances": True}),
    f"{TTT}/lines/moves:5,2?maxPlies=2": ("GetLine", {"position": "moves:5,2", "maxPlies": 2}),
    f"{TTT}/lines?moves=5,2&max_plies=2": ("GetLine", {"position": "moves:5,2", "maxPlies": 2}),
    f"{TTT}/proofs/moves:5,2,1?side=upper": ("GetProof", {"position": "moves:5,2,1", "side": "SIDE_UPPER"}),
    f"{TTT}/proofs/moves:5,2,1?side=SIDE_UPPER&max_depth=1": (
        "GetProof",
        {"position": "moves:5,2,1", "side": "SIDE_UPPER", "maxDepth": 1},
    ),
    f"{TTT}/analyses?moves=5+2+1": ("AnalyseGame", {"moves": "5 2 1"}),
    f"{TTT}/analyses/moves:5?moves=2+1": ("AnalyseGame", {"position": "moves:5", "moves": "2 1"}),
    TTT: ("GetGame", {}),
    "/v1/games": ("ListGames", {"game": None}),
    "/v1/limits": ("GetLimits", {"game": None}),
}


@pytest.mark.parametrize("path", SAME)
def test_urls_answer_what_the_calls_answer(path: str, both: Both) -> None:
    call, fields = SAME[path]
    request = {"game": "tic-tac-toe", **fields}
    expected = post(both.http, f"Solutions/{call}", {key: value for key, value in request.items() if value is not None})
    found = ask(both.http, path)
    assert (found.status, found.body) == (200, expected.body)
    head = ask(both.http, path, "HEAD")
    assert head.status == 200 and head.body == b"" and head.headers["content-length"] == found.headers["content-length"]


@pytest.mark.parametrize(
    ("path", "status", "reason", "text"),
    [
        ("/v1/games/nope/positions/-", 404, "UNKNOWN_GAME", "unknown game 'nope'"),
        ("/v1/games/connect-four:0x0/positions/-", 400, "INVALID_GAME_PARAMETERS", ""),
        (f"/v1/games/{'a' * 5000}", 400, "INVALID_REQUEST", "too long for the name of a game"),
        (f"{TTT}/positions/zz", 400, "INVALID_POSITION", "a move is a cell from 1 to 9"),
        (f"{TTT}/positions/moves:5,5", 400, "INVALID_POSITION", ""),
        (f"{TTT}/positions/%ff%fe", 400, "INVALID_POSITION", ""),
        (f"{TTT}/positions/%00", 400, "INVALID_POSITION", ""),
        (f"{TTT}/positions/{'5' * 11_000}", 400, "INVALID_REQUEST", "11000 characters"),
        (f"{TTT}/positions/..", 400, "INVALID_POSITION", ""),
        (f"{TTT}/positions?key=!", 400, "INVALID_KEY", ""),
        (f"{TTT}/positions?key=AA", 400, "INVALID_KEY", ""),
        (f"{TTT}/positions/-?key=AAA", 400, "INVALID_REQUEST", "oneof"),
        (f"{TTT}/positions?position=5&moves=5", 400, "INVALID_REQUEST", "given twice"),
        (f"{TTT}/positions?bord=1", 400, "UNKNOWN_FIELD", "no parameter 'bord'"),
        (f"{TTT}/positions?board=maybe", 400, "INVALID_REQUEST", "true or false"),
        (f"{TTT}/positions?search_nodes=x", 400, "INVALID_REQUEST", ""),
        (f"{TTT}/positions?search_nodes=-1", 400, "INVALID_REQUEST", ""),
        (f"{TTT}/positions?search_nodes=99999999999999999999", 400, "INVALID_REQUEST", ""),
        (f"{TTT}/positions?search_nodes=1000001", 400, "LIMIT_EXCEEDED", ""),
        (f"{TTT}/positions?search_nodes=5&search_seconds=nan", 400, "INVALID_REQUEST", ""),
        (f"{TTT}/proofs/-?side=both", 400, "INVALID_REQUEST", "none of lower, upper"),
        (f"{TTT}/proofs/-?continuation=x", 409, "STALE_CONTINUATION", ""),
        (f"{TTT}/lines/-?max_plies=5000000000", 400, "INVALID_REQUEST", ""),
        (f"{TTT}/exports", 400, "INVALID_REQUEST", "no format"),
        (f"{TTT}/exports?format=certificate", 400, "INVALID_REQUEST", ""),
        (f"{TTT}/exports/-?format=pdf", 400, "INVALID_REQUEST", "none of certificate, jsonl, csv, dot"),
        ("/v1/jobs/nothing", 404, "JOB_NOT_FOUND", ""),
        ("/v1/jobs?states=asleep", 400, "INVALID_REQUEST", "none of queued, running"),
        ("/v1/jobs?limit=5000", 400, "INVALID_REQUEST", ""),
        ("/v1/jobs?budget=5", 400, "UNKNOWN_FIELD", ""),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_clear_message(
    both: Both, path: str, status: int, reason: str, text: str
) -> None:
    found = ask(both.http, path)
    assert (found.status, found.reason) == (status, reason), found
    assert text in found.json["message"] and len(found.body) < 10_000
    assert found.headers["cache-control"] == "no-store"


def test_errors_are_those_of_the_calls(both: Both) -> None:
    for position in ("zz", "moves:5,5", "x" * 100):
        over_call = post(both.http, "Solutions/Lookup", {"game": "tic-tac-toe", "position": position})
        over_url = ask(both.http, f"{TTT}/positions/{quote(position, safe='')}")
        assert over_url.status == over_call.status == 400
        assert over_url.json == over_call.json


@pytest.mark.parametrize("path", ["/v2", "/v1/games/tic-tac-toe/nothing", "//", "/v1/jobs/a/b/c", "/proofbase.v1.X/Y"])
def test_what_is_not_there_is_404(both: Both, path: str) -> None:
    found = ask(both.http, path)
    assert found.status == 404 and found.json["code"] == "not_found"


@pytest.mark.parametrize("verb", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_verbs_are_refused(both: Both, verb: str) -> None:
    found = ask(both.http, "/v1/limits", verb)
    assert found.status == 405 and found.headers["allow"] == "GET, HEAD"
    for other in (verb, "GET"):
        found = ask(both.http, "/proofbase.v1.Solutions/Lookup", other)
        assert (found.status, found.headers["allow"], found.json["code"]) == (405, "POST", "unimplemented")


@pytest.mark.parametrize(
    ("call", "kind", "read"),
    [
        ("Solutions/Lookup", "text/plain", "application/json"),
        ("Solutions/Lookup", "application/connect+json", "application/json"),
        ("Solutions/Lookup", "", "application/json"),
        ("Jobs/Watch", "application/json", "application/connect+json"),
    ],
)
def test_bodies_of_other_types_are_refused_by_name(both: Both, call: str, kind: str, read: str) -> None:
    found = post(both.http, call, {"game": "tic-tac-toe"}, content_type=kind)
    assert (found.status, found.json["code"]) == (415, "invalid_argument")
    assert f"say `content-type: {read}`" in found.json["message"]
    assert found.headers["accept-post"].startswith(read) and found.headers["content-type"] == "application/json"


def test_not_known_is_an_answer(both: Both) -> None:
    found = ask(both.http, "/v1/games/connect-four/positions/moves:4455")
    assert found.status == 200
    assert found.json["value"] == {"lower": -1, "upper": 1, "lowerKnown": False, "upperKnown": False, "exact": False}
    assert found.json["stored"] is False and found.json["rank"] is None
    assert found.headers["etag"]


def test_tags_change_with_the_records_of_their_game() -> None:
    with Application(open_store("memory:")) as app, serving_both(app) as (grpc, http), connect(grpc) as client:
        paths = [f"{TTT}/positions/-", f"{TTT}/positions/5", f"{TTT}/lines/-", f"{TTT}/proofs/-", TTT]
        other = "/v1/games/connect-four:4x4/positions/-"
        tags = {path: ask(http, path).headers["etag"] for path in (*paths, other)}
        assert len(set(tags.values())) == len(tags)
        for path, tag in tags.items():
            for sent in (tag, f"W/{tag}", f'"other", {tag}'):
                same = ask(http, path, if_none_match=sent)
                assert (same.status, same.body, same.headers["etag"]) == (304, b"", tag)
            assert ask(http, path, if_none_match='"other"').status == 200
        client.solve("tic-tac-toe")
        for path in paths:
            found = ask(http, path, if_none_match=tags[path])
            assert found.status == 200 and found.headers["etag"] != tags[path], path
        assert ask(http, other, if_none_match=tags[other]).status == 304


def test_tags_of_two_stores_differ() -> None:
    """Though both are of the first generation."""
    tags = set()
    for position in ("1", "2"):
        with Application(open_store("memory:")) as app, serving_both(app) as (grpc, http), connect(grpc) as client:
            client.solve("connect-four:4x4", position)
            tags.add(ask(http, "/v1/games/connect-four:4x4/positions/-").headers["etag"])
    assert len(tags) == 2


def test_answers_that_are_cut_or_searched_or_about_jobs_have_no_tag(both: Both) -> None:
    for path in (
        f"{TTT}/proofs/-?max_nodes=1",
        f"{TTT}/lines/-?max_plies=1",
        "/v1/games/connect-four:4x4/positions/1?search_nodes=1000",
        f"{TTT}/positions/-?distances=true",  # rests on records of other games
        f"{TTT}/statistics",
        "/v1/jobs",
    ):
        found = ask(both.http, path)
        assert found.status == 200 and "etag" not in found.headers
        assert found.headers["cache-control"] == "no-store"


def test_batches_have_a_body(both: Both) -> None:
    body = {"texts": {"positions": ["5", "zz"]}}
    found = ask(both.http, f"{TTT}/positions", "POST", json.dumps(body), content_type="application/json; charset=utf-8")
    expected = post(both.http, "Solutions/BatchLookup", {"game": "tic-tac-toe", **body})
    assert (found.status, found.body) == (200, expected.body)
    for text, kind, message in (
        (json.dumps(body), "text/plain", "has to be JSON"),
        ("{", "application/json", "no JSON"),
        (json.dumps({"game": "other", **body}), "application/json", "about another game"),
        ("{}", "application/json", "a batch needs"),
    ):
        found = ask(both.http, f"{TTT}/positions", "POST", text, content_type=kind)
        assert found.status == 400 and message in found.json["message"], found


def test_files_are_those_of_the_client(both: Both) -> None:
    with connect(both.grpc) as client:
        for form, ending in (("certificate", "proofbase"), ("jsonl", "jsonl"), ("csv", "csv"), ("dot", "dot")):
            position = None if form == "jsonl" else "5"
            expected = b"".join(client.export("tic-tac-toe", position, form=form))
            path = f"{TTT}/exports" if position is None else f"{TTT}/exports/5"
            found = ask(both.http, f"{path}?format={form}")
            assert (found.status, found.body) == (200, expected)
            assert found.headers["content-disposition"] == f'attachment; filename="tic-tac-toe.{ending}"'
            assert ask(both.http, f"{path}?format={form}", if_none_match=found.headers["etag"]).status == 304


def test_positions_of_the_answers_are_links(both: Both) -> None:
    found = ask(both.http, f"{TTT}/positions/-").json
    for move in found["moves"]:
        after = ask(both.http, f"{TTT}/positions/{quote(move['position'], safe='/')}")
        assert after.status == 200 and after.json["position"] == move["position"]


def test_a_store_that_is_filled_is_listed(both: Both) -> None:
    names = [game["name"] for game in ask(both.http, "/v1/games").json["games"]]
    assert names[0] == "tic-tac-toe" and "connect-four" in names
