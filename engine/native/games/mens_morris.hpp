// Men's morris: three, six and nine men a side.
//
// Rules
//   1. x and o have 3, 6 or 9 men each, and play on a board of 9, 16 or 24 points (mens_morris/board.hpp). x begins;
//      they move in turn.
//   2. While a side has men in hand it puts one of them on a free point.
//   3. After that it moves a man along a line to a neighbouring free point; with three men left it may move a man
//      to any free point (it flies). With three men a side from the start nobody flies. The variants `flying` and
//      `no-flying` say the contrary.
//   4. Three men of a side on a line are a mill. A move that closes a mill, or two at once, takes one man of the other
//      side off the board: one that stands in no mill, or any man if all stand in mills.
//   5. A side with fewer than three men, those in hand included, has lost; so has a side that is to move and cannot.
//   6. Endless play is worth nothing to either side.
//
// Encoding: bits 0-23 the men of the other side, 24-47 those of the side to move, 48-52 the men in hand of both sides
// together: x and o put their men in turn, so the side to move has half of them, rounded up. Bit 55 says that o is to
// move where the men in hand do not. The key is the smallest encoding under the symmetries, without bit 55.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/mens_morris/board.hpp"
#include "games/mens_morris/numbering.hpp"
#include "games/mens_morris/steps.hpp"
#include "games/mens_morris/text.hpp"
#include "inline_list.hpp"
#include "table_concepts.hpp"

namespace proofbase {

class MensMorris {
  public:
    static constexpr std::string_view family = "mens-morris";
    static constexpr std::string_view description =
        "mills of three men on lines take men of the other side; mens-morris:3, :6 or :9 for so many men a side (9 "
        "without a number), with ,flying or ,no-flying behind it where the rule is the other one";
    static constexpr std::string_view examples[] = {"mens-morris:9", "mens-morris:6", "mens-morris:3"};

    using Position = mens_morris::Position;
    using Move = mens_morris::Move;
    using Moves = InlineList<Move, 512>;
    using Key = std::uint64_t;

    static MensMorris from_parameters(std::string_view parameters) {
        if (parameters.empty()) return MensMorris(9, true);
        const std::string_view number = parameters.substr(0, parameters.find(','));
        const std::string_view variant = parameters.substr(number.size());
        const bool known = number == "3" || number == "6" || number == "9";
        if (!known || (!variant.empty() && variant != ",flying" && variant != ",no-flying")) {
            throw UnknownGame("mens-morris: " + quoted(parameters) + " is not 3, 6 or 9, perhaps with ,flying or " +
                              ",no-flying behind it");
        }
        const int men = number[0] - '0';
        return MensMorris(men, variant.empty() ? flies_by_default(men) : variant == ",flying");
    }

    std::string name() const {
        const std::string_view variant = flying_ == flies_by_default(men_) ? "" : flying_ ? ",flying" : ",no-flying";
        return std::string(family) + ":" + std::to_string(men_) + std::string(variant);
    }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return false; }
    int highest_value() const noexcept { return 1; }

    /// Rule 1.
    Position initial() const noexcept { return {0, 0, static_cast<std::uint8_t>(2 * men_), 0}; }

    /// Rule 5.
    std::optional<int> terminal(const Position& p) const noexcept {
        if (p.men() < 3 || (p.in_hand == 0 && !can_move(p))) return -1;
        return std::nullopt;
    }

    /// Rule 6.
    int repetition(const Position&) const noexcept { return 0; }

    /// Rules 2 to 4, in ascending order of their codes.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        const auto arrive = [&](int from, int to, Men others) {
            if (!board().closes(to, others)) {
                out.push_back(mens_morris::code(from, to, mens_morris::nowhere));
                return;
            }
            mens_morris::for_each_point(board().exposed(p.other),
                                        [&](int taken) { out.push_back(mens_morris::code(from, to, taken)); });
        };
        if (p.in_hand > 0) {
            mens_morris::for_each_point(free(p), [&](int to) { arrive(mens_morris::nowhere, to, p.own); });
            return;
        }
        mens_morris::for_each_point(p.own, [&](int from) {
            mens_morris::for_each_point(targets(p, from),
                                        [&](int to) { arrive(from, to, p.own & ~mens_morris::man_on(from)); });
        });
    }

    Position play(const Position& p, Move move) const noexcept {
        const auto [from, to, taken] = mens_morris::parts(move);
        Position after{p.other, p.own | mens_morris::man_on(to), p.in_hand, static_cast<std::uint8_t>(p.side ^ 1)};
        if (from == mens_morris::nowhere) {
            --after.in_hand;
        } else {
            after.other &= ~mens_morris::man_on(from);
        }
        if (taken != mens_morris::nowhere) after.own &= ~mens_morris::man_on(taken);
        return after;
    }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return p.side; }
    /// Men are put on the board once, and taken for good.
    bool converts(const Position& p, Move move) const noexcept {
        return p.in_hand > 0 || mens_morris::parts(move).taken != mens_morris::nowhere;
    }

    Key oriented_key(const Position& p) const noexcept {
        return encode(p.in_hand, p.own, p.other) | (p.in_hand == 0 ? Key{p.side} << 55 : 0);
    }

    Key key(const Position& p) const noexcept {
        Key smallest = ~Key{0};
        for (const mens_morris::Map& map : only_mills_matter(p) ? board().mill_maps() : board().board_maps()) {
            smallest = std::min(smallest, encode(p.in_hand, map(p.own), map(p.other)));
        }
        return smallest;
    }

    std::size_t key_size() const noexcept { return 7; }

    std::optional<Position> position(Key key) const noexcept {
        constexpr Key set = (Key{1} << 24) - 1;
        const auto in_hand = static_cast<std::uint8_t>(key >> 48 & 0x1f);
        const auto side = static_cast<std::uint8_t>(in_hand == 0 ? key >> 55 : in_hand % 2);
        const Position p{static_cast<Men>(key >> 24 & set), static_cast<Men>(key & set), in_hand, side};
        if (key >> 53 != (in_hand == 0 ? Key{side} << 2 : 0) || mens_morris::defect(board(), men_, p) != nullptr) {
            return std::nullopt;
        }
        return p;
    }

    Position parse(std::string_view text) const { return mens_morris::parse(board(), men_, text); }
    std::string text(const Position& p) const { return mens_morris::text(board(), p); }
    std::string draw(const Position& p) const { return mens_morris::draw(board(), p); }
    std::string move_text(const Position&, Move move) const { return mens_morris::move_text(board(), move); }

    Move parse_move(const Position& p, std::string_view text) const {
        Moves legal;
        if (!terminal(p)) moves(p, legal);
        bool closes = false;
        for (const Move move : legal) {
            const std::string name = move_text(p, move);
            if (name == text) return move;
            closes |= name.substr(0, name.find('x')) == text;
        }
        throw InvalidMove(quoted(text) + (closes ? " closes a mill: say which man it takes, as in d6xa1"
                                                 : " is not a legal move; moves are d6, d6-d5 or d6-d5xa1"));
    }

    // Tables. Class 0 has the lost positions of a side with fewer than three men, as one entry. Other classes have the
    // positions with the same men: while there are men in hand (t > 0) a of the side to move and b of the other on the
    // board, class 100 t + 10 a + b; after that both (a, b) and (b, a), a >= b, since moves lead from one to the other:
    // class 10 a + b, the positions (a, b) first. The size of a set of tables is the number of men of both sides
    // together, those in hand included.

    std::vector<std::uint32_t> classes(std::uint32_t size) const {
        std::vector<std::uint32_t> all{0};
        for (int men = 6; men <= std::min(2 * men_, static_cast<int>(std::min(size, 99U))); ++men) {
            for (int t = 0; t <= 2 * men_; ++t) {
                for (int a = 0; a <= men_; ++a) {
                    const int b = men - t - a;
                    if (b >= 0 && (t > 0 || a >= b) && mens_morris::men_defect(men_, {a, b}, t) == nullptr &&
                        a + (t + 1) / 2 >= 3) {
                        all.push_back(class_number(a, b, t));
                    }
                }
            }
        }
        return all;
    }

    /// Who has lost is to move at the end: rule 5.
    int end_value() const noexcept { return -1; }

    std::vector<std::uint32_t> class_needs(std::uint32_t c) const {
        const auto [a, b, t] = class_men(c);
        std::vector<std::uint32_t> needs;
        const auto add = [&](int own, int other, int in_hand) {
            const std::uint32_t need = table_class(own, other, in_hand);
            const bool exists = need == 0 || mens_morris::men_defect(men_, {own, other}, in_hand) == nullptr;
            if (exists && std::find(needs.begin(), needs.end(), need) == needs.end()) needs.push_back(need);
        };
        if (c == 0) return needs;
        if (t > 0) {
            add(b, a + 1, t - 1);
            if (a >= 2 && b > 0) add(b - 1, a + 1, t - 1);
        } else {
            add(b - 1, a, 0);
            add(a - 1, b, 0);
        }
        std::sort(needs.begin(), needs.end());
        return needs;
    }

    std::uint32_t table_class(const Position& p) const noexcept {
        return table_class(std::popcount(p.own), std::popcount(p.other), p.in_hand);
    }

    std::string class_name(std::uint32_t c) const {
        if (c == 0) return "lost";
        const auto [a, b, t] = class_men(c);
        const std::string men = std::to_string(a) + "-" + std::to_string(b);
        return t == 0 ? men : men + "-hand-" + std::to_string(t);
    }

    std::uint64_t class_size(std::uint32_t c) const {
        if (c == 0) return 1;
        const auto [a, b, t] = class_men(c);
        const bool mills_only = only_mills_matter(a, b, t);
        const std::uint64_t size = numberings_->size(a, b, mills_only);
        return t > 0 || a == b ? size : 2 * size;
    }

    std::uint64_t table_rank(const Position& p) const noexcept {
        const int a = std::popcount(p.own);
        const int b = std::popcount(p.other);
        if (p.men() < 3) return 0;
        const mens_morris::Numbering& numbering = numbers(a, b, p.in_hand);
        return numbering.rank({p.own, p.other}) + (p.in_hand == 0 && a < b ? numbering.size() : 0);
    }

    Position table_position(std::uint32_t c, std::uint64_t i) const noexcept {
        if (c == 0) return lost();
        const auto [a, b, t] = class_men(c);
        const mens_morris::Numbering& first = numbers(a, b, t);
        const bool second = i >= first.size();
        const auto [own, other] = second ? numbers(b, a, t).position(i - first.size()) : first.position(i);
        return {own, other, static_cast<std::uint8_t>(t), static_cast<std::uint8_t>(t % 2)};
    }

    void table_next(Position& p) const noexcept {
        const int a = std::popcount(p.own);
        const int b = std::popcount(p.other);
        const mens_morris::Numbering& numbering = numbers(a, b, p.in_hand);
        if (p.in_hand == 0 && a > b && numbering.rank({p.own, p.other}) + 1 == numbering.size()) {
            const auto [own, other] = numbers(b, a, 0).position(0);
            p = {own, other, 0, 0};
        } else {
            const auto [own, other] = numbering.next({p.own, p.other});
            p = {own, other, p.in_hand, p.side};
        }
    }

    template <class Visit>
    void for_each_successor(const Position& p, Visit&& visit) const {
        if (p.men() < 3) return;
        const auto in_hand = static_cast<std::uint8_t>(p.in_hand - (p.in_hand > 0));
        const auto side = static_cast<std::uint8_t>(p.side ^ 1);
        steps_->for_each_move(p.own, p.other, p.in_hand > 0, flies(p.own),
                              [&](Men own, Men other) { visit(Position{other, own, in_hand, side}, 0); });
    }

    /// A position and its images count once. Where maps keep this position in place, the moves to it that are images of
    /// each other are moves of one parent; where maps keep the parent in place, it has so many moves to this position.
    template <class Visit>
    void for_each_predecessor(const Position& p, Visit&& visit) const {
        if (p.in_hand > 0 || p.men() < 3) return;
        const mens_morris::Numbering& here = numbers(std::popcount(p.own), std::popcount(p.other), 0);
        const mens_morris::Numbering& before = numbers(std::popcount(p.other), std::popcount(p.own), 0);
        const bool symmetric = here.symmetry({p.own, p.other}) > 1;
        steps_->for_each_move_back(p.other, p.own, flies(p.other), [&](Men from, Men to) {
            unsigned keeping = 1;
            if (symmetric) {
                keeping = 0;
                bool first = true;  // of the images of this move
                here.for_each_keeping({p.own, p.other}, [&](const mens_morris::Map& map) {
                    const Men image_from = map(from);
                    const Men image_to = map(to);
                    keeping += image_from == from && image_to == to;
                    first &= image_to > to || (image_to == to && image_from >= from);
                });
                if (!first) return;
            }
            const Position parent{(p.other | from) & ~to, p.own, 0, static_cast<std::uint8_t>(p.side ^ 1)};
            const unsigned times = before.symmetry({parent.own, parent.other}) / keeping;
            for (unsigned i = 0; i < times; ++i) visit(parent);
        });
    }

  private:
    using Men = mens_morris::Men;

    struct ClassMen {
        int own, other, in_hand;
    };

    MensMorris(int men, bool flying)
        : men_(men),
          flying_(flying),
          board_(std::make_shared<const mens_morris::Board>(men)),
          steps_(std::make_shared<const mens_morris::Steps>(*board_)),
          numberings_(std::make_shared<mens_morris::Numberings>(*board_, men)) {}

    const mens_morris::Board& board() const noexcept { return *board_; }
    Men free(const Position& p) const noexcept { return board().all() & ~p.own & ~p.other; }

    /// Rule 3, for a side without men in hand.
    bool flies(Men men) const noexcept { return flying_ && std::popcount(men) == 3; }
    Men targets(const Position& p, int from) const noexcept {
        return flies(p.own) ? free(p) : free(p) & board().neighbours(from);
    }
    bool can_move(const Position& p) const noexcept {
        bool found = false;
        mens_morris::for_each_point(p.own, [&](int from) { found |= targets(p, from) != 0; });
        return found;
    }

    /// Both sides have three men at most, and fly or will fly: which points are neighbours does not matter any more.
    bool only_mills_matter(int own, int other, int in_hand) const noexcept {
        return flying_ && own + (in_hand + 1) / 2 <= 3 && other + in_hand / 2 <= 3;
    }
    bool only_mills_matter(const Position& p) const noexcept {
        return only_mills_matter(std::popcount(p.own), std::popcount(p.other), p.in_hand);
    }

    static constexpr bool flies_by_default(int men) noexcept { return men > 3; }

    static Key encode(std::uint8_t in_hand, Men own, Men other) noexcept {
        return Key{in_hand} << 48 | Key{own} << 24 | other;
    }

    static std::uint32_t class_number(int own, int other, int in_hand) noexcept {
        return static_cast<std::uint32_t>(100 * in_hand + 10 * own + other);
    }
    static ClassMen class_men(std::uint32_t c) noexcept {
        return {static_cast<int>(c / 10 % 10), static_cast<int>(c % 10), static_cast<int>(c / 100)};
    }
    static std::uint32_t table_class(int own, int other, int in_hand) noexcept {
        if (own + (in_hand + 1) / 2 < 3) return 0;
        return in_hand > 0 ? class_number(own, other, in_hand)
                           : class_number(std::max(own, other), std::min(own, other), 0);
    }

    const mens_morris::Numbering& numbers(int own, int other, int in_hand) const {
        return numberings_->get(own, other, only_mills_matter(own, other, in_hand));
    }

    /// The position that stands for those of class 0: two men against three on the first points.
    static Position lost() noexcept { return {0b11000, 0b00111, 0, 0}; }

    int men_;
    bool flying_;
    std::shared_ptr<const mens_morris::Board> board_;
    std::shared_ptr<const mens_morris::Steps> steps_;
    std::shared_ptr<mens_morris::Numberings> numberings_;  // refers to the board
};

static_assert(Game<MensMorris> && Described<MensMorris> && Notated<MensMorris> && Symmetric<MensMorris> &&
              Cyclic<MensMorris> && Indexed<MensMorris>);

}  // namespace proofbase
