"""Threads that take a solution out together: who waits gets work, failures end all, claims follow what they need."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from native_programs import build_program

PROGRAM = r"""
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "search/solution/solution_threads.hpp"

using namespace proofbase;

// Each piece of work is a number of leaves; a thread that has more than one leaf gives half of them away.
struct Walks {
    explicit Walks(std::size_t count) : threads(count), given(count), by_thread(count) {}

    void walk(std::size_t thread, int leaves) {
        while (leaves > 0) {
            if (threads.stopped()) return;
            if (leaves > 1 && threads.somebody_waits()) {
                if (const auto other = threads.take_waiting()) {
                    given[*other] = leaves / 2;
                    leaves -= leaves / 2;
                    threads.give(*other);
                }
            }
            --leaves;
            by_thread[thread] += 1;
            if (++done == fails_at) throw std::runtime_error("leaf");
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    }
    void run(int leaves) {
        threads.run([&] { walk(0, leaves); }, [&](std::size_t thread) { walk(thread, given[thread]); });
    }

    SolutionThreads threads;
    std::vector<int> given;
    std::vector<int> by_thread;
    std::atomic<int> done = 0;
    int fails_at = -1;
};

std::string order(const std::vector<WaitingRank>& claims) {
    std::string text;
    try {
        for (const std::size_t i : in_order_of_need(claims)) text += std::to_string(claims[i].number) + " ";
    } catch (const std::logic_error&) {
        return "cycle";
    }
    return text;
}

int main() {
    for (const std::size_t count : {1, 2, 4}) {
        for (int round = 0; round < 20; ++round) {
            Walks walks(count);
            walks.run(400);
            int sum = 0;
            for (const int leaves : walks.by_thread) sum += leaves;
            if (sum != 400) std::cout << "lost: " << sum << "\n";
            if (count == 1 || round > 0) continue;
            int working = 0;
            for (const int leaves : walks.by_thread) working += leaves > 0;
            if (working < 2) std::cout << "nobody else has worked\n";
        }
        for (const int fails_at : {1, 7, 399}) {
            Walks walks(count);
            walks.fails_at = fails_at;
            try {
                walks.run(400);
                std::cout << "no failure\n";
            } catch (const std::runtime_error&) {
            }
        }
    }
    std::cout << order({}) << "|" << order({{5, {9}}, {9, {2}}, {2, {70}}}) << "|"
              << order({{1, {2, 3}}, {2, {4}}, {3, {4}}, {4, {}}}) << "|" << order({{1, {2}}, {2, {1}}}) << "|"
              << order({{1, {1}}}) << "\n";
}
"""


@pytest.mark.slow
def test_work_is_shared_and_nothing_is_lost(tmp_path: Path) -> None:
    source, program = tmp_path / "threads.cpp", tmp_path / "threads"
    source.write_text(PROGRAM)
    if not build_program(source, program, "-O1", "-pthread", parts=["search/solution/solution_threads.cpp"]):
        pytest.skip("no compiler")
    printed = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True).stdout
    assert printed == "|2 9 5 |4 2 3 1 |cycle|cycle\n"
