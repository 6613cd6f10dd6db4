"""What the native rules of chess and giveaway calculate in a second, quicker way, compared with the first one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[4] / "engine" / "native"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

PROGRAM = r"""
#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "games/chess.hpp"
#include "games/giveaway.hpp"

using namespace proofbase;

std::uint64_t state = 0x2545f4914f6cdd1dULL;
std::uint64_t drawn() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

template <class G>
bool agrees(const G& game, const chessboard::Board& b) {
    typename G::Moves moves;
    game.moves(b, moves);
    if (game.count_moves(b) != moves.size()) return false;
    if (game.terminal(b).has_value() != moves.empty()) return false;
    const auto key = game.key(b);
    if (key != game.oriented_key(game.representative(b))) return false;
    const auto decoded = game.position(key);
    return decoded && game.key(*decoded) == key && game.signature(*decoded) == game.signature(b);
}

/// Whether the positions after moves are described at once as they are one by one: any number of moves, and no more.
template <class G>
bool descriptions_agree(const G& game, const chessboard::Board& b, std::span<const chessboard::Move> moves) {
    if constexpr (DescribesChildren<G>) {
        const std::size_t count = moves.size();
        std::vector<typename G::Key> keys(count + 1);
        std::vector<std::uint32_t> counts(count + 1, 12345);
        game.describe_children(b, moves, std::span(keys).first(count), std::span(counts).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            const auto child = game.play(b, moves[i]);
            if (keys[i] != game.key(child) || counts[i] != game.count_moves(child)) return false;
        }
        return counts.back() == 12345 && keys.back() == typename G::Key{};
    }
    return true;
}

template <class G>
std::uint64_t positions_that_agree(const G& game, const std::string& text) {
    std::uint64_t positions = 0;
    for (int line = 0; line < 10; ++line) {
        auto b = game.parse(text);
        for (int ply = 0; ply < 120; ++ply) {
            typename G::Moves moves;
            game.moves(b, moves);
            if (moves.empty()) break;
            for (const auto move : moves) {
                const auto child = game.play(b, move);
                if (!agrees(game, child)) {
                    std::cout << "not in " << game.text(child) << '\n';
                    return 0;
                }
                ++positions;
            }
            const std::span<const chessboard::Move> listed(moves.begin(), moves.size());
            const auto some = listed.first(1 + drawn() % listed.size());
            if (!descriptions_agree(game, b, listed) || !descriptions_agree(game, b, some)) {
                std::cout << "not after " << game.text(b) << '\n';
                return 0;
            }
            b = game.play(b, moves[drawn() % moves.size()]);
        }
    }
    return positions;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const std::string game = line.substr(0, line.find(';'));
        const std::string text = line.substr(line.find(';') + 1);
        std::cout << (game == "chess" ? positions_that_agree(Chess(), text)
                                      : positions_that_agree(Giveaway::from_parameters(game), text))
                  << '\n';
    }
}
"""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"
POSITIONS = [
    f"chess;{START} KQkq -",
    # castling, promotions, pins and captures in passing, from lists of move counts
    "chess;r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "chess;8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "chess;r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "chess;r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
    f";{START} - -",
    f"antichess;{START} - -",
    "antichess;8/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/8 w - -",
]


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
@pytest.mark.parametrize("options", [["-march=native"], []], ids=["for this processor", "for any processor"])
def test_counts_keys_and_signatures_are_those_of_the_listed_moves(options: list[str], tmp_path: Path) -> None:
    source = tmp_path / "agreement.cpp"
    source.write_text(PROGRAM)
    program = tmp_path / "agreement"
    parts = [NATIVE / "errors.cpp", *sorted((NATIVE / "games" / "chessboard").rglob("*.cpp"))]
    command = [str(COMPILER), "-std=c++20", "-O0", "-w", *options, f"-I{NATIVE}", str(source), *map(str, parts)]
    subprocess.run([*command, "-o", str(program)], check=True)
    done = subprocess.run([program], input="\n".join(POSITIONS), capture_output=True, text=True, check=True)
    counts = [int(line) if line.isdigit() else line for line in done.stdout.splitlines()]
    assert len(counts) == len(POSITIONS)
    assert all(isinstance(count, int) and count > 1000 for count in counts), done.stdout
