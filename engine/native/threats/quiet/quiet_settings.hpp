// Limits of a search over moves without a threat.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proofbase {

struct QuietSettings {
    std::uint64_t pass_nodes = 250;     ///< of the search by threats after a pass; four times as many on each return
    std::uint64_t reply_nodes = 250;    ///< after a single reply
    std::uint64_t expand_nodes = 1000;  ///< before the attacker's moves without a threat are tried
    std::uint64_t fours_nodes = 300;    ///< of the defender's search by fours
    std::uint64_t repair_nodes = 300;   ///< to make a tree of another position fit
    std::uint64_t return_share = 4;     ///< the larger search by threats follows when so many times its work is done
    std::uint64_t price_work = 30'000;  ///< work with which the price of a move begins to grow
    std::uint64_t least_turn = 10'000;  ///< work for the best move before another one has its turn
    std::size_t estimate_divisor = 1;   ///< so many candidates more raise the proof number that the next one is given
    /// Only moves after which a pass loses to threats. If false, all replies to other moves are tried one by one.
    bool implicit_threats = true;
    int candidates = 9;        ///< moves of the attacker
    int spare_candidates = 0;  ///< moves that are tried instead of such as fail when they are first evaluated
    int most_open = 3;         ///< replies that are left unanswered before the others are tried
    int most_levels = 4;       ///< returns to a pass that was not settled
    int table_size = 16;       ///< of the search by threats: 2^n buckets of 64 bytes
};

}  // namespace proofbase
