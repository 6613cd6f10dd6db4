"""An expansion of pn-dag for which there is no memory leaves the graph as it was: the search can go on later."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[3] / "engine" / "native"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

PROGRAM = r"""
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <new>
#include <tuple>
#include <vector>

#include "games/random_graph.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/algorithms/algorithm_table.hpp"
#include "search/graph/dag/dag.hpp"
#include "search/policy/proof_numbers.hpp"

long left = -1;  // so many allocations succeed; -1: all

void* operator new(std::size_t size) {
    if (left == 0) throw std::bad_alloc();
    if (left > 0) --left;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// No record is read here, and no move is shuffled.
namespace proofbase {
Claims decode_claims(std::string_view) { std::abort(); }
void shuffle_moves(std::uint64_t, std::vector<std::uint32_t>&) { std::abort(); }
}  // namespace proofbase

using namespace proofbase;
using Graph = Dag<RandomGraph, NumberBackup>;

auto state(const Graph& graph) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>> nodes;
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        const Numbers numbers = graph.numbers(graph.ref(n));
        nodes.emplace_back(numbers.proof, numbers.disproof, graph.expanded(graph.ref(n)));
    }
    return std::tuple(graph.created(), graph.updates(), graph.node_bytes(), nodes);
}

int main(int, char** arguments) {
    const std::atomic<bool> go_on = false;
    const RandomGraph game = RandomGraph::from_parameters(arguments[1]);
    const RandomGraph::Position root = game.initial();
    const Algorithm algorithm = read_algorithm(arguments[2], features_of(game));
    const SearchRequest<RandomGraph> request{game, root, 1, nullptr, algorithm, MoveOrder()};
    Graph undisturbed(request), graph(request);
    std::vector<Graph::Step> path{graph.root()}, other_path{undisturbed.root()};
    unsigned long expansions = 0, failed = 0, changed = 0;
    const auto next = [](Graph& searched, Graph::Path& to) {
        while (searched.expanded(to.back().node)) searched.descend(to);
    };
    const auto finish = [](Graph& searched, Graph::Path& to) {
        to.resize(searched.resume_length(searched.update(to)));
    };
    while (!graph.numbers(graph.root().node).solved() && expansions < 1000) {
        next(graph, path);
        for (long allocations = 0;; ++allocations) {
            const auto before = state(graph);
            left = allocations;
            try {
                graph.expand(path, go_on);
                left = -1;
                break;
            } catch (const std::bad_alloc&) {
                left = -1;
                ++failed;
                changed += state(graph) != before;
            }
        }
        finish(graph, path);
        next(undisturbed, other_path);
        undisturbed.expand(other_path, go_on);
        finish(undisturbed, other_path);
        ++expansions;
        if (state(graph) != state(undisturbed)) ++changed;
    }
    std::cout << expansions << ' ' << failed << ' ' << changed << '\n';
}
"""


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
def test_an_expansion_that_fails_changes_nothing(tmp_path: Path) -> None:
    """Each allocation of each expansion fails once. What the graph reserves from the system at its start is there."""
    source, program = tmp_path / "failing.cpp", tmp_path / "failing"
    source.write_text(PROGRAM)
    names = ("errors", "search/algorithms/algorithm_name", "search/algorithms/algorithm_table")
    others = [str(NATIVE / f"{name}.cpp") for name in names]
    command = [str(COMPILER), "-std=c++20", "-O1", "-UNDEBUG", f"-I{NATIVE}", str(source), *others]
    subprocess.run([*command, "-o", str(program)], check=True)
    for algorithm in ("pn-dag+unit", "pn-dag+unit+drop-solved"):
        shapes = "degree=12,span=20,ends=10", "degree=4,span=40,ends=20", "degree=40,span=60,ends=1"
        for shape in (*shapes, "degree=8,span=4000,ends=10,rewards=60,values=200"):  # many bounds
            given = [str(program), f"nodes=20000,{shape},seed=5", algorithm]
            done = subprocess.run(given, capture_output=True, text=True, check=True, timeout=60)
            expansions, failed, changed = map(int, done.stdout.split())
            assert expansions > 40 and failed >= 3 and changed == 0, given
