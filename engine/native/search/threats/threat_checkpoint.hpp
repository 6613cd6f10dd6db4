// Checkpoints of the search `threats`: chunks of the nodes so far, the number of records, and the records that were
// proved since the last chunk. A record is the stones, the side to move, the rank, the witness, the named replies, the
// trees. Squares are bits of the attack's sets, but numbers of squares inside trees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "search/run/checkpoint_words.hpp"
#include "threats/quiet/quiet_node.hpp"
#include "threats/quiet/threat_records.hpp"

namespace proofbase {

template <class Attack>
[[gnu::cold]] void append_threat_record(const ThreatRecord<Attack>& record, std::vector<std::uint32_t>& out) {
    const auto add_set = [&](const typename Attack::Set& set) {
        out.push_back(static_cast<std::uint32_t>(set.count()));
        set.for_each([&](int bit) { out.push_back(static_cast<std::uint32_t>(bit)); });
    };
    add_set(record.stones.attacker);
    add_set(record.stones.defender);
    out.push_back(record.attacker_moves);
    out.push_back(static_cast<std::uint32_t>(record.rank));
    out.push_back(static_cast<std::uint32_t>(record.witness + 1));
    out.push_back(static_cast<std::uint32_t>(record.named.size()));
    for (const int reply : record.named) out.push_back(static_cast<std::uint32_t>(reply));
    out.push_back(static_cast<std::uint32_t>(record.trees.size()));
    for (const auto& tree : record.trees) {
        out.push_back(static_cast<std::uint32_t>(tree.reply + 1));
        out.push_back(static_cast<std::uint32_t>(tree.tree.numbers.size()));
        out.insert(out.end(), tree.tree.numbers.begin(), tree.tree.numbers.end());
    }
}

template <class Attack>
struct ThreatCheckpoint {
    std::uint64_t nodes = 0;
    std::vector<ThreatRecord<Attack>> records;
};

/// Reads the words of all chunks, joined. Throws InvalidCheckpoint.
template <class Attack>
class ThreatCheckpointReader {
  public:
    ThreatCheckpointReader(const Attack& attack, const std::vector<std::uint32_t>& words)
        : attack_(attack), reader_(words) {}

    ThreatCheckpoint<Attack> read() {
        ThreatCheckpoint<Attack> checkpoint;
        while (!reader_.at_end()) {
            checkpoint.nodes = reader_.read_two_words();
            for (std::uint32_t left = reader_.read_word(); left > 0; --left) checkpoint.records.push_back(record());
        }
        return checkpoint;
    }

  private:
    static constexpr std::size_t most_depth = 400;

    static InvalidCheckpoint damaged() { return InvalidCheckpoint("a record of threats in the checkpoint is damaged"); }

    std::uint32_t next(std::uint64_t below) {
        const std::uint32_t word = reader_.read_word();
        if (word >= below) throw damaged();
        return word;
    }
    int next_bit() {
        const auto bit = static_cast<int>(next(Attack::Set::capacity));
        if (!attack_.board().has(bit)) throw damaged();
        return bit;
    }
    typename Attack::Set next_set() {
        typename Attack::Set set;
        for (std::uint32_t left = next(Attack::Set::capacity + 1); left > 0; --left) {
            const int bit = next_bit();
            if (set.has(bit)) throw damaged();
            set = set | Attack::Set::of(bit);
        }
        return set;
    }

    [[gnu::cold]] ThreatRecord<Attack> record() {
        ThreatRecord<Attack> out;
        out.saved = true;
        const auto attacker = next_set();
        const auto defender = next_set();
        if (!(attacker & defender).empty()) throw damaged();
        out.stones = attack_.stones(attacker, defender);
        out.attacker_moves = next(2) != 0;
        out.rank = static_cast<int>(next(Attack::Set::capacity + 1));
        if (out.rank != attack_.empty(out.stones).count()) throw damaged();
        out.witness = static_cast<int>(next(Attack::Set::capacity + 1)) - 1;
        const auto is_empty = [&](int bit) { return attack_.empty(out.stones).has(bit); };
        if (out.witness >= 0 && !is_empty(out.witness)) throw damaged();
        for (std::uint32_t left = next(Attack::Set::capacity); left > 0; --left) {
            out.named.push_back(next_bit());
            if (!is_empty(out.named.back())) throw damaged();
        }
        for (std::uint32_t left = next(Attack::Set::capacity + 2); left > 0; --left) {
            const int reply = static_cast<int>(next(Attack::Set::capacity + 1)) - 1;
            if (reply >= 0 && !is_empty(reply)) throw damaged();
            out.trees.push_back({reply, {}, {}});
            auto& numbers = out.trees.back().tree.numbers;
            for (std::uint32_t count = next(std::uint64_t{1} << 24); count > 0; --count) {
                numbers.push_back(static_cast<std::uint16_t>(next(0x10000)));
            }
            std::size_t at = 0;
            check_tree(out.trees.back().tree, at, 0);
            if (at != numbers.size()) throw damaged();
        }
        return out;
    }

    /// Squares that the tree names are those of the board. Whether it wins is found when the records are restored.
    [[gnu::cold]] void check_tree(ThreatTree& tree, std::size_t& at, std::size_t depth) const {
        const auto take = [&] {
            if (at >= tree.numbers.size() || depth > most_depth) throw damaged();
            return static_cast<int>(tree.numbers[at++]);
        };
        const auto take_square = [&](int square) {
            const int bit = attack_.bit(square);
            if (bit >= Attack::Set::capacity || !attack_.board().has(bit)) throw damaged();
        };
        ++tree.nodes;
        const int square = take();
        if (square == ThreatTree::ends) return;
        take_square(square);
        for (int left = take(); left > 0; --left) {
            take_square(take());
            check_tree(tree, at, depth + 1);
        }
    }

    const Attack& attack_;
    WordReader reader_;
};

}  // namespace proofbase
