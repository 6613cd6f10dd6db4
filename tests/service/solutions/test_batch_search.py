"""Batches that may search: the same answers as single lookups that search, nothing stored, within limits."""

from __future__ import annotations

import time

import pytest
from services import MakeService, Service

from proofbase.engine import open_rules
from proofbase.service.client import Client, InvalidRequestError, LimitExceededError, Limits

BOARD = "connect-four:4x4"
TEXTS = ["-", "moves:1", "moves:12", "moves:21", "moves:3344", "moves:1111", "moves:2323232", "no position", "moves:2"]


@pytest.fixture
def partly(service: Service) -> Service:
    """A service that knows one strategy of the second player."""
    service.client.solve(BOARD, at_least=1)
    return service


def keys_of(texts: list[str]) -> list[bytes]:
    game = open_rules(BOARD)
    keys = []
    for text in texts:
        position = game.initial()
        for move in text.partition(":")[2]:
            position = game.play(position, int(move) - 1)
        keys.append(game.key(position))
    return keys


def values(client: Client, texts: list[str], search: int | None) -> list[tuple[int, int]]:
    items = client.batch_lookup(BOARD, texts, search=search)
    return [(item.value.lower, item.value.upper) for item in items if item.value is not None]


def test_items_are_the_answers_of_single_lookups_that_search(partly: Service) -> None:
    client, before = partly.client, partly.store.count(BOARD)
    items = client.batch_lookup(BOARD, TEXTS, search=100_000)
    plain = client.batch_lookup(BOARD, TEXTS)
    assert len(items) == len(plain) == len(TEXTS)
    searched = 0
    for text, item, stored in zip(TEXTS, items, plain, strict=True):
        if text == "no position":
            assert item == stored and item.status == "invalid"
            continue
        single = client.lookup(BOARD, text, search=100_000)
        assert (item.value, item.rank, item.key) == (single.value, single.rank, single.key)
        assert item.status == stored.status, "what is stored is said of the store alone"
        assert (item.searched is None) == (single.searched is None)
        if item.searched is not None:
            searched += 1
            assert single.searched is not None
            assert item.searched.algorithm == single.searched.algorithm and item.searched.unknown_reason is None
        else:
            assert item == stored
    assert searched >= 4
    assert partly.store.count(BOARD) == before, "nothing is stored"


def test_keys_and_packed_keys_are_searched_likewise(partly: Service) -> None:
    texts = [text for text in TEXTS if text != "no position"]
    keys = [*keys_of(texts), b"\xff\xff\xff"]
    items = partly.client.batch_lookup(BOARD, texts, search=100_000)
    by_keys = partly.client.batch_lookup_keys(BOARD, keys, search=100_000)
    packed = partly.client.batch_lookup_packed(BOARD, b"".join(keys), search=100_000)
    assert by_keys == packed and len(packed) == len(keys)
    assert packed.invalid(len(texts)) and not packed.searched(len(texts))
    for index, item in enumerate(items):
        assert packed.value(index) == item.value
        assert packed.searched(index) == (item.searched is not None)
    plain = partly.client.batch_lookup_packed(BOARD, b"".join(keys))
    assert not any(plain.searched(index) for index in range(len(keys)))
    for index in range(len(keys)):
        assert plain.stored(index) == packed.stored(index)


def test_a_stream_searches_every_batch(partly: Service) -> None:
    batches = [["moves:12", "moves:21"], keys_of(["moves:1", "moves:2"])]
    texts, columns = partly.client.stream_lookup(BOARD, batches, search=100_000)
    assert isinstance(texts, list) and all(item.value is not None and item.value.exact for item in texts)
    assert not isinstance(columns, list) and all(columns.value(index).exact for index in range(2))


def test_a_budget_that_is_too_small_leaves_values_open_and_says_so(partly: Service) -> None:
    for item in partly.client.batch_lookup("connect-four", ["-", "moves:4"], search=500):
        assert item.status == "unknown" and item.searched is not None
        assert item.searched.unknown_reason == "nodes" and 0 < item.searched.nodes < 600


def test_the_time_is_for_all_searches_of_the_batch(partly: Service) -> None:
    started = time.monotonic()
    texts = [f"moves:{move}" for move in "1234567"]
    items = partly.client.batch_lookup("connect-four", texts, search=1_000_000, search_seconds=0.3)
    assert time.monotonic() - started < 10
    reasons = [item.searched.unknown_reason if item.searched else None for item in items]
    assert reasons[-1] == "seconds"
    last = items[-1].searched
    assert last is not None and (last.algorithm or last.nodes == 0)
    single = partly.client.lookup("connect-four", search=1_000_000, search_seconds=0.02)
    assert single.searched is not None and single.searched.unknown_reason == "seconds"


def test_budgets_that_are_refused(make_service: MakeService) -> None:
    client = make_service(limits=Limits(search_nodes=1_000, search_seconds=2)).client
    assert client.limits().search_seconds == 2
    with pytest.raises(LimitExceededError) as caught:
        client.batch_lookup(BOARD, ["-"], search=1_001)
    assert (caught.value.limit, caught.value.largest) == ("search_nodes", 1_000)
    with pytest.raises(LimitExceededError) as caught:
        client.batch_lookup(BOARD, ["-"], search=1_000, search_seconds=2.5)
    assert (caught.value.limit, caught.value.largest, caught.value.field) == ("search_seconds", 2, "search_seconds")
    for nodes in (0, -1):
        with pytest.raises(InvalidRequestError, match="at least 1"):
            client.batch_lookup(BOARD, ["-"], search=nodes)
    for seconds in (0, -1.0, float("nan")):
        with pytest.raises(InvalidRequestError, match="more than 0"):
            client.batch_lookup_keys(BOARD, keys_of(["-"]), search=10, search_seconds=seconds)
    with pytest.raises(InvalidRequestError, match="without search_nodes"):
        client.batch_lookup(BOARD, ["-"], search_seconds=1.0)
    with pytest.raises(InvalidRequestError, match="without search_nodes"):
        client.lookup(BOARD, search_seconds=1.0)


def test_a_long_batch_is_answered_in_pages(make_service: MakeService) -> None:
    client = make_service(limits=Limits(batch_size=5_000)).client
    texts = ["moves:1111222233334444"[: 6 + n % 16] for n in range(2_500)]
    items = client.batch_lookup(BOARD, texts, search=1)
    assert len(items) == 2_500
    with pytest.raises(LimitExceededError):
        client.batch_lookup(BOARD, ["-"] * 5_001, search=1)
