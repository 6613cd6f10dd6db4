"""Tables of awari: numbering, retrograde analysis, files, verification, against brute force and outside data."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from awari_endgames import endgames
from table_files import read_values, rewrite

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.engine.errors import DamagedTableError, NoTablesError
from proofbase.engine.reference import values
from proofbase.engine.rules import Awari
from proofbase.engine.tables import PythonTables

STONES = 9
GAME = open_game("awari")
RULES = Awari()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to nine stones."""
    directory = tmp_path_factory.mktemp("tables")
    assert TableWork(GAME, str(directory), STONES, threads=2).build()
    return directory


def reports(directory: Path, size: int) -> list[Any]:
    work = TableWork(GAME, str(directory), size, threads=2)
    return [work.verify(entry.table_class) for entry in work.plan()]


# --- Numbering and moves backwards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("stones", [0, 1, 2, 5, 6])
def test_numbering_is_a_bijection_in_both_languages(folder: Path, stones: int) -> None:
    tables = Tables(GAME, str(folder))
    entries = tables.entries()[stones].entries
    seen = set()
    for entry in range(entries):
        position = RULES.table_position(f"awari-{stones}", entry)
        assert RULES.table_entry(position) == (f"awari-{stones}", entry)
        assert GAME.text(tables.position(stones, entry)) == RULES.text(position)
        seen.add(position)
    assert len(seen) == entries
    with pytest.raises(IndexError):
        tables.position(stones, entries)


def test_predecessors_invert_moves(folder: Path) -> None:
    """What a verification finds out by fingerprints, one by one."""
    tables = Tables(GAME, str(folder))
    for stones in range(7):
        forwards, backwards = list[tuple[int, int]](), list[tuple[int, int]]()
        for entry in range(tables.entries()[stones].entries):
            position = RULES.table_position(f"awari-{stones}", entry)
            for move in RULES.moves(position):
                if RULES.reward(position, move) == 0:
                    forwards.append((entry, RULES.table_entry(RULES.play(position, move))[1]))
            backwards += [(before, entry) for before in tables.predecessors(stones, entry)]
        assert sorted(forwards) == sorted(backwards)


# --- Values ----------------------------------------------------------------------------------------------------------


def test_values_are_those_of_brute_force(folder: Path) -> None:
    graph, positions = endgames(5)
    tables, python = Tables(GAME, str(folder)), PythonTables(RULES, folder)
    for node, (key, position) in enumerate(positions.items()):
        value = expected_values()[node]
        assert tables.value(key) == python.value(position) == value
    assert len(positions) == len(graph) > 5000


_EXPECTED: list[int] = []


def expected_values() -> list[int]:
    if not _EXPECTED:
        _EXPECTED.extend(values(endgames(5)[0]))
    return _EXPECTED


def test_columns_of_values(folder: Path) -> None:
    tables = Tables(GAME, str(folder))
    positions = [tables.position(9, entry) for entry in range(0, 167_960, 997)] + [GAME.initial()]
    known, packed = tables.values(b"".join(GAME.key(position) for position in positions) + b"\xff" * 8)
    assert known == b"\1" * (len(positions) - 1) + b"\0\0"
    found = [int.from_bytes(packed[4 * i : 4 * i + 4], "little", signed=True) for i in range(len(positions))]
    assert found == [tables.value(position) or 0 for position in positions]
    with pytest.raises(ValueError, match="whole number"):
        tables.values(b"123")


def test_counts_per_value_are_those_of_outside_data(folder: Path, shared_data: Path) -> None:
    tables = Tables(GAME, str(folder))
    levels = json.loads((shared_data / "awari_db_histograms.json").read_text())["levels"]
    for level in levels[: STONES + 1]:
        counts = tables.histogram(level["stones"])
        assert {str(value): count for value, count in counts.items()} == level["hist"]
    assert len(levels) > STONES


def test_positions_of_outside_data(folder: Path, shared_data: Path) -> None:
    tables, checked = Tables(GAME, str(folder)), 0
    for line in (shared_data / "awari_values_3to16.txt").read_text().splitlines():
        words = line.split()
        if line.startswith("#") or sum(pits := [int(word) for word in words[:12]]) > STONES:
            continue
        position = GAME.parse(",".join(map(str, pits[:5:-1])) + "/" + ",".join(map(str, pits[:6])))
        assert tables.value(position) == int(words[13])
        moves = dict(map(int, word.split(":")) for word in words[15:])
        for move, value in moves.items():
            child = GAME.play(position, move)
            after = GAME.terminal(child)
            assert GAME.reward(position, move) - (tables.value(child) if after is None else after) == value
        checked += 1
    assert checked > 300


def test_the_same_bytes_with_any_number_of_threads(folder: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        directory = tmp_path / str(threads)
        assert TableWork(GAME, str(directory), 8, threads=threads).build()
        for file in directory.glob("*.table"):
            assert file.read_bytes() == (folder / file.name).read_bytes()


def test_the_table_of_another_value_range_is_the_same_table(folder: Path, tmp_path: Path) -> None:
    """The description of the format is enough to write a file that the core takes for its own."""
    path = tmp_path / "awari-8.table"
    path.write_bytes((folder / path.name).read_bytes())
    rewrite(path, read_values(path))
    assert path.read_bytes() == (folder / path.name).read_bytes()


# --- Stopping and going on -------------------------------------------------------------------------------------------

BUILD = """
import sys
from proofbase.engine._core import TableWork, open_game
TableWork(open_game("awari"), sys.argv[1], 9, threads=2).build(checkpoint_seconds=0)
"""


def test_a_killed_build_goes_on(folder: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "awari-9.checkpoint"
    for _ in range(20):  # until a kill comes between a checkpoint of the largest class and its table
        with subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)]) as process:
            while process.poll() is None and not checkpoint.exists():
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if checkpoint.exists():
            break
        (tmp_path / "awari-9.table").unlink(missing_ok=True)
    assert checkpoint.exists()
    assert not (tmp_path / "awari-9.table").exists()
    assert TableWork(GAME, str(tmp_path), 9).build()
    assert (tmp_path / "awari-9.table").read_bytes() == (folder / "awari-9.table").read_bytes()
    assert not checkpoint.exists()


def test_a_damaged_checkpoint_costs_only_work(folder: Path, tmp_path: Path) -> None:
    test_a_killed_build_goes_on(folder, tmp_path)
    (tmp_path / "awari-9.table").unlink()
    (tmp_path / "awari-9.checkpoint").write_bytes(b"PBTABLE\n" + bytes(1000))
    assert TableWork(GAME, str(tmp_path), 9).build()
    assert (tmp_path / "awari-9.table").read_bytes() == (folder / "awari-9.table").read_bytes()


def test_cancelled_work_stops_at_once(folder: Path, tmp_path: Path) -> None:
    from threading import Thread

    work = TableWork(GAME, str(tmp_path), 24, threads=2)
    outcome = list[bool]()
    thread = Thread(target=lambda: outcome.append(work.build()))
    thread.start()
    while work.before < 500_000:
        time.sleep(0.005)
    assert 0 <= work.done <= work.size <= work.total
    work.cancel()
    started = time.monotonic()
    thread.join()
    assert outcome == [False]
    assert time.monotonic() - started < 0.5  # 50 ms on a machine with nothing else to do
    assert TableWork(GAME, str(tmp_path), 9).build()
    assert work.verify(3) is None


def test_one_builder_at_a_time(tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(RuntimeError, match="another process"):
            TableWork(GAME, str(tmp_path), 3).build()


# --- Damage ----------------------------------------------------------------------------------------------------------


def test_no_flipped_byte_is_ever_served(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "awari-7.table"  # four blocks
    whole = (folder / path.name).read_bytes()
    expected = read_values(folder / path.name)
    start = 320
    rng = random.Random(1)
    places = {*range(start), *range(len(whole) - 10, len(whole)), *rng.sample(range(start, len(whole)), 200)}
    for place in sorted(places):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :])
        reported = 0
        for make in (lambda: Tables(GAME, str(tmp_path)), lambda: PythonTables(RULES, tmp_path)):
            try:
                tables = make()
                for entry in range(0, len(expected), 4096):
                    position = RULES.table_position("awari-7", entry)
                    native = isinstance(tables, Tables)
                    assert tables.value(GAME.parse(RULES.text(position)) if native else position) == expected[entry]
            except DamagedTableError as error:
                reported += "awari-7.table" in str(error)
        python_reads = not (272 <= place < start or place >= len(whole) - 8)  # it does not look between the parts
        assert reported == 1 + python_reads


@pytest.mark.parametrize("cut", [0, 100, 256, 4000, -1])
def test_a_cut_file_is_damaged(folder: Path, tmp_path: Path, cut: int) -> None:
    (tmp_path / "awari-5.table").write_bytes((folder / "awari-5.table").read_bytes()[:cut])
    with pytest.raises(DamagedTableError):
        Tables(GAME, str(tmp_path))


def test_tables_of_another_class_or_of_other_rules_are_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "awari-5.table"
    path.write_bytes((folder / "awari-6.table").read_bytes())
    with pytest.raises(DamagedTableError, match="it is the table of awari, 6"):
        Tables(GAME, str(tmp_path))
    path.write_bytes((folder / path.name).read_bytes())
    changed = bytearray(path.read_bytes())
    changed[40] ^= 1  # the fingerprint of the rules
    path.write_bytes(changed)
    rewrite(path, read_values(path))  # with the checksum of such a header
    with pytest.raises(DamagedTableError, match="other rules"):
        Tables(GAME, str(tmp_path))


def test_games_without_tables_say_so(tmp_path: Path) -> None:
    for name in ("tic-tac-toe", "connect-four"):
        with pytest.raises(NoTablesError, match=f"{name} has no tables"):
            Tables(open_game(name), str(tmp_path))
        with pytest.raises(NoTablesError):
            TableWork(open_game(name), str(tmp_path), 3)
    assert Tables(GAME, str(tmp_path / "nowhere")).entries() == []


# --- Verification ----------------------------------------------------------------------------------------------------


def test_sound_tables_pass(folder: Path) -> None:
    found = reports(folder, 8)
    assert [(report.failed, report.findings) for report in found] == [(0, [])] * 9
    assert [report.checked for report in found] == [entry.entries for entry in Tables(GAME, str(folder)).entries()][:9]
    assert [report.longest for report in found[:6]] == [longest_line(stones) for stones in range(6)]


def longest_line(stones: int) -> int:
    """The highest layer of a class, by the definition: layers by rounds over the whole class."""
    graph, positions = endgames(5)
    worth = expected_values()
    inside = {node for node, p in enumerate(positions.values()) if sum(p.own) + sum(p.other) == stones}
    layers = {node: 0 for node in inside if graph.terminal[node] is not None}
    for layer in range(1, 1000):
        new = []
        for node in inside - layers.keys():
            ways = [edge for edge in graph.edges[node] if edge.reward - worth[edge.child] == worth[node]]
            inner = [edge.child in layers for edge in ways if edge.child in inside]
            if worth[node] > 0 and (len(inner) < len(ways) or any(inner)):
                new.append(node)
            if worth[node] < 0 and all(inner):
                new.append(node)
        if not new:
            break
        layers.update(dict.fromkeys(new, layer))
    return max(layers.values(), default=0)


def report_of(directory: Path, stones: int, threads: int) -> tuple[object, ...]:
    report = TableWork(GAME, str(directory), stones, threads=threads).verify(stones)
    assert report is not None
    findings = [(found.entry, found.value, found.rule, found.detail) for found in report.findings]
    return report.checked, report.failed, report.longest, report.longest_entry, findings


def test_the_same_report_with_any_number_of_threads(folder: Path, tmp_path: Path) -> None:
    assert report_of(folder, 9, 3) == report_of(folder, 9, 1)
    copy_of(folder, tmp_path, 8)
    path = tmp_path / "awari-8.table"
    wrong = read_values(path)
    for entry in random.Random(3).sample(range(len(wrong)), 200):
        wrong[entry] = -wrong[entry] or 1
    rewrite(path, wrong)
    report = report_of(tmp_path, 8, 3)
    assert report == report_of(tmp_path, 8, 1)
    assert isinstance(report[1], int) and isinstance(report[4], list)
    assert report[1] > 100 == len(report[4])


def copy_of(folder: Path, target: Path, size: int) -> Path:
    for stones in range(size + 1):
        name = f"awari-{stones}.table"
        (target / name).write_bytes((folder / name).read_bytes())
    return target


def test_a_wrong_value_is_found(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 6)
    rng = random.Random(2)
    path = tmp_path / "awari-6.table"
    sound = read_values(path)
    for _ in range(20):
        wrong, entry = list(sound), rng.randrange(len(sound))
        wrong[entry] += rng.choice([-1, 1])
        rewrite(path, wrong)
        report = reports(tmp_path, 6)[6]
        assert report.failed > 0
        assert any(finding.entry == entry and finding.rule == "value" for finding in report.findings)


def test_values_that_support_each_other_are_found(folder: Path, tmp_path: Path) -> None:
    """Every entry is what its moves are worth, and yet false: only a cycle supports it."""
    copy_of(folder, tmp_path, 5)
    planted = 0
    for stones in (2, 3, 4, 5):
        path = tmp_path / f"awari-{stones}.table"
        sound = read_values(path)
        for lie in consistent_lies(stones, sound):
            rewrite(path, lie)
            report = reports(tmp_path, stones)[stones]
            rules = {finding.rule for finding in report.findings}
            assert rules == {"progress"}
            assert all(lie[finding.entry] != sound[finding.entry] for finding in report.findings)
            planted += 1
        rewrite(path, sound)
    assert planted >= 5


def consistent_lies(stones: int, sound: list[int]) -> list[list[int]]:
    """Other solutions of "every value is the maximum over its moves" than the game's."""
    name, lies = f"awari-{stones}", list[list[int]]()
    smaller = [expected_by_class(n) for n in range(stones - 1)]
    exits, inner = list[int | None](), list[list[int]]()
    for entry in range(len(sound)):
        position = RULES.table_position(name, entry)
        best, stay = RULES.terminal(position), list[int]()
        for move in RULES.moves(position):
            child, reward = RULES.play(position, move), RULES.reward(position, move)
            if reward == 0:
                stay.append(RULES.table_entry(child)[1])
            else:
                worth = reward - smaller[stones - reward][RULES.table_entry(child)[1]]
                best = worth if best is None else max(best, worth)
        exits.append(best)
        inner.append(stay)
    rng = random.Random(stones)
    for _ in range(30):
        values = [rng.choice([-2, -1, 1, 2]) if value == 0 else value for value in sound]
        for _ in range(100):
            changed = False
            for entry, stay in enumerate(inner):
                options = [-values[child] for child in stay]
                best = exits[entry]
                value = max(options if best is None else [*options, best])
                changed |= value != values[entry]
                values[entry] = value
            if not changed:
                break
        if not changed and values != sound and values not in lies:
            lies.append(values)
    return lies[:5]


def expected_by_class(stones: int) -> list[int]:
    found = dict[int, int]()
    for node, position in enumerate(endgames(5)[1].values()):
        name, entry = RULES.table_entry(position)
        if name == f"awari-{stones}":
            found[entry] = expected_values()[node]
    return [found[entry] for entry in range(len(found))]


def test_a_damaged_table_does_not_pass(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 4)
    path = tmp_path / "awari-4.table"
    data = bytearray(path.read_bytes())
    data[1000] ^= 4
    path.write_bytes(data)
    report = reports(tmp_path, 4)[4]
    assert [finding.rule for finding in report.findings] == ["damaged"]


def test_a_table_is_verified_with_those_that_it_needs(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "awari-4.table").write_bytes((folder / "awari-4.table").read_bytes())
    with pytest.raises(ValueError, match="table awari-0 is not there"):
        TableWork(GAME, str(tmp_path), 4).verify(4)
