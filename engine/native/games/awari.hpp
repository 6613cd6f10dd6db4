// Awari.
//
// Rules (Allis, van der Meulen, van den Herik 1994, section 6.1)
//   1. Two rows of six pits, South's A to F and North's a to f, each from the left as its owner sees it, so that f
//      stands over A; beside each row a store for captured stones. At the start four stones lie in every pit; South
//      begins.
//   2. A move takes all stones of a pit of the mover's row and sows them one by one into the pits that follow,
//      counter-clockwise (A to F, a to f, A ...), over the stores and over the pit they came from.
//   3. If the last stone falls into a pit of the opponent that then holds 2 or 3, those are captured; so are the
//      stones of the pits before it, as long as they are the opponent's and hold 2 or 3.
//   4. As long as some move leaves the opponent a stone to move, only such moves are legal.
//   5. A side that cannot move loses all the stones left on the board to its opponent, and the game is over.
//   6. When play repeats itself, the stones left are divided evenly.
// In `awari:oware` a grand slam captures nothing: where rule 3 would take all stones of the opponent's row, they stay.
//
// Values count the stones still to come: play goes on after a side has the 25 stones that decide the game.
//
// Encoding: fields from the low end, a field with n stones written as n ones and a zero: the mover's six pits in the
// order of sowing, the opponent's six, the mover's store, the opponent's store (at most 48 ones and 14 zeros); bit 63
// is the side to move. The stores and the side do not change the value, so the key is the encoding with empty stores
// and South to move: the smallest encoding with these pits.
//
//     pits 1 0 4 ... of the mover:   ... 0 1 1 1 1   0   0 1
//                                        `-- C --'   B   `A'
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/awari_index.hpp"
#include "games/awari_rows.hpp"
#include "inline_list.hpp"
#include "table_concepts.hpp"

namespace proofbase {

/// The game with grand slams, or without them.
class Awari {
  public:
    static constexpr std::string_view family = "awari";
    static constexpr std::string_view description =
        "sowing and capturing stones in two rows of six pits; in awari:oware a grand slam captures nothing";
    static constexpr std::string_view examples[] = {"awari", "awari:oware"};

    /// Stones as the side to move sees them: 0-5 its own pits in the order of sowing, 6-11 the opponent's.
    struct Position {
        std::array<std::uint8_t, 12> pits{};
        std::array<std::uint8_t, 2> stores{};  ///< the mover's, the opponent's; not part of the key
        std::uint8_t side = 0;                 ///< 0 South, 1 North; for showing only
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint8_t;  ///< pit of the mover, 0 to 5
    using Moves = InlineList<Move, 6>;
    using Key = std::uint64_t;

    static Awari from_parameters(std::string_view parameters) {
        if (!parameters.empty() && parameters != "oware") {
            throw UnknownGame("awari: " + quoted(parameters) + " is not oware");
        }
        return Awari(parameters.empty());
    }

    std::string name() const { return std::string(examples[grand_slams_ ? 0 : 1]); }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return false; }
    bool has_rewards() const noexcept { return true; }
    int highest_value() const noexcept { return all_stones; }

    /// Rule 1.
    Position initial() const noexcept {
        Position p;
        p.pits.fill(4);
        return p;
    }

    /// Rule 5.
    std::optional<int> terminal(const Position& p) const noexcept {
        const awari::Rows board = awari::rows(p.pits);
        if ((board & awari::row) != 0) return std::nullopt;
        return -awari::stones(board);
    }

    /// Rule 6.
    int repetition(const Position&) const noexcept { return 0; }

    /// Rule 4; pits in the order of sowing.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        awari::for_each_sown(awari::rows(p.pits), grand_slams_, [&](Move pit, awari::Rows) { out.push_back(pit); });
    }

    /// `visit(child, reward)` for every move, in the order of `moves`: the results of `play` and `reward`, with empty
    /// stores.
    template <class Visit>
    void for_each_played(const Position& p, Visit&& visit) const {
        const awari::Rows board = awari::rows(p.pits);
        const int before = awari::stones(board);
        awari::for_each_sown(board, grand_slams_, [&](Move, awari::Rows after) {
            visit(Position{awari::turned(after), {}, 0}, before - awari::stones(after));
        });
    }

    Position play(const Position& p, Move pit) const noexcept {
        const awari::Rows board = awari::rows(p.pits);
        const awari::Rows after = awari::sown(board, pit, grand_slams_);
        const auto store = static_cast<std::uint8_t>(p.stores[0] + awari::stones(board) - awari::stones(after));
        return {awari::turned(after), {p.stores[1], store}, static_cast<std::uint8_t>(p.side ^ 1)};
    }

    /// Rule 3.
    int reward(const Position& p, Move pit) const noexcept {
        const awari::Rows board = awari::rows(p.pits);
        return awari::stones(board) - awari::stones(awari::sown(board, pit, grand_slams_));
    }

    /// The number of stones that are left.
    int limit(const Position& p) const noexcept { return stones(p.pits); }

    /// The difference of the stones captured so far.
    int score(const Position& p) const noexcept { return p.stores[0] - p.stores[1]; }

    /// The stones that a side still has to capture for its goal (Allis 1994, 2.3.3: `stones pn` of 2.4).
    Estimate effort(const Position& p, int bound) const noexcept {
        const int left = stones(p.pits);
        const auto half = [](int n) { return static_cast<std::uint32_t>(std::max(1, (n + 1) / 2)); };
        return {half(left + bound), half(left + 1 - bound), 0};
    }

    int side(const Position& p) const noexcept { return p.side; }

    Key oriented_key(const Position& p) const noexcept {
        Key key = 0;
        for (int i = 1; i >= 0; --i) push(key, p.stores[static_cast<std::size_t>(i)]);
        for (std::size_t i = 12; i-- > 0;) push(key, p.pits[i]);
        return key | Key{p.side} << 63;
    }

    Key key(const Position& p) const noexcept {
        Key key = 0;
        for (std::size_t i = 12; i-- > 0;) push(key, p.pits[i]);
        return key;
    }

    std::size_t key_size() const noexcept { return 8; }

    std::optional<Position> position(Key key) const noexcept {
        Position p;
        p.side = static_cast<std::uint8_t>(key >> 63);
        key = key << 1 >> 1;
        if (std::popcount(key) > all_stones) return std::nullopt;
        const auto pop = [&key] {
            const int ones = std::countr_one(key);  // at most 48
            key >>= ones + 1;
            return static_cast<std::uint8_t>(ones);
        };
        for (auto& pit : p.pits) pit = pop();
        for (auto& store : p.stores) store = pop();
        if (key != 0) return std::nullopt;  // stones beyond the last field
        return p;
    }

    /// `0,0,1,3,1,1/1,0,4,19,4,2/S`: North's row f to a, South's A to F, the side to move (South if left out); with
    /// both stores at their places `7:0,0,1,3,1,1/1,0,4,19,4,2:5/S`.
    Position parse(std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidPosition("awari: position " + quoted(text, 80) + ": " + what);
        };
        std::string_view rest = text;
        const auto number = [&](std::uint8_t& out) {
            std::size_t digits = 0;
            while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
            if (digits < 1 || digits > 2) throw fail(form);
            out = static_cast<std::uint8_t>(digits == 1 ? rest[0] - '0' : 10 * (rest[0] - '0') + (rest[1] - '0'));
            rest.remove_prefix(digits);
        };
        const auto mark = [&](char c) {
            if (!rest.starts_with(c)) throw fail(form);
            rest.remove_prefix(1);
        };
        Pits pits{};  // South's, North's
        std::array<std::uint8_t, 2> stores{};
        const std::size_t colon = text.find(':');
        const bool with_stores = colon != std::string_view::npos;
        if (with_stores) {
            number(stores[1]);
            mark(':');
        }
        for (std::size_t i = 0; i < 6; ++i) {
            if (i > 0) mark(',');
            number(pits[11 - i]);
        }
        mark('/');
        for (std::size_t i = 0; i < 6; ++i) {
            if (i > 0) mark(',');
            number(pits[i]);
        }
        if (with_stores) {
            mark(':');
            number(stores[0]);
        }
        if (!rest.empty() && rest != "/S" && rest != "/N") throw fail(form);
        int count = stores[0] + stores[1];
        for (const int pit : pits) count += pit;  // a wrong text may have more stones than a byte holds
        if (count > all_stones) throw fail(std::to_string(count) + " stones: the game has 48");
        Position p{pits, stores, static_cast<std::uint8_t>(rest == "/N")};
        if (p.side == 1) turn(p);
        return p;
    }

    std::string text(const Position& p) const {
        const Position south = seen_by_south(p);
        std::string out;
        for (std::size_t i = 12; i-- > 6;) out += std::to_string(south.pits[i]) + (i > 6 ? "," : "/");
        for (std::size_t i = 0; i < 6; ++i) {
            if (i > 0) out.push_back(',');
            out += std::to_string(south.pits[i]);
        }
        if (south.stores[0] != 0 || south.stores[1] != 0) {
            out = std::to_string(south.stores[1]) + ":" + out + ":" + std::to_string(south.stores[0]);
        }
        return out + (p.side == 0 ? "/S" : "/N");
    }

    /// Fig. 11 of the paper: North's store at the left of the board, South's at its right.
    std::string draw(const Position& p) const {
        const Position south = seen_by_south(p);
        const auto cell = [](std::string entry) { return std::string(3 - entry.size(), ' ') + entry; };
        std::string out = p.side == 0 ? "             North\n    " : "        North (to move)\n    ";
        for (const char name : {'f', 'e', 'd', 'c', 'b', 'a'}) out += cell({name}) + (name > 'a' ? " " : "\n");
        out += cell(std::to_string(south.stores[1])) + " ";
        for (std::size_t i = 12; i-- > 6;) out += cell(std::to_string(south.pits[i])) + " ";
        out += cell(std::to_string(south.stores[0])) + "\n    ";
        for (std::size_t i = 0; i < 6; ++i) out += cell(std::to_string(south.pits[i])) + (i < 5 ? " " : "\n    ");
        for (const char name : {'A', 'B', 'C', 'D', 'E', 'F'}) out += cell({name}) + (name < 'F' ? " " : "\n");
        return out + (p.side == 0 ? "        South (to move)" : "             South");
    }

    /// A pit, optionally followed by the number of its stones, optionally followed by the number of captured stones.
    /// Numbers that are given must be right.
    Move parse_move(const Position& p, std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidMove("awari: move " + quoted(text, 40) + ": " + what);
        };
        std::string_view rest = text;
        // Up to two digits; -1 where there are none.
        const auto number = [&rest] {
            int out = -1;
            const char* end = rest.data() + std::min<std::size_t>(rest.size(), 2);
            const auto [stop, error] = std::from_chars(rest.data(), end, out);
            if (error != std::errc{} || out < 0) return -1;
            rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
            return out;
        };
        const char letter = rest.empty() ? ' ' : rest.front();
        const bool south = letter >= 'A' && letter <= 'F';
        if (!south && (letter < 'a' || letter > 'f')) throw fail(move_form);
        rest.remove_prefix(1);
        const bool counted = !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
        const std::string_view count = rest;
        if (counted) number();
        const std::string_view count_text = count.substr(0, count.size() - rest.size());
        std::string_view captured_text;
        for (const std::string_view sign : {std::string_view("x"), std::string_view("\xc3\x97")}) {  // the sign: UTF-8
            if (!rest.starts_with(sign)) continue;
            rest.remove_prefix(sign.size());
            captured_text = rest;
            if (rest.empty() || rest.front() < '0' || rest.front() > '9') throw fail(move_form);
            number();
            captured_text = captured_text.substr(0, captured_text.size() - rest.size());
            break;
        }
        if (!rest.empty()) throw fail(move_form);
        if (south != (p.side == 0)) throw fail(p.side == 0 ? "South is to move" : "North is to move");
        const auto pit = static_cast<Move>(letter - (south ? 'A' : 'a'));
        if (p.pits[pit] == 0) throw fail("the pit is empty");
        Moves legal;
        moves(p, legal);
        if (std::find(legal.begin(), legal.end(), pit) == legal.end()) {
            throw fail("it leaves the opponent no move, others do not");
        }
        if ((!count_text.empty() && count_text != std::to_string(p.pits[pit])) ||
            (!captured_text.empty() && captured_text != std::to_string(reward(p, pit)))) {
            throw fail("it should be " + move_text(p, pit));
        }
        return pit;
    }

    std::string move_text(const Position& p, Move pit) const {
        const int captured = reward(p, pit);
        std::string out(1, static_cast<char>((p.side == 0 ? 'A' : 'a') + pit));
        out += std::to_string(p.pits[pit]);
        if (captured != 0) out.append("x").append(std::to_string(captured));
        return out;
    }

    // Tables: a class is the number of stones on the board (awari_index.hpp). Captures take two stones or more.

    std::vector<std::uint32_t> classes(std::uint32_t size) const {
        std::vector<std::uint32_t> all;
        for (std::uint32_t c = 0; c <= std::min<std::uint32_t>(size, all_stones); ++c) all.push_back(c);
        return all;
    }

    std::vector<std::uint32_t> class_needs(std::uint32_t c) const {
        return c < 2 ? std::vector<std::uint32_t>{} : classes(c - 2);
    }

    std::uint32_t table_class(const Position& p) const noexcept { return static_cast<std::uint32_t>(stones(p.pits)); }
    std::string class_name(std::uint32_t c) const { return std::to_string(c); }
    std::uint64_t class_size(std::uint32_t c) const noexcept { return awari::class_size(c); }
    std::uint64_t table_rank(const Position& p) const noexcept { return awari::rank(AwariBoard::of(p.pits)); }
    Position table_position(std::uint32_t c, std::uint64_t i) const noexcept { return table_placement(c, i); }

    /// The pits in two words, which stay in registers: without the stores, with South to move.
    struct Placement : AwariBoard {
        Placement() = default;
        Placement(const AwariBoard& board) noexcept : AwariBoard(board) {}
        Placement(const Position& p) noexcept : AwariBoard(of(p.pits)) {}
        operator Position() const noexcept { return {pits(), {}, 0}; }
    };

    std::optional<int> terminal(const Placement& p) const noexcept {
        if (p.own != 0) return std::nullopt;
        return -static_cast<int>(awari::stones(p.other));
    }
    std::uint32_t table_class(const Placement& p) const noexcept { return awari::stones(p.own + p.other); }
    std::uint64_t table_rank(const Placement& p) const noexcept { return awari::rank(p); }
    Placement table_placement(std::uint32_t c, std::uint64_t i) const noexcept { return awari::unrank(c, i); }
    void table_next(Placement& p) const noexcept { awari::advance(p); }

    template <class Visit>
    void for_each_successor(const Placement& p, Visit&& visit) const {
        awari::for_each_successor(p, grand_slams_, [&](const AwariBoard& next, unsigned captured) {
            visit(Placement(next), static_cast<int>(captured));
        });
    }

    template <class Visit>
    void for_each_predecessor(const Placement& p, Visit&& visit) const {
        awari::for_each_predecessor(p, grand_slams_, [&](const AwariBoard& before) { visit(Placement(before)); });
    }

  private:
    explicit Awari(bool grand_slams) noexcept : grand_slams_(grand_slams) {}

    using Pits = std::array<std::uint8_t, 12>;

    static constexpr int all_stones = 48;
    static constexpr const char* form =
        "two rows of six pits, North's f to a first, and the side to move, such as 0,0,1,3,1,1/1,0,4,19,4,2/S, or with "
        "both stores 7:0,0,1,3,1,1/1,0,4,19,4,2:5/S";
    static constexpr const char* move_form = "a move is a pit, such as A, A1 or D19x7";

    static int stones(const Pits& pits) noexcept { return awari::stones(awari::rows(pits)); }

    /// Adds a field below the fields of the key.
    static void push(Key& key, std::uint8_t ones) noexcept { key = key << (ones + 1) | ((Key{1} << ones) - 1); }

    /// The same board with the rows and stores of the two sides exchanged.
    static void turn(Position& p) noexcept {
        std::rotate(p.pits.begin(), p.pits.begin() + 6, p.pits.end());
        std::swap(p.stores[0], p.stores[1]);
    }

    static Position seen_by_south(Position p) noexcept {
        if (p.side == 1) turn(p);
        return p;
    }

    bool grand_slams_;
};

static_assert(Game<Awari> && Described<Awari> && Notated<Awari> && Symmetric<Awari> && Cyclic<Awari> && Scored<Awari> &&
              Rewarding<Awari> && Limited<Awari> && Effort<Awari> && Indexed<Awari>);

}  // namespace proofbase
