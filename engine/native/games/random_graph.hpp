// Random game graphs: an artificial game whose parameters set the number of positions, transpositions, cycles and
// values.
//
// Rules (engine/rules/random_graph.py has the formulas)
//   1. The positions are the nodes 0 to nodes - 1; node 0 is the initial one. `group` consecutive nodes make a group.
//      Moves lead to other nodes of the same group, or to one of the `span` nodes after it.
//   2. `ends` per cent of the nodes, but not node 0, are ends; so is a node that no move could leave. An end is worth
//      -values to values to the side to move.
//   3. At every other node there are 1 to `degree` drawings: drawing j gives move j, unless an earlier drawing led to
//      the same node.
//   4. The nodes lie in ten stages of equal size (a group in that of its first node). A move to a later stage adds
//      -rewards to rewards to the mover's score, other moves add nothing.
//   5. Endless play is worth 0, or, with `repetition` r, it is worth r to the side that begins; then every move leads
//      from an even node to an odd node or from an odd node to an even one.
//
// Encoding: the number of the node. No graph is stored: everything follows from `seed` by a hash.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "concepts.hpp"
#include "errors.hpp"
#include "inline_list.hpp"
#include "keys.hpp"

namespace proofbase {

class RandomGraph {
  public:
    static constexpr std::string_view family = "random-graph";
    static constexpr std::string_view description =
        "a game graph drawn by a seed, with transpositions, cycles, values and rewards as asked for";
    static constexpr std::string_view examples[] = {"random-graph",
                                                    "random-graph:nodes=200,ends=20,values=5,rewards=2,group=8,seed=7"};

    using Position = std::uint64_t;
    using Move = std::uint8_t;
    using Moves = InlineList<Move, 64>;
    using Key = std::uint64_t;

    /// `nodes=1000,degree=4,seed=7`, in any order; empty for all defaults. Throws UnknownGame.
    static RandomGraph from_parameters(std::string_view parameters) {
        Numbers given = defaults;
        std::array<bool, defaults.size()> seen{};
        while (!parameters.empty()) {
            const std::string_view part = parameters.substr(0, parameters.find(','));
            read(part, given, seen);
            if (part.size() + 1 == parameters.size()) throw unknown("");  // nothing after the last comma
            parameters.remove_prefix(std::min(part.size() + 1, parameters.size()));
        }
        return RandomGraph(given);
    }

    std::string name() const {
        std::string out;
        for (std::size_t i = 0; i < limits.size(); ++i) {
            if (parameters_[i] == (i == span ? tenth() : defaults[i])) continue;
            out += out.empty() ? ":" : ",";
            out += std::string(limits[i].name) + "=" + std::to_string(parameters_[i]);
        }
        return std::string(family) + out;
    }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return group_ == 1; }
    bool has_rewards() const noexcept { return parameters_[rewards] != 0; }
    /// Rules 2, 4 and 5: a line passes to a later stage nine times at most.
    int highest_value() const noexcept {
        return static_cast<int>(std::max<std::int64_t>(parameters_[values], std::abs(parameters_[endless])) +
                                (stages - 1) * parameters_[rewards]);
    }

    Position initial() const noexcept { return 0; }

    /// Rule 2.
    std::optional<int> terminal(Position node) const noexcept {
        const Drawings drawn(start_, node);
        if (!is_end(drawn, node)) return std::nullopt;
        return between(drawn(1), parameters_[values]);
    }

    /// Rule 3.
    void moves(Position node, Moves& out) const noexcept {
        out.clear();
        const Drawings drawn(start_, node);
        const Targets targets(*this, node);
        std::array<Position, 64> children;
        const auto drawings = 1 + drawn(2) % static_cast<std::uint64_t>(parameters_[degree]);
        for (std::uint64_t j = 0; j < drawings; ++j) {
            const Position child = targets.child(drawn(3 + 2 * j));
            const auto* const end = children.data() + out.size();
            if (std::find(static_cast<const Position*>(children.data()), end, child) != end) continue;
            children[out.size()] = child;
            out.push_back(static_cast<Move>(j));
        }
    }

    Position play(Position node, Move move) const noexcept {
        return Targets(*this, node).child(Drawings(start_, node)(3 + 2 * std::uint64_t{move}));
    }

    /// Rule 4.
    int reward(Position node, Move move) const noexcept {
        if (parameters_[rewards] == 0 || stage(node) == stage(play(node, move))) return 0;
        return between(Drawings(start_, node)(4 + 2 * std::uint64_t{move}), parameters_[rewards]);
    }

    /// Rule 5.
    int repetition(Position node) const noexcept {
        return static_cast<int>(node % 2 != 0 ? -parameters_[endless] : parameters_[endless]);
    }
    int side(Position node) const noexcept { return parameters_[endless] != 0 ? static_cast<int>(node % 2) : 0; }

    Key key(Position node) const noexcept { return node; }
    std::size_t key_size() const noexcept { return 5; }
    std::optional<Position> position(Key key) const noexcept {
        return key < nodes_ ? std::optional<Position>(key) : std::nullopt;
    }

    Position parse(std::string_view text) const {
        Position node = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + std::min<std::size_t>(text.size(), 1), end, node);
        if (text.size() > 14 || !text.starts_with('n') || error != std::errc{} || stop != end || node >= nodes_ ||
            text != this->text(node)) {
            throw InvalidPosition(quoted(text) + " is not one of the nodes n0 to n" + std::to_string(nodes_ - 1));
        }
        return node;
    }

    std::string text(Position node) const { return "n" + std::to_string(node); }

    std::string draw(Position node) const {
        if (const auto value = terminal(node)) return text(node) + ", an end worth " + std::to_string(*value);
        std::string out = text(node);
        Moves legal;
        moves(node, legal);
        for (const Move move : legal) {
            const int gain = reward(node, move);
            out += "\n" + std::to_string(move) + ": " + text(play(node, move));
            if (gain != 0) out += std::string(gain > 0 ? " (+" : " (") + std::to_string(gain) + ")";
        }
        return out;
    }

    Move parse_move(Position node, std::string_view text) const {
        Moves legal;
        if (!terminal(node)) moves(node, legal);
        for (const Move move : legal) {
            if (move_text(node, move) == text) return move;
        }
        throw InvalidMove(quoted(text) + " is not a move of " + this->text(node));
    }

    std::string move_text(Position, Move move) const { return std::to_string(move); }

  private:
    enum Parameter : std::size_t { nodes, degree, span, ends, values, rewards, group, endless, seed };
    using Numbers = std::array<std::int64_t, 9>;

    struct Limits {
        std::string_view name;
        std::int64_t least, most;
    };
    static constexpr std::int64_t most_nodes = std::int64_t{1} << 40;
    static constexpr std::array<Limits, 9> limits{{{"nodes", 2, most_nodes},
                                                   {"degree", 1, 64},
                                                   {"span", 1, most_nodes},
                                                   {"ends", 0, 100},
                                                   {"values", 1, 1000},
                                                   {"rewards", 0, 1000},
                                                   {"group", 1, most_nodes},
                                                   {"repetition", -1000, 1000},
                                                   {"seed", 0, INT64_MAX}}};
    static constexpr Numbers defaults{1000, 4, 0, 5, 1, 0, 1, 0, 1};  ///< span 0: a tenth of the nodes
    static constexpr std::int64_t stages = 10;
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

    /// drawn(node, k) of the rules.
    class Drawings {
      public:
        Drawings(std::uint64_t start, Position node) noexcept : at_(mix(start + golden * (node + 1))) {}
        std::uint64_t operator()(std::uint64_t k) const noexcept { return mix(at_ + golden * (k + 1)); }

      private:
        std::uint64_t at_;
    };

    /// The nodes to which the moves of a node may lead: every `step`-th node from `first`, within the group (without
    /// the node itself) and after the group.
    class Targets {
      public:
        Targets(const RandomGraph& graph, Position node) noexcept : node_(node) {
            const bool coloured = graph.parameters_[endless] != 0;
            const auto [first, last] = graph.group_of(node);
            step_ = coloured ? 2 : 1;
            const auto other_colour = [&](Position from) { return from + (coloured ? (from + node + 1) % 2 : 0); };
            const auto count = [&](Position from, Position to) { return from > to ? 0 : (to - from) / step_ + 1; };
            const Position reach =
                std::min(last + static_cast<std::uint64_t>(graph.parameters_[span]), graph.nodes_ - 1);
            first_ = {other_colour(first), other_colour(last + 1)};
            count_ = {count(first_[0], last) - (coloured ? 0 : 1), count(first_[1], reach)};
        }

        bool none() const noexcept { return count_[0] == 0 && count_[1] == 0; }

        /// Precondition: !none().
        Position child(std::uint64_t drawn) const noexcept {
            const std::size_t part = count_[drawn & 1] != 0 ? drawn & 1 : 1 - (drawn & 1);
            const Position child = first_[part] + step_ * ((drawn >> 1) % count_[part]);
            return child + (part == 0 && step_ == 1 && child >= node_ ? 1 : 0);
        }

      private:
        Position node_;
        std::uint64_t step_;
        std::array<Position, 2> first_;
        std::array<std::uint64_t, 2> count_;
    };

    explicit RandomGraph(const Numbers& given) : parameters_(given), nodes_(static_cast<std::uint64_t>(given[nodes])) {
        if (parameters_[span] == 0) parameters_[span] = tenth();
        group_ = static_cast<std::uint64_t>(parameters_[group]);
        start_ = mix(static_cast<std::uint64_t>(parameters_[seed]) + golden);
        if (parameters_[endless] != 0 && group_ == 1) {
            throw UnknownGame("random-graph: 'repetition' asks for cycles: 'group' must be at least 2");
        }
    }

    static UnknownGame unknown(std::string_view part) {
        std::string names;
        for (const Limits& limit : limits) names += (names.empty() ? "" : ", ") + std::string(limit.name);
        return UnknownGame("random-graph: " + quoted(part) + " is no parameter such as nodes=1000; there are " + names);
    }

    /// One `NAME=NUMBER`.
    static void read(std::string_view part, Numbers& given, std::array<bool, defaults.size()>& seen) {
        const std::string_view name = part.substr(0, part.find('='));
        std::size_t i = 0;
        while (i < limits.size() && limits[i].name != name) ++i;
        if (i == limits.size()) throw unknown(part);
        if (seen[i]) throw UnknownGame("random-graph: " + quoted(name) + " is there twice");
        seen[i] = true;
        const std::string_view text = part.substr(std::min(name.size() + 1, part.size()));
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), given[i]);
        if (error != std::errc{} || std::to_string(given[i]) != text || given[i] < limits[i].least ||
            given[i] > limits[i].most) {
            throw UnknownGame("random-graph: " + std::string(name) + "=" + quoted(text) + ": a number from " +
                              std::to_string(limits[i].least) + " to " + std::to_string(limits[i].most) +
                              " is asked for");
        }
    }

    std::int64_t tenth() const noexcept { return std::max<std::int64_t>(1, parameters_[nodes] / 10); }

    static int between(std::uint64_t drawn, std::int64_t most) noexcept {
        return static_cast<int>(static_cast<std::int64_t>(drawn % static_cast<std::uint64_t>(2 * most + 1)) - most);
    }

    bool is_end(const Drawings& drawn, Position node) const noexcept {
        if (node != 0 && drawn(0) % 100 < static_cast<std::uint64_t>(parameters_[ends])) return true;
        return Targets(*this, node).none();
    }

    /// The first and the last node of a node's group.
    std::pair<Position, Position> group_of(Position node) const noexcept {
        const Position first = group_ == 1 ? node : node - node % group_;
        return {first, std::min(first + group_, nodes_) - 1};
    }

    std::uint64_t stage(Position node) const noexcept {
        return group_of(node).first * static_cast<std::uint64_t>(stages) / nodes_;
    }

    Numbers parameters_;
    std::uint64_t nodes_;
    std::uint64_t group_ = 1;
    std::uint64_t start_ = 0;
};

static_assert(Game<RandomGraph> && Described<RandomGraph> && Notated<RandomGraph> && Cyclic<RandomGraph> &&
              Rewarding<RandomGraph>);

}  // namespace proofbase
