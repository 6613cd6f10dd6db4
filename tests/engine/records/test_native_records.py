"""Native record tables: the encoding, the lattice, and many threads, against the Python records."""

from __future__ import annotations

import threading
from random import Random

import pytest
from drawn_strategies import pairings, strategies
from drawn_threats import threats
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine._core import RecordTable, Search, open_game
from proofbase.engine.checking.local_check import Finding
from proofbase.engine.errors import ContradictionError, InvalidKeyError, MalformedRecordError
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    RecordOverflowError,
    Side,
    decode_record,
    encode_record,
    line_payload,
    merge_claims,
    merge_records,
    pairing_payload,
    search_payload,
    strategy_payload,
    table_payload,
    threats_payload,
)

GAME = open_game("connect-four")
KEY = GAME.key(GAME.initial())

numbers = st.one_of(st.integers(0, 130), st.integers(0, 2**31 - 1), st.sampled_from([127, 128, 255, 256, 2**31 - 1]))
bounds = st.one_of(st.integers(-9, 9), st.integers(-(2**30), 2**30 - 1))


@st.composite
def claims(draw: st.DrawFn, lower: st.SearchStrategy[int] = bounds, upper: st.SearchStrategy[int] = bounds) -> Claim:
    side = draw(st.sampled_from(Side))
    evidence = draw(st.sampled_from(Evidence))
    payload = b""
    if evidence == Evidence.TABLE:
        payload = table_payload(draw(st.text(max_size=40)))
    elif evidence == Evidence.LINE:
        lines = draw(st.lists(st.lists(numbers, min_size=1, max_size=5), min_size=side == Side.LOWER, max_size=3))
        sized = [number for line in lines for number in (len(line), *line)]
        payload = line_payload(lines[0] if side == Side.LOWER else sized)
    elif evidence.is_search:
        payload = search_payload(draw(st.integers(1, 10_000)))
    elif evidence == Evidence.THREATS:
        payload = threats_payload(draw(threats(side)))
    elif evidence == Evidence.STRATEGY:
        payload = strategy_payload(draw(strategies(side)), lower=side == Side.LOWER)
    elif evidence == Evidence.PAIRING:
        payload = pairing_payload(draw(pairings()))
    witness = draw(numbers) if side == Side.LOWER else None
    return Claim(side, draw(lower if side == Side.LOWER else upper), draw(numbers), evidence, witness, payload)


# Lower bounds up to 0 and upper bounds from 0 never contradict each other.
agreeing = st.lists(claims(st.integers(-20, 0), st.integers(0, 20)), min_size=1, max_size=5).map(Record.of)


def merged(*records: Record) -> bytes | None:
    table = RecordTable(GAME)
    for record in records:
        table.put(KEY, encode_record(record))
    return table.get(KEY)


KNOWN_BYTES = [
    ("11 00 02 07 03", "lower = 1, rank 7, witness 3, by children"),
    ("11 01 01 80 01", "upper = -1, rank 128, by children"),
    ("12 00 00 28 00 01 00 2a", "both bounds 0"),
    ("11 06 02 01 04 90 4e", "lower = 1 by a search of 10,000 nodes"),
    ("11 03 00 00 03 61 c3 a9", "upper by the table a\N{LATIN SMALL LETTER E WITH ACUTE}"),
    ("11 04 00 05 00 03 01 80 01", "lower by a line of the moves 1, 128"),
    ("11 00 fe ff ff ff 07 ff ff ff ff 07 ff ff ff ff 07", "the largest numbers"),
    ("21 09 01 04 05 01 09 01 00 00", "upper by threats: the reply 9 named, a tree that ends against a pass"),
    ("21 08 02 05 06 05 00 01 07 00 00", "lower by the tree of one move, 6"),
    ("31 0a 02 1d 03 02 12 0b", "lower by a strategy: square 3 is urgent, square 5 low"),
    ("31 0b 01 1c 03 01 06 0a", "upper by a strategy: the reply 6 named, square 1 is middle"),
    ("41 0c 02 01 04 90 4e", "lower = 1 by a search to limits of 10,000 nodes"),
    ("42 06 00 05 06 09 0d 02 04 07", "lower = 0 by a search of 9 nodes, upper = 1 by one to limits of 7"),
    ("51 0e 00 09 04 06 00 01 00 01 03 00", "lower = 0, witness 4, by the pairs 0-2, 1-3 and 5-6"),
    ("13 00 04 09 01 00 02 08 02 00 00 07 03", "three lower claims"),
]


@pytest.mark.parametrize(("data", "meaning"), KNOWN_BYTES)
def test_known_bytes_are_read_and_written_again(data: str, meaning: str) -> None:
    record = bytes.fromhex(data)
    table = RecordTable(GAME)
    assert table.put(KEY, record) and table.get(KEY) == record, meaning
    assert encode_record(decode_record(record)) == record
    assert not table.put(KEY, record), "merging the same again changes nothing"
    # Sources are for stores: accepted and dropped.
    assert not table.put(KEY, record + bytes([5] * (record[0] & 15))) and table.get(KEY) == record


@pytest.mark.parametrize("rank", [127, 128, 16_383, 16_384])
@pytest.mark.parametrize(("bound", "of_upper"), [(-8, 7), (-9, 8), (-2048, 2047), (-2049, 2048)])
def test_numbers_at_the_edge_of_a_packed_record_survive_the_table(rank: int, bound: int, of_upper: int) -> None:
    """The table packs most records into a word: the numbers that just fit, and the next ones (packed_claims.hpp)."""
    for witness, nodes in ((0, 8191), (255, 8192), (256, 10_000)):
        for evidence, payload in ((Evidence.CHILDREN, b""), (Evidence.SEARCH, search_payload(nodes))):
            lower = Claim(Side.LOWER, bound, rank, evidence, witness, payload)
            upper = Claim(Side.UPPER, of_upper, rank, evidence, None, payload)
            for record in map(Record.of, ([lower], [upper], [lower, upper])):
                assert merged(record) == encode_record(record)


@settings(max_examples=5 * settings().max_examples)
@given(agreeing)
def test_records_of_the_store_survive_the_table(record: Record) -> None:
    assert merged(record) == encode_record(record)


@st.composite
def mutations(draw: st.DrawFn, data: bytes) -> bytes:
    place = draw(st.integers(0, len(data) - 1))
    return draw(
        st.sampled_from([data[:place], data + b"\0", data[:place] + draw(st.binary(max_size=2)) + data[place + 1 :]])
    )


@settings(max_examples=8 * settings().max_examples)
@given(st.binary(max_size=24) | agreeing.flatmap(lambda record: mutations(encode_record(record))))
def test_any_bytes_are_read_alike_by_the_store_and_the_core(data: bytes) -> None:
    try:
        expected: bytes | None = encode_record(decode_record(data).with_source(None))
        if decode_record(data).contradiction():
            expected = None
    except MalformedRecordError:
        expected = None
    table = RecordTable(GAME)
    if expected is None:
        with pytest.raises((MalformedRecordError, ContradictionError)):
            table.put(KEY, data)
    else:
        table.put(KEY, data)
    assert table.get(KEY) == expected


@settings(max_examples=3 * settings().max_examples)
@given(agreeing, agreeing, agreeing)
def test_merging_is_a_lattice_and_that_of_the_store(a: Record, b: Record, c: Record) -> None:
    try:
        expected = encode_record(merge_records(merge_records(a, b), c))
    except RecordOverflowError:
        with pytest.raises(MalformedRecordError, match="at most 15"):
            merged(a, b, c)
        return
    assert merged(a, b, c) == expected
    assert merged(c, a, b) == merged(b, c, a) == expected
    assert merged(a, b, c, b, a) == expected
    assert merge_claims((*a.claims, *b.claims, *c.claims)) == decode_record(expected)


def encoded(*of: Claim) -> bytes:
    return encode_record(Record.of(of))


def test_a_contradiction_is_refused_with_both_claims_and_changes_nothing() -> None:
    table = RecordTable(GAME)
    lower = encoded(Claim(Side.LOWER, 1, 7, witness=3))
    table.put(KEY, lower)
    with pytest.raises(ContradictionError) as caught:
        table.put(KEY, encoded(Claim(Side.UPPER, 0, 9)))
    assert "lower = 1, rank 7, witness 3, by children contradicts upper = 0, rank 9, by children" in str(caught.value)
    assert KEY.hex() in str(caught.value) and "connect-four" in str(caught.value)
    assert table.get(KEY) == lower
    with pytest.raises(ContradictionError):  # within one record, too
        RecordTable(GAME).put(KEY, bytes.fromhex("12 00 02 01 00 01 00 01"))


def test_bad_items_raise_or_are_collected() -> None:
    good = (KEY, encoded(Claim(Side.LOWER, 0, 7, witness=3)))
    other = GAME.key(GAME.play(GAME.initial(), 3))
    bad = [(b"short", good[1]), (other, b"\x11\x00"), (KEY, encoded(Claim(Side.UPPER, -1, 2)))]
    for item, error in zip(bad, (InvalidKeyError, MalformedRecordError, ContradictionError), strict=True):
        table = RecordTable(GAME)
        with pytest.raises(error):
            table.load([good, item])
    faults: list[Finding] = []
    table = RecordTable(GAME)
    assert table.load([good, *bad, (other, good[1])], faults) == 2
    assert len(table) == 2
    assert sorted((fault.key, fault.rule) for fault in faults) == sorted(
        [(b"short", "malformed"), (other, "malformed"), (KEY, "contradiction")]
    )
    for wrong in ([b"key"], [(KEY, "text")], [(KEY,)], [[KEY, good[1]]]):
        with pytest.raises(TypeError, match="tuple of two bytes"):
            RecordTable(GAME).load(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        RecordTable(GAME).load(5)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        RecordTable(GAME).load((KEY, bytes(1 // 0)) for _ in range(3))


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe"])
def test_a_table_is_a_dictionary_with_merging(name: str) -> None:
    game, random = open_game(name), Random(7)
    table = RecordTable(game)
    model: dict[bytes, Record] = {}
    keys = [random.randbytes(game.key_size) for _ in range(1500)]
    for _ in range(20_000):
        key = random.choice(keys)
        if random.random() < 0.2:
            doomed = {key, random.choice(keys)}
            assert table.remove(list(doomed)) == sum(model.pop(one, None) is not None for one in doomed)
            continue
        wide = random.random() < 0.3
        rank = random.randrange(5000 if wide else 100)
        if random.random() < 0.5:
            claim = Claim(Side.LOWER, -random.randrange(200 if wide else 5), rank, witness=random.randrange(9))
        else:
            claim = Claim(Side.UPPER, random.randrange(200 if wide else 5), rank)
        before = model.get(key)
        after = Record.of((*(before.claims if before else ()), claim))
        assert table.put(key, encode_record(Record.of([claim]))) == (before != after)
        model[key] = after
    assert len(table) == len(model) > 500
    chunks = list(table.chunks(100))
    assert all(len(chunk) == 100 for chunk in chunks[:-1])
    assert [item for chunk in chunks for item in chunk] == sorted((key, encode_record(r)) for key, r in model.items())
    assert all(table.get(key) == (encode_record(model[key]) if key in model else None) for key in keys)
    copy = RecordTable(game)
    assert copy.load(item for chunk in chunks for item in chunk) == len(model)
    assert list(copy.chunks(10**6)) == list(table.chunks(10**6))


def test_replaced_encodings_do_not_fill_the_memory() -> None:
    table = RecordTable(GAME)
    sizes = []
    for rank in range(60, 0, -1):  # each round improves records that do not fit a word
        record = encoded(Claim(Side.LOWER, 1, rank, Evidence.LINE, 0, line_payload(range(40))))
        table.load((number.to_bytes(7, "big"), record) for number in range(5000))
        sizes.append(table.nbytes)
    assert len(table) == 5000 and max(sizes) < 12_000_000
    assert table.get((77).to_bytes(7, "big")) == record


def test_a_one_claim_record_costs_at_most_48_bytes() -> None:
    table, random = RecordTable(GAME), Random(1)
    record = encoded(Claim(Side.LOWER, 1, 30, Evidence.SEARCH, 6, search_payload(9999)))
    for records in (100_000, 99_000, 198_000, 400_000):
        table.load((random.randbytes(7), record) for _ in range(records))
        assert table.nbytes / len(table) <= 48


def test_readers_and_writers_share_a_table() -> None:
    """Checks, searches, lookups and iterations go on while records are added and taken away."""
    game = open_game("connect-four:4x4")
    search = Search(game, game.initial(), 0)
    search.run()
    solution = [item for chunk in search.solution(small_search_nodes=0).chunks(1000) for item in chunk]
    table = RecordTable(game)
    table.load(solution)
    stop, errors = threading.Event(), list[BaseException]()
    rounds = dict.fromkeys(("check", "search", "look", "iterate"), 0)

    def repeat(name: str, work: object) -> None:
        try:
            while not stop.is_set():
                work()  # type: ignore[operator]
                rounds[name] += 1
        except BaseException as error:
            errors.append(error)

    def check() -> None:
        assert table.check().checked <= len(solution)

    def run() -> None:
        assert Search(game, game.initial(), 0, known=table).run().status == "proved"

    def look() -> None:
        states = table.answers([key for key, _ in solution[:100]])[0]
        assert len(states) == 100

    def iterate() -> None:
        for chunk in table.chunks(7):
            assert all(record[0] >> 4 == 1 for _, record in chunk)

    works = {"check": check, "search": run, "look": look, "iterate": iterate}
    threads = [threading.Thread(target=repeat, args=item) for item in works.items()]
    for thread in threads:
        thread.start()
    random = Random(3)
    try:
        for _ in range(300):  # writers are not starved: this ends
            part = random.sample(solution, 50)
            table.remove([key for key, _ in part])
            table.load(part)
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)
    assert not errors and all(rounds.values()), (errors, rounds)
    assert len(table) == len(solution) and table.check().failed == 0


def test_answers_are_those_of_rules_and_records() -> None:
    game = open_game("connect-four:4x4")
    table = RecordTable(game)
    for threshold in (0, 1):
        search = Search(game, game.initial(), threshold)
        search.run()
        for chunk in search.solution(small_search_nodes=0).chunks(1000):
            table.load(chunk)
    random, given_keys, positions = Random(5), [], []
    for _ in range(3000):
        position = game.initial()
        for _ in range(random.randrange(17)):
            if not (moves := game.moves(position)):
                break
            position = game.play(position, random.choice(moves))
        positions.append(position)
        given_keys.append(position)
    given_keys += [b"\xff" * game.key_size, b"\0" * game.key_size]
    columns = table.answers(b"".join(given_keys), any_orientation=True)
    assert columns == table.answers(given_keys, any_orientation=True)
    strict = table.answers(given_keys)[0]
    seen = set()
    for index, position in enumerate(positions):
        state = columns[0][index]
        lower, upper, lower_rank, upper_rank = (
            int.from_bytes(column[4 * index : 4 * index + 4], "little", signed=True) for column in columns[1:]
        )
        seen.add(state)
        value, data = game.terminal(position), table.get(game.key(position))
        if value is not None:
            assert (state, lower, upper, lower_rank, upper_rank) == (1 | 2 | 16, value, value, 0, 0)
        else:
            record = decode_record(data) if data else None
            low = record.lower if record and record.lower and record.lower.bound > -1 else None
            up = record.upper if record and record.upper and record.upper.bound < 1 else None
            assert (lower, lower_rank) == ((low.bound, low.rank) if low else (-1, 0))
            assert (upper, upper_rank) == ((up.bound, up.rank) if up else (1, 0))
            exact = lower == upper
            assert state == (low is not None or exact) | (up is not None or exact) << 1 | (record is not None) << 3
        assert strict[index] == (state if game.key(position) == position else 4)
    assert seen >= {0, 3 | 16, 9, 10, 11}
    assert list(columns[0][-2:]) == [4, 4] and columns[1][-4:] == b"\xff" * 4
    with pytest.raises(ValueError, match="whole number"):
        table.answers(b"\0" * (game.key_size + 1))
    with pytest.raises(TypeError, match="bytes object"):
        table.answers(["a"])  # type: ignore[list-item]


def test_keys_of_the_wrong_size_are_refused() -> None:
    table = RecordTable(GAME)
    for ask in (table.get, table.below, lambda key: table.remove([key]), lambda key: table.check([key])):
        with pytest.raises(InvalidKeyError, match="7 bytes, not 3"):
            ask(b"abc")
    with pytest.raises(ValueError, match="at least one"):
        table.chunks(0)


@pytest.mark.parametrize("rank", [127, 128, 16383])
@pytest.mark.parametrize("bound", [7, 8, 48, 2047])
def test_bounds_of_many_values_and_long_ranks_cost_no_more_memory(bound: int, rank: int) -> None:
    game = open_game("awari")
    random = Random(bound)
    records = {}
    for _ in range(3000):
        position = game.parse(f"{','.join(str(random.randrange(4)) for _ in range(6))}/1,1,1,1,1,{random.randrange(9)}")
        claims = Claim(Side.LOWER, -bound - 1, rank, witness=255), Claim(Side.UPPER, bound, rank)
        records[game.key(position)] = encode_record(Record.of(claims))
    table = RecordTable(game)
    table.load(records.items())
    assert dict(item for chunk in table.chunks(999) for item in chunk) == records
    assert table.nbytes <= 46 * len(records) + 1024 * 16


def test_every_prefix_of_the_well_founded_order_is_closed() -> None:
    game = open_game("connect-four:4x4")
    search = Search(game, game.initial(), 0)
    search.run()
    solution = search.solution()
    other = Search(game, game.initial(), 1, algorithm="pn-dag+unit")
    other.run()
    for chunk in other.solution().chunks(1000):
        solution.load(chunk)
    prefix = RecordTable(game)
    for chunk in solution.chunks(97, well_founded=True):
        prefix.load(chunk)
        assert prefix.check().failed == 0
    assert dict(item for chunk in prefix.chunks() for item in chunk) == dict(
        item for chunk in solution.chunks() for item in chunk
    )


def test_no_child_is_missing_whose_record_was_loaded_while_the_table_grew_and_others_left() -> None:
    chance, positions = Random(3), []
    while len(positions) < 2_000:
        position = GAME.initial()
        for _ in range(8):
            if GAME.terminal(position) is None:
                position = GAME.play(position, chance.choice(GAME.moves(position)))
        if GAME.terminal(position) is None:
            positions.append(position)
    children = [GAME.play(position, move) for position in positions for move in GAME.moves(position)]
    keys = sorted({GAME.key(child) for child in children if GAME.terminal(child) is None})  # all of nine stones
    parents = [GAME.key(position) for position in positions]
    table, record = RecordTable(GAME), encoded(Claim(Side.UPPER, 1, 0))
    table.load((key, record) for key in parents)
    assert table.missing(parents) == keys
    table.load((key, record) for key in keys)
    assert table.missing(parents) == []
    gone = sorted(chance.sample(keys, 1_000))
    table.remove(gone)
    assert table.missing(parents) == gone
