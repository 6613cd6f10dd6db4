"""What all tests share: the outside data, a summary of what was skipped, and the tests of restricted builds."""

from __future__ import annotations

import gc
import os
import sys
import zlib
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from proofbase.engine.errors import NativeCoreMissingError

# The checker of certificates needs so much. Hypothesis refuses tests in which the limit changes: it is set before all.
sys.setrecursionlimit(11_000)

# Before any test module imports them: their assertions are to be explained like those of the tests themselves.
pytest.register_assert_rewrite("proofbase.storage.testing")

# Before any test module imports gRPC: what it does at a fork can wait for ever, and no forked process of ours calls it.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--built-games-only",
        action="store_true",
        help="for a build with PROOFBASE_GAMES: skip tests that open a native game which the build leaves out",
    )
    parser.addoption("--all", action="store_true", help="also run the tests that are marked `slow`")


def pytest_configure(config: pytest.Config) -> None:
    """Tests by hypothesis: no limits of time, which busy machines pass; fewer examples in the short run.

    A test may say otherwise for itself.
    """
    examples = 100 if config.getoption("--all") else 40
    slow = [HealthCheck.too_slow]
    settings.register_profile("tests", max_examples=examples, deadline=None, suppress_health_check=slow)
    settings.load_profile("tests")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """The garbage collector is off while tests are collected, and never looks at them and their modules again.

    They are half a million objects: to go through them took a third of the time of collecting, and a sixth of that of
    the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        gc.enable()


SLOW_AS = 40
"""Tests that a slow one counts as, in the order of files."""


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether all tests run (`--all`): a test that looks at many positions looks at fewer of them in the short run."""
    return bool(pytestconfig.getoption("--all"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that take long come first: where processes share the files, none works on alone at the end."""
    if config.getoption("--all"):
        weights = Counter[Path]()
        for item in items:
            weights[item.path] += SLOW_AS if _is_slow(item) else 1
        items.sort(key=lambda item: -weights[item.path])
        return
    kept, left_out = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        (left_out if _is_slow(item) or _is_second_way(item) else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def _is_slow(item: pytest.Item) -> bool:
    """Whether a mark `slow` names the test, or one of its parts the case."""
    return any(not mark.args or any(part in item.name for part in mark.args) for mark in item.iter_markers("slow"))


def _is_second_way(item: pytest.Item) -> bool:
    """Whether a test that is made in process and over gRPC (service/conftest.py) is left out in this one of the ways.

    One test in three is made over gRPC. A test that names its ways itself is made in all of them.
    """
    way = item.callspec.params.get("make_service") if hasattr(item, "callspec") else None
    if way is None or any("make_service" in mark.args[0] for mark in item.iter_markers("parametrize")):
        return False
    return (way == "over gRPC") != (zlib.crc32(item.name.partition("[")[0].encode()) % 3 == 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from skipping_games_left_out(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from skipping_games_left_out(item))


def skipping_games_left_out(item: pytest.Item) -> Generator[None, object, object]:
    """Turns the core's refusal of a game that the build leaves out into a skip, where the command line allows it."""
    try:
        return (yield)
    except NativeCoreMissingError as error:
        if not item.config.getoption("--built-games-only"):
            raise
        pytest.skip(str(error))


class BuiltGamesModule(pytest.Module):
    """A test module that is skipped when it opens a game that the build leaves out already as it is imported."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            if isinstance(error.__cause__, NativeCoreMissingError):
                pytest.skip(str(error.__cause__), allow_module_level=True)
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if parent.config.getoption("--built-games-only"):
        return BuiltGamesModule.from_parent(parent, path=module_path)
    return None


def shared_folder() -> Path | None:
    """The project's shared data: PROOFBASE_SHARED, or `shared` beside the repository; None when it is not there."""
    folder = Path(os.environ.get("PROOFBASE_SHARED", ROOT.parent / "shared"))
    return folder if (folder / "data").is_dir() else None


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the source tree: tests read its documents and scripts, and import nothing from it."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of outside test data; the test is skipped where it is not there."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("outside test data: neither PROOFBASE_SHARED nor ../shared has a folder data")
    return folder / "data"
