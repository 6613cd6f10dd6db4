"""Names of algorithms: one table gives their reading, their full form, their listing and their page in docs."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from proofbase.engine import _core
from proofbase.engine._core import Search, algorithms, full_algorithm_name
from proofbase.engine.errors import InvalidCheckpointError, UnknownAlgorithmError
from proofbase.engine.games import open_game

PAGE = Path(__file__).parents[3] / "docs" / "algorithms.md"


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("pn-tree", "pn-tree+mobility"),
        ("pn-tree+delayed", "pn-tree+unit+delayed"),
        ("pn-tree+mst", "pn-tree+mobility+mst"),
        ("pn-tree+delayed+mst", "pn-tree+unit+mst+delayed"),
        ("pn-tree+from-root+keep+immediate", "pn-tree+mobility+from-root"),
        ("pn-dag+queue+unit", "pn-dag+unit+queue"),
        ("pss", "pss+mobility+p-4+d-4+newest"),
        ("pss+d-all+p-0+favour-100+oldest", "pss+mobility+p-0+d-all+oldest"),
        ("df-pn+threads-1+sum", "df-pn+mobility"),
        ("df-pn+table-kib-64", "df-pn+mobility+table-kib-64"),
        ("alpha-beta+exact+table-16", "alpha-beta+table-16+exact"),
        ("pn-cyclic+queue", "pn-cyclic+mobility"),
        ("pn2+cache-2+order-7", "pn2+mobility+cache-2+order-7"),
        ("null-window+threads-1+order-0", "null-window"),
        ("null-window+order-2+table-64+threads-2", "null-window+table-64+threads-2+order-2"),
        ("auto", "pn-dag+mobility"),
    ],
)
def test_a_name_has_one_full_form(name: str, full: str) -> None:
    game = open_game("tic-tac-toe")
    assert full_algorithm_name(game, name) == full
    assert full_algorithm_name(game, full) == full
    assert Search(game, game.initial(), 1, algorithm=name).algorithm == full


def test_defaults_follow_what_the_game_has() -> None:
    assert full_algorithm_name(open_game("connect-four"), "pn-dag") == "pn-dag+effort"
    assert full_algorithm_name(open_game("connect-four"), "pn-tree+mst") == "pn-tree+mobility+mst"
    assert full_algorithm_name(open_game("awari"), "auto").startswith("pn-base-twin+")


def test_threats_are_the_default_where_the_game_has_them() -> None:
    qubic = open_game("qubic")
    assert full_algorithm_name(qubic, "pn-dag") == "pn-dag+threats"
    assert full_algorithm_name(qubic, "pn-dag+queue") == "pn-dag+effort+queue"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pn-tree+unit+no-stop", "pn-tree+unit+full-updates"),
        ("pn-dag+unit+stack+no-stop+oriented", "pn-dag+unit+stack+full-updates+no-symmetry"),
    ],
)
def test_old_names_of_policies_are_read_and_checkpoints_keep_them(old: str, new: str) -> None:
    game = open_game("connect-four:4x4")
    assert full_algorithm_name(game, old) == new
    first = Search(game, game.initial(), 1, algorithm=new)
    first.run(nodes=500)
    chunk = first.checkpoint()
    assert old.encode() in chunk and new.encode() not in chunk
    second = Search(game, game.initial(), 1, algorithm=old)
    second.restore(chunk)
    assert second.progress().nodes == first.progress().nodes


def test_checkpoints_do_not_name_the_order_that_was_the_default_when_they_were_first_written() -> None:
    game = open_game("connect-four:4x4")
    for order, name in (("oldest", b"pss+unit+p-4+d-4"), ("newest", b"pss+unit+p-4+d-4+newest")):
        search = Search(game, game.initial(), 1, algorithm=f"pss+unit+{order}")
        search.run(nodes=500)
        chunk = search.checkpoint()
        assert name in chunk and b"oldest" not in chunk and (b"newest" in chunk) == (order == "newest")
        default = Search(game, game.initial(), 1, algorithm="pss+unit")
        if order == "newest":
            default.restore(chunk)
            assert default.progress().nodes == search.progress().nodes
        else:
            with pytest.raises(InvalidCheckpointError):
                default.restore(chunk)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pn-tree+unit+unit", "'unit' and 'unit' exclude each other"),
        ("df-pn+table-kib-3+table-1", "exclude each other"),
        ("pn-dag+threats+queue", "tic-tac-toe has no threats"),
        ("pn-dag+effort", "tic-tac-toe has no estimate of the effort"),
        ("pn-dag+full-updates", "'full-updates' goes with 'stack' or 'queue'"),
        ("pn2+cache-65", "'cache-N' takes a number from 0 to 64, not 65"),
        ("pn-tree++unit", "a policy is missing behind the '\\+'"),
        ("pn-tree+", "a policy is missing behind the last '\\+'"),
    ],
)
def test_what_is_no_name_is_refused_with_the_reason(name: str, message: str) -> None:
    with pytest.raises(UnknownAlgorithmError, match=message):
        full_algorithm_name(open_game("tic-tac-toe"), name)


def test_what_is_listed_is_read_alone() -> None:
    for game in map(open_game, ("tic-tac-toe", "connect-four", "awari")):
        for family, kinds in algorithms(game):
            for kind, policies in kinds:
                assert policies, kind
                for policy in policies:
                    name = f"{family}+{policy.replace('-N', '-2')}"
                    if policy == "full-updates" and family == "pn-dag":
                        name += "+stack"
                    assert full_algorithm_name(game, name).startswith(family)


def test_two_policies_go_together_in_either_order_or_in_none() -> None:
    game = open_game("connect-four")
    for family, kinds in algorithms(game):
        names = [policy.replace("-N", "-3") for _, policies in kinds for policy in policies]
        for one, other in product(names, names):
            outcomes = set()
            for name in (f"{family}+{one}+{other}", f"{family}+{other}+{one}"):
                try:
                    outcomes.add(full_algorithm_name(game, name))
                except UnknownAlgorithmError:
                    outcomes.add("refused")
            assert len(outcomes) == 1, (family, one, other)


def test_the_page_of_algorithms_is_that_of_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.endswith("\n\n" + _core.describe_algorithms())
