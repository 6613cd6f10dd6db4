"""A graph that misspells a member, or does not state a trait, does not compile (search/graph/search_graph.hpp)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[3] / "engine" / "native"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

GRAPH = """
struct Graph {
    struct Step {
        std::uint32_t node;
        int bound;
        int position;
    };
    using Path = std::vector<Step>;
    using Marks = NodeMarks<Graph>;
    static constexpr GraphTraits traits{
        .rests_on_repetition = REPETITION,
        .evaluates_selected_leaves = true,
        .develops_leaves_by_second_search = true,
        .deletes_nodes = true,
        .gives_up_leaves = true,
        .watches_clock = true,
        .depends_on_update_order = true,
    };
    Step root() const;
    std::uint32_t ref(std::uint32_t number) const;
    std::uint32_t number(std::uint32_t node) const;
    std::uint32_t size() const;
    std::uint64_t created() const;
    std::uint64_t updates() const;
    std::uint64_t peak_nodes() const;
    std::uint64_t bytes() const;
    std::uint64_t node_bytes() const;
    Numbers numbers(std::uint32_t node) const;
    std::uint32_t rank(std::uint32_t node) const;
    bool expanded(std::uint32_t node) const;
    template <class Visit> void for_each_child(const Step& step, Visit&& visit) const;
    void expand(Path& path, const std::atomic<bool>& cancelled);
    std::size_t update(const Path& path);
    std::size_t resume_length(std::size_t length) const;
    void descend(Path& path);
    Path path_to(std::uint32_t number) const;
    const Path& shown_path(const Path& path) const;
    void recalculate_all(const std::atomic<bool>& cancelled);
    bool claimed_elsewhere(std::uint32_t node) const;
    bool preferred(std::uint32_t a, std::uint32_t b) const;
    bool omits_refuted_moves() const;
    Step step(std::uint32_t number) const;
    bool evaluate(const Path& path);
    bool develop(const Path& path, const std::atomic<bool>& cancelled, std::vector<std::uint32_t>& log);
    void replay_development(const Path& path, const std::vector<std::uint32_t>& log, std::size_t& index);
    std::uint64_t expansions() const;
    void delete_below(std::uint32_t node);
    bool depends_on_path(std::uint32_t node) const;
    void give_up_least_proving();
    bool root_given_up() const;
    std::uint64_t free_bytes() const;
    void set_deadline(std::chrono::steady_clock::time_point time);
    bool take_long_step();
    bool repeats_updates() const;
    void update_above(const Step& step);
};
"""
"""All members that the concepts name, with every trait."""
MEMBERS = re.findall(r"(\w+)\(.*\).*;", GRAPH)
OF_SOLUTIONS = {"claimed_elsewhere", "preferred", "omits_refuted_moves"}
"""Not of graphs that rest on repetition."""
OF_REPETITION = {"step"}

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")


def compiled(*, graphs: str) -> subprocess.CompletedProcess[str]:
    source = f'#include "search/graph/search_graph.hpp"\nusing namespace proofbase;\n{graphs}'
    command = [str(COMPILER), "-std=c++20", "-fsyntax-only", f"-I{NATIVE}", "-x", "c++", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=False)


def named(name: str, *, repetition: bool) -> str:
    return re.sub(r"\bGraph\b", name, GRAPH).replace("REPETITION", str(repetition).lower())


def test_every_promised_member_is_asked_for() -> None:
    assert len(MEMBERS) == 37
    graphs = ""
    for repetition in (False, True):
        whole = f"Whole{repetition}"
        graphs += named(whole, repetition=repetition) + f"static_assert(SearchGraph<{whole}>);\n"
        for member in MEMBERS:
            if member in (OF_SOLUTIONS if repetition else OF_REPETITION):
                continue
            name = f"Without_{member}_{repetition}"
            misspelt = re.sub(rf"\b{member}\(", f"{member}_misspelt(", named(name, repetition=repetition))
            graphs += misspelt + f'static_assert(!SearchGraph<{name}>, "{member}");\n'
    result = compiled(graphs=graphs)
    assert result.returncode == 0, result.stderr


@pytest.mark.slow
def test_every_trait_is_stated() -> None:
    whole = named("Whole", repetition=False)
    traits = re.findall(r"^ *(\.\w+) = \w+,\n", whole, flags=re.MULTILINE)
    assert len(traits) == 7 and compiled(graphs=whole).returncode == 0
    for trait in traits:
        without = re.sub(rf"^ *{re.escape(trait)} = \w+,\n", "", whole, flags=re.MULTILINE)
        assert compiled(graphs=without).returncode != 0, trait
