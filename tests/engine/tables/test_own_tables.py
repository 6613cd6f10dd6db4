"""Tables of games in Python: built, verified and compressed by the native core, read without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_files import rewrite

from proofbase.engine import open_game
from proofbase.engine._core import TableWork
from proofbase.engine.errors import BrokenGameError, DamagedTableError, NoTablesError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.rules import Awari, EnumeratedGame, Game, RandomGraph
from proofbase.engine.rules.game import TableClass
from proofbase.engine.tables import BlockCache, PythonTables, own_table_work, table_counts


class OwnAwari(Awari):
    """The rules in Python as a game of one's own: it says which tables there are, up to a number of stones."""

    def table_names(self, size: int) -> list[str]:
        return [f"awari-{stones}" for stones in range(size + 1)]


class Stages(RandomGraph):
    """A random graph with cycles and rewards; the tables have its stages, which moves with rewards leave."""

    def stage(self, node: int) -> int:
        return (node // self.group * self.group) * 10 // self.nodes

    @cached_property
    def nodes_by_stage(self) -> list[list[int]]:
        return [[node for node in range(self.nodes) if self.stage(node) == stage] for stage in range(10)]

    def nodes_of(self, stage: int) -> list[int]:
        return self.nodes_by_stage[stage]

    def table_names(self, size: int) -> list[str]:
        return [f"stage-{stage}" for stage in range(9, 9 - size, -1) if self.nodes_of(stage)]

    def table_entry(self, position: int) -> tuple[str, int]:
        stage = self.stage(position)
        return f"stage-{stage}", self.nodes_of(stage).index(position)

    def table_class(self, name: str) -> TableClass | None:
        stage = int(name.removeprefix("stage-"))
        return TableClass(stage, name, len(self.nodes_of(stage)))

    def table_position(self, name: str, entry: int) -> int:
        return self.nodes_of(int(name.removeprefix("stage-")))[entry]


class OneTable(EnumeratedGame[int], RandomGraph):
    """A random graph without rewards, whose finished positions are lost or drawn: its table can hold plies."""

    table_end_value: int | None

    def terminal(self, position: int) -> int | None:
        value = super().terminal(position)
        return None if value is None else min(value, 0)

    def table_positions(self) -> Iterable[int]:
        return range(self.nodes)


def one_table(seed: int, *, plies: bool) -> OneTable:
    game = OneTable(f"nodes=300,degree=4,ends=12,group={(1, 10, 50)[seed % 3]},seed={seed}")
    game.table_end_value = -1 if plies else None
    return game


def built(game: Game[Any], directory: Path, size: int = 0) -> PythonTables:
    work = own_table_work(game, directory, size)
    assert work.build()
    for info in work.plan():
        report = work.verify(info.table_class)
        assert report is not None and report.failed == 0 and report.checked == info.entries
    return PythonTables(game, directory)


def test_the_files_are_those_of_the_native_builder(tmp_path: Path) -> None:
    native, own = tmp_path / "native", tmp_path / "own"
    work = TableWork(open_game("awari"), str(native), 5)
    assert work.build()
    built(OwnAwari(), own, 5)
    python = own_table_work(OwnAwari(), own, 5)
    names = [f"awari-{stones}.table" for stones in range(6)]
    for name in names:
        assert (own / name).read_bytes() == (native / name).read_bytes()
    plan = {entry.name: entry.checksum for entry in work.plan()}
    assert {info.name: info.checksum for info in python.plan()} == plan
    assert work.rewrite(level=12, block=1024) and python.rewrite(level=12, block=1024)
    assert {info.name: info.block for info in python.plan()} == {entry.name: entry.block for entry in work.plan()}
    for stones in range(6):
        assert work.verify(stones).failed == 0  # type: ignore[union-attr]
    assert python.rewrite(level=None)
    assert {info.name: info.checksum for info in python.plan()} == plan


@pytest.mark.parametrize("seed", range(12))
def test_values_are_those_of_brute_force(seed: int, tmp_path: Path) -> None:
    """Cycles and rewards; every class rests on others."""
    game = Stages(f"nodes=200,degree=4,span=30,ends=8,values=3,rewards=2,group={(1, 4, 20)[seed % 3]},seed={seed}")
    graph = explore(game)
    tables = built(game, tmp_path, 10)
    for key, value in zip(graph.keys, values(graph), strict=True):
        assert tables.value(game.position(key)) == value
    assert game.has_rewards() and tables.plies(game.initial()) is None


def plies_by_brute_force(game: Game[int], positions: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Value and plies: those that are decided within n plies, for n = 0, 1, ... until nothing is added."""
    known = {place: (value, 0) for place in positions if (value := game.terminal(place)) is not None}
    for plies in range(1, len(known) + 1000):
        new = dict[int, tuple[int, int]]()
        for place in positions:
            if place in known:
                continue
            after = [known.get(game.play(place, move)) for move in game.moves(place)]
            if any(one is not None and one[0] < 0 for one in after):
                new[place] = 1, plies
            elif all(one is not None and one[0] > 0 for one in after):
                new[place] = -1, plies
        if not new:
            break
        known |= new
    return {place: known.get(place, (0, 0)) for place in positions}


@pytest.mark.parametrize("seed", range(9))
def test_plies_are_those_of_brute_force(seed: int, tmp_path: Path) -> None:
    game = one_table(seed, plies=True)
    tables = built(game, tmp_path)
    expected = plies_by_brute_force(game, range(game.nodes))
    assert {place: (tables.value(place), tables.plies(place)) for place in range(game.nodes)} == expected
    assert max(plies for _, plies in expected.values()) >= 3
    [file] = tmp_path.glob("*.table")
    assert table_counts(game, file) == Counter(expected.values())
    of_values = built(one_table(seed, plies=False), tmp_path / "values")
    assert [of_values.value(place) for place in range(game.nodes)] == [value for value, _ in expected.values()]
    assert tables.histogram(0) == of_values.histogram(0)
    counts = Counter((plies, value) for value, plies in expected.values() if value)
    found = tables.plies_histogram(0)
    assert {(plies, value): count for value, plies, count, _ in found} == counts and not of_values.plies_histogram(0)
    assert all(expected[tables.position(0, first)] == (value, plies) for value, plies, _, first in found)


class OnlyGoingOn(OneTable):
    """The table has no finished positions: moves lead to them, and to no table."""

    def table_positions(self) -> Iterable[int]:
        return [place for place in range(self.nodes) if self.terminal(place) is None]


@pytest.mark.parametrize("plies", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_moves_may_lead_to_finished_positions_that_are_in_no_table(seed: int, plies: bool, tmp_path: Path) -> None:
    game = OnlyGoingOn(f"nodes=300,degree=4,ends=12,seed={seed}")
    game.table_end_value = -1 if plies else None
    tables, expected = built(game, tmp_path), plies_by_brute_force(game, range(game.nodes))
    going_on = list(game.table_positions())
    assert len(going_on) < game.nodes and {game.terminal(place) for place in range(game.nodes)} == {None, 0, -1}
    assert [tables.value(place) for place in going_on] == [expected[place][0] for place in going_on]
    if plies:
        assert [tables.plies(place) for place in going_on] == [expected[place][1] for place in going_on]


@pytest.mark.parametrize("plies", [False, True])
def test_wrong_entries_are_found(plies: bool, tmp_path: Path) -> None:
    """Every change of an entry is found, also one that only a cycle could bear out."""
    game = one_table(1, plies=plies)
    tables = built(game, tmp_path)
    work, random = own_table_work(game, tmp_path, 0), Random(5)
    (info,) = work.plan()
    right = [tables.entry(info.name, number) or 0 for number in range(info.entries)]
    for _ in range(20):
        wrong, number = list(right), random.randrange(info.entries)
        wrong[number] = random.choice([entry for entry in set(right) if entry != right[number]])
        rewrite(tmp_path / f"{info.name}.table".replace(":", "_"), wrong)
        report = work.verify(0)
        assert report is not None and report.failed > 0 and {found.rule for found in report.findings} == {"value"}


class Circle(EnumeratedGame[int]):
    """Positions 0, 1 and 2 go round for ever, or leave for a finished one: 3 is drawn, 4 is lost."""

    name = "circle"
    acyclic = False
    children = ((1, 3), (2, 3), (3, 0), (), ())

    def initial(self) -> int:
        return 0

    def repetition(self, position: int) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return {3: 0, 4: -1}.get(position)

    def moves(self, position: int) -> range:
        return range(len(self.children[position]))

    def play(self, position: int, move: int) -> int:
        return self.children[position][move]

    def key(self, position: int) -> bytes:
        return bytes([position])

    def position(self, key: bytes) -> int:
        return key[0]

    def text(self, position: int) -> str:
        return str(position)

    def parse(self, text: str) -> int:
        return int(text)


class TwoCircle(Circle):
    """0 and 1 lead to each other; wins of one of them would bear each other out."""

    name = "two-circle"
    children = ((1,), (0,), (), (), ())


def test_a_win_that_rests_on_a_cycle_is_found(tmp_path: Path) -> None:
    built(TwoCircle(), tmp_path)
    rewrite(tmp_path / "two-circle-all.table", [1, -1])
    report = own_table_work(TwoCircle(), tmp_path, 0).verify(0)
    assert report is not None and [found.rule for found in report.findings] == ["progress", "progress"]


class Heap(Circle):
    """Who takes the last piece of a heap wins; a move takes as many as one likes, up to a limit."""

    name = "heap"
    acyclic = True
    pieces, limit = 300, 300

    def initial(self) -> int:
        return self.pieces

    def terminal(self, position: int) -> int | None:
        return -1 if position == 0 else None

    def moves(self, position: int) -> range:
        return range(1, min(position, self.limit) + 1)

    def play(self, position: int, move: int) -> int:
        return position - move

    def key(self, position: int) -> bytes:
        return position.to_bytes(2, "big")

    def position(self, key: bytes) -> int:
        return int.from_bytes(key, "big")


class LongHeap(Heap):
    """One move of each position, and more plies than the states of built-in games count."""

    name = "long-heap"
    pieces, limit = 17000, 1


@pytest.mark.parametrize("plies", [False, True])
def test_positions_may_have_hundreds_of_moves_in_their_table(plies: bool, tmp_path: Path) -> None:
    game = Heap()
    game.table_end_value = -1 if plies else None
    tables = built(game, tmp_path)
    assert [tables.value(pieces) for pieces in range(301)] == [-1, *[1] * 300]
    assert tables.plies(300) == (1 if plies else None)


def test_lines_may_be_long_in_a_table_of_values(tmp_path: Path) -> None:
    tables = built(LongHeap(), tmp_path)
    assert [tables.value(pieces) for pieces in (0, 1, 16999, 17000)] == [-1, 1, 1, -1]
    report = own_table_work(LongHeap(), tmp_path, 0).verify(0)
    assert report is not None and (report.longest, report.longest_entry) == (17000, 17000)


def test_lines_of_more_plies_than_an_entry_holds_are_refused(tmp_path: Path) -> None:
    game = LongHeap()
    game.table_end_value = -1
    with pytest.raises(BrokenGameError, match="a game of more than 252 plies"):
        own_table_work(game, tmp_path, 0).build()
    assert not list(tmp_path.glob("*.table*"))


def test_too_little_memory_for_a_verification_is_said(tmp_path: Path) -> None:
    work = own_table_work(TwoCircle(), tmp_path, 0)
    assert work.build()
    (info,) = work.plan()
    assert info.verify_memory == info.verify_least_memory > 0
    assert work.verify(0, memory=info.verify_memory) is not None
    with pytest.raises(ValueError, match=r"needs \d+ bytes of memory at least to be verified"):
        work.verify(0, memory=info.verify_memory - 1)


def test_games_without_sound_tables_are_refused(tmp_path: Path) -> None:
    class Endless(Circle):
        def repetition(self, position: int) -> int:
            return 1

    class Leaves(Circle):
        def table_positions(self) -> Iterable[int]:
            return [0, 1]

    class Worth(Circle):
        table_end_value = 1

        def terminal(self, position: int) -> int | None:
            return {3: -1}.get(position)

    for game, why in ((Endless(), "endless play"), (Leaves(), "leads to no table"), (Worth(), "worth -1")):
        with pytest.raises(BrokenGameError, match=why):
            own_table_work(game, tmp_path, 0).build()
    assert list(tmp_path.glob("*.table*")) == []
    with pytest.raises(NoTablesError):
        own_table_work(RandomGraph("nodes=20"), tmp_path, 0)


def test_two_builders_exclude_each_other_and_cancelled_ones_leave_nothing(tmp_path: Path) -> None:
    import fcntl

    work = own_table_work(OwnAwari(), tmp_path, 3)
    with (tmp_path / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(RuntimeError, match="by another process"):
            work.build()
    work.cancel()
    assert not work.build() and list(tmp_path.glob("*.table*")) == []


def test_damage_is_found(tmp_path: Path) -> None:
    built(OwnAwari(), tmp_path, 3)
    path = tmp_path / "awari-3.table"
    data = bytearray(path.read_bytes())
    data[400] ^= 4
    path.write_bytes(data)
    with pytest.raises(DamagedTableError):
        PythonTables(OwnAwari(), tmp_path).value(OwnAwari().table_position("awari-3", 0))
    work = own_table_work(OwnAwari(), tmp_path, 3)
    report = work.verify(3)
    assert report is not None and [found.rule for found in report.findings] == ["damaged"]
    with pytest.raises(DamagedTableError, match="awari-3"):
        work.rewrite(level=3)
    assert path.read_bytes() == data and not list(tmp_path.glob("*.new"))


def test_blocks_in_memory_keep_to_their_limit(tmp_path: Path) -> None:
    built(OwnAwari(), tmp_path, 6)
    assert own_table_work(OwnAwari(), tmp_path, 6).rewrite(level=1, block=1024)
    game, cache, random = OwnAwari(), BlockCache(3000), Random(1)
    tables, whole = PythonTables(game, tmp_path, cache=cache), PythonTables(game, tmp_path)
    used = set[int]()
    for _ in range(300):
        position = game.table_position("awari-6", random.randrange(12376))
        assert tables.value(position) == whole.value(position)
        used.add(cache.used)
    assert max(used) <= 3000 and 2048 in used
    del tables
    assert cache.used == 0
