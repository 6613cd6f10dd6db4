#include "games/chessboard/notation.hpp"

#include <cstddef>
#include <optional>

#include "errors.hpp"
#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/fen.hpp"
#include "games/chessboard/rules.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {
namespace {

/// What a text says of a move; -1 where it says nothing. Ranks are White's.
struct Described {
    int kind = pawn;
    int from_file = -1;
    int from_rank = -1;
    int to_file = -1;
    int to_rank = -1;
    int promotion = -1;
    bool any_kind = false;  ///< UCI does not name the man
};

bool is_file(char c) noexcept {
    return c >= 'a' && c <= 'h';
}
bool is_rank(char c) noexcept {
    return c >= '1' && c <= '8';
}

/// The kind of man that a letter names; -1 for others. Pawns are not named.
int kind_of_letter(char c, bool small_too) noexcept {
    if (small_too && c >= 'a') c = static_cast<char>(c - 32);
    const std::size_t at = letters.find(c);
    return at == std::string_view::npos || at == 0 ? -1 : static_cast<int>(at);
}

std::optional<Described> read_uci(std::string_view text) {
    if (text.size() < 4 || text.size() > 5 || !is_file(text[0]) || !is_rank(text[1]) || !is_file(text[2]) ||
        !is_rank(text[3])) {
        return std::nullopt;
    }
    Described out{0, text[0] - 'a', text[1] - '1', text[2] - 'a', text[3] - '1', -1, true};
    if (text.size() == 5) {
        out.promotion = text[4] >= 'a' ? kind_of_letter(text[4], true) : -1;
        if (out.promotion < 0) return std::nullopt;
    }
    return out;
}

/// SAN without marks of check and comment, but for castling.
std::optional<Described> read_san(std::string_view text) {
    Described out;
    if (!text.empty() && kind_of_letter(text[0], false) > 0) {
        out.kind = kind_of_letter(text[0], false);
        text.remove_prefix(1);
    }
    if (out.kind == pawn && !text.empty() && !is_rank(text.back())) {
        out.promotion = kind_of_letter(text.back(), true);
        text.remove_suffix(1);
        if (out.promotion < 0) return std::nullopt;
        if (text.ends_with('=')) text.remove_suffix(1);
    }
    if (text.size() < 2 || !is_file(text[text.size() - 2]) || !is_rank(text.back())) return std::nullopt;
    out.to_rank = text.back() - '1';
    out.to_file = text[text.size() - 2] - 'a';
    text.remove_suffix(2);
    if (text.ends_with('x') || text.ends_with('-')) text.remove_suffix(1);
    if (!text.empty() && is_file(text[0])) {
        out.from_file = text[0] - 'a';
        text.remove_prefix(1);
    }
    if (!text.empty() && is_rank(text[0])) {
        out.from_rank = text[0] - '1';
        text.remove_prefix(1);
    }
    if (!text.empty()) return std::nullopt;
    return out;
}

bool is_castling(const Board& b, Move move) noexcept {
    const int step = target(move) - origin(move);
    return b.kind_at(origin(move)) == king && (step == 2 || step == -2);
}

/// Squares as White sees them.
int white_square(const Board& b, int square) noexcept {
    return b.black ? square ^ 56 : square;
}

bool fits(const Board& b, Move move, const Described& described) noexcept {
    const int from = white_square(b, origin(move));
    const int to = white_square(b, target(move));
    const Kind kind = b.kind_at(origin(move));
    const auto same = [](int said, int is) { return said < 0 || said == is; };
    if (described.to_file != to % 8 || described.to_rank != to / 8) return false;
    if (!same(described.from_file, from % 8) || !same(described.from_rank, from / 8)) return false;
    if (!described.any_kind && (described.kind != kind || is_castling(b, move))) return false;
    return described.promotion < 0 ? promotion(move) == pawn : described.promotion == promotion(move);
}

/// As much of the origin as tells the move from others of men of the same kind.
std::string origin_text(const Board& b, Move move, const Moves& legal) {
    const Kind kind = b.kind_at(origin(move));
    const std::string from = square_text(white_square(b, origin(move)));
    bool others = false;
    bool same_file = false;
    bool same_rank = false;
    for (const Move other : legal) {
        const int at = origin(other);
        if (at == origin(move) || target(other) != target(move) || b.kind_at(at) != kind) continue;
        others = true;
        same_file = same_file || at % 8 == origin(move) % 8;
        same_rank = same_rank || at / 8 == origin(move) / 8;
    }
    if (!others) return "";
    if (!same_file) return from.substr(0, 1);
    return same_rank ? from : from.substr(1);
}

std::string mark_of_check(Rules rules, const Board& after) {
    if (rules != Rules::chess || !in_check(after)) return "";
    return has_move(rules, after) ? "+" : "#";
}

}  // namespace

std::string move_text(Rules rules, const Board& b, Move move) {
    const std::string mark = mark_of_check(rules, play(rules, b, move));
    if (rules == Rules::chess && is_castling(b, move)) {
        return (target(move) > origin(move) ? "O-O" : "O-O-O") + mark;
    }
    const Kind kind = b.kind_at(origin(move));
    const std::string to = square_text(white_square(b, target(move)));
    const bool captures = (b.occupied() & square_set(target(move))) != 0;
    if (kind == pawn) {
        const bool sideways = target(move) % 8 != origin(move) % 8;
        std::string out = sideways ? std::string{static_cast<char>('a' + origin(move) % 8), 'x'} + to : to;
        if (promotion(move) != pawn) out += {'=', letters[promotion(move)]};
        return out + mark;
    }
    Moves legal;
    legal_moves(rules, b, legal);
    return letters[kind] + origin_text(b, move, legal) + (captures ? "x" : "") + to + mark;
}

Move parse_move(Rules rules, std::string_view name, const Board& b, std::string_view text) {
    const auto fail = [&](const std::string& what) {
        return InvalidMove(std::string(name) + ": move " + quoted(text, 40) + ": " + what);
    };
    std::string_view core = text;
    while (!core.empty() && std::string_view("+#!?").find(core.back()) != std::string_view::npos) {
        core.remove_suffix(1);
    }
    Moves legal;
    legal_moves(rules, b, legal);
    const bool king_side = core == "O-O" || core == "0-0";
    if (rules == Rules::chess && (king_side || core == "O-O-O" || core == "0-0-0")) {
        for (const Move move : legal) {
            if (is_castling(b, move) && (target(move) > origin(move)) == king_side) return move;
        }
        throw fail("castling is not legal");
    }
    std::optional<Described> described = read_uci(core);
    if (!described) described = read_san(core);
    if (!described) throw fail("a move is written like Nf3, exd5, e8=Q, O-O or g1f3");
    if (legal.empty()) throw fail("the game is over");
    std::optional<Move> found;
    bool others = false;
    bool promotes = false;
    for (const Move move : legal) {
        if (fits(b, move, *described)) {
            others = found.has_value();
            found = move;
        } else if (described->promotion < 0 && promotion(move) != pawn) {
            Described with = *described;
            with.promotion = promotion(move);
            promotes = promotes || fits(b, move, with);
        }
        if (others) throw fail("several men can make it: name the square it leaves");
    }
    if (!found) throw fail(promotes ? "name what the pawn becomes" : "it is not legal");
    return *found;
}

}  // namespace proofbase::chessboard
