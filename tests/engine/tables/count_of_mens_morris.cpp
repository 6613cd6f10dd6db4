// Counts the positions of nine men's morris that pass the filter of Takeda and Hoki (2020), up to symmetry, for each
// number of men on the board (none in hand).
//
// A side that has lost n men was closed n mills against it, by n arrivals of a man at most: all mills that the other
// side has now must have been closed by some of them, so n of its points must touch all its mills. With three men each
// the 48 maps that keep mills count as symmetries, otherwise the 16 of the board.
//
// usage: count_of_mens_morris [FILE]   (FILE: columns own, other, ..., ..., count, to compare with)

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "games/boards/bit_subsets.hpp"
#include "games/mens_morris/board.hpp"
#include "games/mens_morris/counting.hpp"
#include "games/mens_morris/numbering.hpp"

using namespace proofbase::mens_morris;

namespace {

constexpr int men = 9;

/// The least number of points that touch all these mills.
int touching(const std::vector<Men>& mills, Men untouched) {
    const auto open = std::find_if(mills.begin(), mills.end(), [&](Men mill) { return (mill & ~untouched) == 0; });
    if (open == mills.end()) return 0;
    int fewest = men;
    for_each_point(*open,
                   [&](int point) { fewest = std::min(fewest, 1 + touching(mills, untouched & ~man_on(point))); });
    return fewest;
}

std::vector<std::uint8_t> touching_of_all(const Board& board, const Sets& sets) {
    std::vector<std::uint8_t> all(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        std::vector<Men> mills;
        for (const Men line : board.lines()) {
            if ((sets[i] & line) == line) mills.push_back(line);
        }
        all[i] = static_cast<std::uint8_t>(touching(mills, sets[i]));
    }
    return all;
}

}  // namespace

int main(int count, char** arguments) {
    const Board board(men);
    std::vector<Sets> sets;
    std::vector<std::vector<std::uint8_t>> touched;
    for (int n = 0; n <= men; ++n) {
        sets.emplace_back(board.points(), n);
        touched.push_back(touching_of_all(board, sets.back()));
    }
    Numberings numberings(board, men);
    std::map<std::pair<int, int>, std::uint64_t> counts;
    std::uint64_t total = 0;
    for (int a = 3; a <= men; ++a) {
        const bool few_mills = a < men - 3;  // any mills of the other side can be closed with so many captures
        const Orbits orbits(sets[static_cast<std::size_t>(a)], board.board_maps());
        for (int b = 3; b <= a; ++b) {
            const auto size = static_cast<std::size_t>(b);
            std::uint64_t found = 0;
            if (few_mills && b < men - 3) {
                found = numberings.size(a, b, a == 3 && b == 3);
            } else {
                const Sets& others = sets[size];
                const std::uint32_t ways = choose(board.points() - a, b);
                for (std::size_t orbit = 0; orbit < orbits.size(); ++orbit) {
                    const Men own = orbits.smallest(orbit);
                    if (touched[static_cast<std::size_t>(a)][orbits.sets().number(own)] > men - b) continue;
                    const Men left = board.all() & ~own;
                    const std::int32_t kept = orbits.kept(orbit);
                    for (std::uint32_t way = 0; way < ways; ++way) {
                        const Men other = proofbase::expand(others[way], left);
                        if (touched[size][others.number(other)] > men - a) continue;
                        bool smallest = true;
                        if (kept >= 0) {
                            for (const std::uint8_t m : orbits.keeping(kept)) smallest &= orbits.map(m)(other) >= other;
                        }
                        found += smallest;
                    }
                }
            }
            counts[{a, b}] = counts[{b, a}] = found;
            total += a == b ? found : 2 * found;
            std::printf("%d-%d: %llu\n", a, b, static_cast<unsigned long long>(found));
            std::fflush(stdout);
        }
    }
    std::printf("total %llu\n", static_cast<unsigned long long>(total));
    if (count < 2) return 0;
    std::ifstream file(arguments[1]);
    int different = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        int own = 0;
        int other = 0;
        std::uint64_t all = 0;
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        std::istringstream(line) >> own >> other >> all >> first >> second;
        if (own == 3 && other == 3) continue;  // counted there by 16 maps
        different += counts[{own, other}] != second;
    }
    std::printf("%d counts differ from those of the file\n", different);
    return different != 0;
}
