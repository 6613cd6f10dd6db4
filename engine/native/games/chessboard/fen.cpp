#include "games/chessboard/fen.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/key.hpp"
#include "games/chessboard/rules.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {
namespace {

constexpr std::string_view castling_letters = "KQkq";

int count(Squares set) noexcept {
    return std::popcount(set);
}

/// The rights to castle that king and rooks on their first squares allow to the side to move.
std::uint8_t possible_castling(const Board& b) noexcept {
    const Squares rooks = b.straight & ~b.diagonal & b.own;
    if ((b.kings & b.own & square_set(4)) == 0) return 0;
    return static_cast<std::uint8_t>((rooks >> 7 & 1) | (rooks & 1) << 1);
}

Board seen_by_other(Board b) noexcept {
    pass(b);
    return b;
}

/// What is wrong with the men alone.
std::string defect_of_men(Rules rules, const Board& b) {
    if ((b.pawns & (rank_1 | rank_8)) != 0) return "a pawn stands on the first or last rank";
    for (const bool black : {false, true}) {
        const Squares men = black == b.black ? b.own : b.other();
        const std::string side = black ? "Black" : "White";
        if (count(men) > 16) return side + " has " + std::to_string(count(men)) + " men: there are 16";
        if (count(men & b.pawns) > 8) return side + " has " + std::to_string(count(men & b.pawns)) + " pawns";
        const int kings = count(men & b.kings);
        if (rules == Rules::chess && kings != 1) {
            return side + (kings == 0 ? " has no king" : " has " + std::to_string(kings) + " kings");
        }
    }
    return "";
}

/// The side not to move is the one that could be mated at once.
bool other_is_in_check(const Board& b) noexcept {
    return in_check(seen_by_other(b));
}

std::string defect_of_en_passant(const Board& b) {
    const int to = b.en_passant;
    const Squares pawn_at = square_set(to) >> 8;
    if (to / 8 == 5 && (b.pawns & b.other() & pawn_at) != 0 && (b.occupied() & (pawn_at << 8 | pawn_at << 16)) == 0) {
        return "";
    }
    return "no pawn has just passed " + square_text(b.black ? to ^ 56 : to);
}

struct Reader {
    Rules rules;
    std::string_view name;
    std::string_view text;

    [[noreturn]] void fail(const std::string& what) const {
        throw InvalidPosition(std::string(name) + ": position " + quoted(text, 100) + ": " + what);
    }

    std::vector<std::string_view> fields() const {
        std::vector<std::string_view> out;
        std::string_view rest = text;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            if (end > 0) out.push_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return out;
    }

    /// White's and Black's men, seen by White.
    Board men(std::string_view field) const {
        Board b;
        int file = 0;
        int rank = 7;
        for (const char c : field) {
            const std::size_t lower = letters.find(static_cast<char>(c - 32));
            const std::size_t upper = letters.find(c);
            if (c == '/') {
                if (file != 8 || rank == 0) fail("a board has 8 ranks of 8 squares, separated by '/'");
                --rank;
                file = 0;
            } else if (c >= '1' && c <= '8') {
                file += c - '0';
            } else if (lower != std::string_view::npos || upper != std::string_view::npos) {
                if (file > 7) fail("a board has 8 ranks of 8 squares, separated by '/'");
                const Squares at = square_set(file + 8 * rank);
                b.put(static_cast<Kind>(upper != std::string_view::npos ? upper : lower), at);
                if (upper != std::string_view::npos) b.own |= at;
                ++file;
            } else {
                fail("men are P, N, B, R, Q, K and p, n, b, r, q, k, empty squares are counted");
            }
            if (file > 8) fail("a board has 8 ranks of 8 squares, separated by '/'");
        }
        if (file != 8 || rank != 0) fail("a board has 8 ranks of 8 squares, separated by '/'");
        return b;
    }

    std::uint8_t castling(std::string_view field) const {
        unsigned rights = 0;
        std::size_t next = 0;
        if (field == "-") return 0;
        for (const char c : field) {
            const std::size_t at = castling_letters.find(c);
            if (at == std::string_view::npos || at < next) fail("the rights to castle are '-' or some of KQkq");
            rights |= 1u << at;
            next = at + 1;
        }
        return static_cast<std::uint8_t>(rights);
    }

    std::uint8_t en_passant(std::string_view field) const {
        if (field == "-") return 0;
        if (field.size() != 2 || field[0] < 'a' || field[0] > 'h' || (field[1] != '3' && field[1] != '6')) {
            fail("the square of an en-passant capture is '-' or a square such as e3");
        }
        return static_cast<std::uint8_t>(field[0] - 'a' + 8 * (field[1] - '1'));
    }
};

}  // namespace

std::string square_text(int square) {
    return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

std::string defect(Rules rules, const Board& b) {
    std::string what = defect_of_men(rules, b);
    if (!what.empty() || rules != Rules::chess) return what;
    if (other_is_in_check(b)) return b.black ? "White, not to move, is in check" : "Black, not to move, is in check";
    if ((b.castling & ~(possible_castling(b) | possible_castling(seen_by_other(b)) << 2)) != 0) {
        return "a right to castle asks for king and rook on their first squares";
    }
    return "";
}

Board parse_fen(Rules rules, std::string_view name, std::string_view text) {
    const Reader reader{rules, name, text};
    const auto fields = reader.fields();
    if (fields.size() < 2 || fields.size() > 6) {
        reader.fail(
            "a FEN has the men, the side to move, the rights to castle, the en-passant square and two counters");
    }
    Board b = reader.men(fields[0]);
    if (fields[1] != "w" && fields[1] != "b") reader.fail("the side to move is w or b");
    const std::uint8_t castling = fields.size() > 2 ? reader.castling(fields[2]) : 0;
    if (rules == Rules::chess) b.castling = castling;
    const std::uint8_t en_passant = fields.size() > 3 ? reader.en_passant(fields[3]) : 0;
    for (std::size_t i = 4; i < fields.size(); ++i) {
        if (!std::ranges::all_of(fields[i], [](char c) { return c >= '0' && c <= '9'; })) {
            reader.fail("the counters of moves are numbers");
        }
    }
    const bool black = fields[1] == "b";
    if (black) pass(b);
    const std::string what = defect(rules, b);
    if (!what.empty()) reader.fail(what);
    if (en_passant != 0) {
        b.en_passant = static_cast<std::uint8_t>(black ? en_passant ^ 56 : en_passant);
        const std::string why = defect_of_en_passant(b);
        if (!why.empty()) reader.fail(why);
        if (!has_pass_capture(rules, b, b.en_passant)) b.en_passant = 0;
    }
    return b;
}

unsigned counter_in_fen(std::string_view text) {
    const auto fields = Reader{Rules::chess, {}, text}.fields();
    unsigned counter = 0;
    if (fields.size() > 4) {
        for (const char c : fields[4]) counter = std::min(10 * counter + static_cast<unsigned>(c - '0'), 1000u);
    }
    return counter;
}

std::string fen(const Board& b, unsigned counter) {
    const Board white = b.black ? seen_by_other(b) : b;
    std::string out;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const int square = file + 8 * rank;
            const Kind kind = white.kind_at(square);
            if (kind == no_man) {
                ++empty;
                continue;
            }
            if (empty > 0) out += std::to_string(std::exchange(empty, 0));
            const char letter = letters[kind];
            out += (white.own >> square & 1) != 0 ? letter : static_cast<char>(letter + 32);
        }
        if (empty > 0) out += std::to_string(empty);
        if (rank > 0) out += '/';
    }
    out += b.black ? " b " : " w ";
    for (std::size_t i = 0; i < 4; ++i) {
        if ((white.castling >> i & 1) != 0) out += castling_letters[i];
    }
    if (white.castling == 0) out += '-';
    out += ' ' + (b.en_passant == 0 ? "-" : square_text(b.black ? b.en_passant ^ 56 : b.en_passant));
    return out + ' ' + std::to_string(counter) + " 1";
}

std::string drawing(const Board& b) {
    const std::string text = fen(b);
    std::string out = "8";
    char rank = '8';
    std::size_t i = 0;
    for (; text[i] != ' '; ++i) {
        if (text[i] == '/') {
            out += {'\n', --rank};
        } else if (text[i] >= '1' && text[i] <= '8') {
            for (char empty = '0'; empty < text[i]; ++empty) out += " .";
        } else {
            out += {' ', text[i]};
        }
    }
    out += "\n  a b c d e f g h";
    const std::string rest = text.substr(i + 3, text.size() - i - 7);  // castling and en passant
    const std::size_t space = rest.find(' ');
    if (rest[0] != '-') out += "\ncastling " + rest.substr(0, space);
    if (rest.back() != '-') out += "\nen passant " + rest.substr(space + 1);
    return out;
}

std::optional<Board> decoded(Rules rules, const Key& key) noexcept {
    const auto word = [&](std::size_t from) {
        std::uint64_t out = 0;
        for (std::size_t i = 0; i < 8; ++i) out = out << 8 | key[from + i];
        return out;
    };
    const Squares occupied = word(0);
    if (count(occupied) > 32 || (key[24] & 0x70) != 0) return std::nullopt;
    Digits digits{word(16), word(8)};
    Board b;
    bool sound = true;
    for_each_square(occupied, [&](int square) {
        const auto digit = static_cast<unsigned>(digits.low & 15);
        digits.low = digits.low >> 4 | digits.high << 60;
        digits.high >>= 4;
        const bool passed = digit == 14;
        const unsigned kind = digit & 7;
        if (kind > king && !passed) sound = false;
        if (passed && (b.en_passant != 0 || square / 8 != 4)) sound = false;
        if (passed) b.en_passant = static_cast<std::uint8_t>(square + 8);
        b.put(passed ? pawn : static_cast<Kind>(kind), square_set(square));
        if (digit < 8) b.own |= square_set(square);
    });
    if (!sound || digits.low != 0 || digits.high != 0) return std::nullopt;
    b.castling = key[24] & 15;
    b.black = (key[24] & 128) != 0;
    if (rules != Rules::chess && b.castling != 0) return std::nullopt;
    if (!defect(rules, b).empty()) return std::nullopt;
    if (b.en_passant != 0) {
        if (!defect_of_en_passant(b).empty() || !has_pass_capture(rules, b, b.en_passant)) return std::nullopt;
    }
    return b;
}

}  // namespace proofbase::chessboard
