"""Memory that searches leave for the next ones: it is zero again, and what they count stays the same."""

from __future__ import annotations

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import Search

NATIVE = Path(__file__).parents[3] / "engine" / "native"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

PROGRAM = r"""
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "search/graph/arena.hpp"
#include "search/graph/node_index.hpp"
#include "search/table/growing_buckets.hpp"

using namespace proofbase;

struct Item {
    std::uint64_t words[2];
};
struct alignas(64) Bucket {
    std::uint64_t words[8];
};

const std::uint32_t sizes[] = {0, 1, 200, 5'000, 30'000, 65'536, 90'000, 300'000};
constexpr std::uint64_t looked_at = std::uint64_t{5} << 20;
std::atomic<std::uint64_t> dirty = 0;

void look(const void* data) {
    static const std::vector<char> zero(looked_at);
    if (std::memcmp(data, zero.data(), looked_at) != 0) ++dirty;
}


void fill(Arena<Item>& arena, std::uint32_t size) {
    const std::uint32_t first = arena.append(size);
    if (size > 0) std::memset(&arena[first], 0xff, size * sizeof(Item));
}

void use_arenas(std::uint32_t size) {
    Arena<Item> first, second;
    look(&first[0]);
    look(&second[0]);
    fill(first, size);
    first.clear();  // the bytes stay
    fill(first, size / 3);
    fill(second, 7);
    first = std::move(second);
    Arena<Item> third(std::move(first));
}

void use_index(std::uint32_t size) {
    NodeIndex index(size % 3 == 0);
    const std::atomic<bool> go_on = false;
    const auto hash = [](std::uint32_t n) { return (n + 1) * 0x9e3779b97f4a7c15; };
    for (std::uint32_t n = 0; n < size; ++n) {
        if (index.full(n + 1)) index.enlarge(n + 1, n, go_on, hash);
        index.insert(hash(n), n);
    }
    for (std::uint32_t n = 0; n < size; ++n) {
        bool found = false;
        index.for_each_candidate(hash(n), [&](std::uint32_t candidate) { found |= candidate == n; });
        if (!found) ++dirty;
    }
}

void use_buckets(std::uint32_t size) {
    GrowingBuckets<Bucket> table(std::uint64_t{64} << 20, 64);
    GrowingBuckets<Bucket> other(std::uint64_t{64} << 20, 64);
    const auto split = [](Bucket& from, Bucket& to, std::uint64_t, std::uint64_t) {
        for (const std::uint64_t word : to.words) dirty += word != 0;
        std::memset(&from, 0xff, sizeof from);
        std::memset(&to, 0xff, sizeof to);
    };
    for (std::uint32_t n = 0; n < size / 200; ++n) table.grow(split);
    for (std::uint32_t n = 0; n < 100; ++n) other.grow(split);
    other = std::move(table);
    table = {};
}

int main() {
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            for (std::uint32_t round = 0; round < 60; ++round) {
                const std::uint32_t size = sizes[(3 * round + t) % std::size(sizes)];
                use_arenas(size);
                if (round % 4 == 0) use_index(size);
                use_buckets(size);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    std::set<const void*> seen;  // of searches one after the other: the same few ranges
    for (int round = 0; round < 100; ++round) {
        Arena<Item> arena;
        look(&arena[0]);
        fill(arena, 1'000);
        seen.insert(&arena[0]);
    }
    // What is left when far more was given back than is kept.
    std::optional<std::vector<Arena<Item>>> many(std::in_place, 100);
    for (auto& arena : *many) fill(arena, 60'000);
    many.reset();
    std::size_t held = 0, count = 0;
    while (true) {
        const auto range = SpareRanges::take(std::uint64_t{0x100000000} * sizeof(Item));  // rounded up
        if (range.data == nullptr) break;
        held += range.held;
        ++count;
    }
    // Of two ranges that are too much together, the older one is given back; one that is too much is refused.
    const auto keep = [](std::size_t held_by_one) {
        void* const data = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return SpareRanges::keep({data, 4096, held_by_one});
    };
    const std::size_t most = SpareRanges::most_held;
    const int kept = keep(most / 3 * 2) + keep(most / 3 * 2 - 1) + keep(most + 1);
    const auto last = SpareRanges::take(4096).held;
    const bool no_more = SpareRanges::take(4096).data == nullptr;
    std::cout << dirty << ' ' << seen.size() << ' ' << count << ' ' << held << ' ' << kept << ' '
              << (last == most / 3 * 2 - 1 && no_more) << '\n';
}
"""

GRAPHS = ("pn-dag+effort", "pn-dag+stack", "pn-dag+drop-solved", "pn-tree", "pn2", "pss", "pn-base-twin", "null-window")


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
def test_a_range_that_is_used_again_is_zero_and_few_are_held(tmp_path: Path) -> None:
    source, program = tmp_path / "ranges.cpp", tmp_path / "ranges"
    source.write_text(PROGRAM)
    command = [str(COMPILER), "-std=c++20", "-O1", "-UNDEBUG", "-pthread", f"-I{NATIVE}", str(source)]
    subprocess.run([*command, "-o", str(program)], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True, timeout=300)
    dirty, used_in_turn, count, held, kept, newer_is_kept = map(int, done.stdout.split())
    assert dirty == 0
    assert used_in_turn == 1
    assert 0 < count <= 32
    assert 60_000 * 16 * count <= held <= 1 << 30
    assert kept == 2
    assert newer_is_kept


def counted(name: str, algorithm: str, nodes: int) -> tuple[Any, ...]:
    """The answer of a search that is gone when this returns, and all that it counted."""
    game = open_game(name)
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    search.run(nodes=nodes)
    now = search.progress()
    return search.status, now.nodes, now.expansions, now.updates, now.proof, now.disproof, now.memory


@pytest.mark.parametrize("algorithm", GRAPHS)
def test_a_search_counts_the_same_whatever_was_searched_before(algorithm: str) -> None:
    questions = [
        ("connect-four:5x4", 300),
        ("connect-four:4x4", 2_000),
        ("connect-four:5x4", 3_000),
        ("connect-four:4x3", 90),
        ("connect-four:6x5", 150_000),
    ]
    first = [counted(name, algorithm, nodes) for name, nodes in questions]
    assert len({result[1] for result in first}) == len(questions)
    assert [counted(name, algorithm, nodes) for name, nodes in reversed(questions)] == first[::-1]
    game = open_game("connect-four:4x4")
    held = [Search(game, game.initial(), 1, algorithm=algorithm) for _ in range(3)]
    assert [counted(name, algorithm, nodes) for name, nodes in questions] == first
    for search in held:
        search.run(nodes=500)
    assert len({search.progress().expansions for search in held}) == 1


def test_searches_of_many_threads_count_the_same() -> None:
    tasks = [(algorithm, nodes) for algorithm in GRAPHS for nodes in (50, 700, 2_000)] * 3
    one = [counted("connect-four:5x4", *task) for task in tasks]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda task: counted("connect-four:5x4", *task), tasks)) == one
