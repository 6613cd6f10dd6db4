#include "games/chessboard/attacks.hpp"

#include <utility>

namespace proofbase::chessboard {
namespace {

using Step = std::pair<int, int>;  // files to the right, ranks up

constexpr Squares square_at(int file, int rank) noexcept {
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : square_set(file + 8 * rank);
}

/// The squares in one direction to the edge of the board.
constexpr Squares ray(int square, Step step) noexcept {
    Squares out = 0;
    int file = square % 8 + step.first;
    int rank = square / 8 + step.second;
    for (Squares at = square_at(file, rank); at != 0; at = square_at(file, rank)) {
        out |= at;
        file += step.first;
        rank += step.second;
    }
    return out;
}

constexpr Reach reach(int square) noexcept {
    Reach out;
    const Squares rank = ray(square, {1, 0}) | ray(square, {-1, 0});
    out.file = ray(square, {0, 1}) | ray(square, {0, -1});
    out.rising = ray(square, {1, 1}) | ray(square, {-1, -1});
    out.falling = ray(square, {1, -1}) | ray(square, {-1, 1});
    out.straight = rank | out.file;
    out.diagonal = out.rising | out.falling;
    for (int right = -2; right <= 2; ++right) {
        for (int up = -2; up <= 2; ++up) {
            const int distance = right * right + up * up;
            const Squares at = square_at(square % 8 + right, square / 8 + up);
            if (distance == 5) out.knight |= at;
            if (distance == 1 || distance == 2) out.king |= at;
        }
    }
    return out;
}

AttackTables make_tables() noexcept {
    AttackTables out{};
    for (std::size_t square = 0; square < 64; ++square) {
        const int from = static_cast<int>(square);
        out.reach[square] = reach(from);
        for (const Step& step : {Step{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
            const Step back{-step.first, -step.second};
            const Squares whole = ray(from, step) | ray(from, back);
            for (const Step& direction : {step, back}) {
                const Squares forward = ray(from, direction);
                for_each_square(forward, [&](int to) {
                    const auto other = static_cast<std::size_t>(to);
                    out.line[square][other] = whole;
                    out.between[square][other] = forward & ~ray(to, direction) & ~square_set(to);
                });
            }
        }
    }
    for (int file = 0; file < 8; ++file) {
        for (int inner = 0; inner < 64; ++inner) {
            int attacked = 0;
            for (const int step : {1, -1}) {
                for (int at = file + step; at >= 0 && at < 8; at += step) {
                    attacked |= 1 << at;
                    if ((inner << 1 >> at & 1) != 0) break;
                }
            }
            out.rank[static_cast<std::size_t>(file + 8 * inner)] = static_cast<std::uint8_t>(attacked);
        }
    }
    return out;
}

}  // namespace

const AttackTables attack_tables = make_tables();

}  // namespace proofbase::chessboard
