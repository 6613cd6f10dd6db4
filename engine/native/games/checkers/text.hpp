// How positions and moves of checkers are written: as in PDN, the Portable Draughts Notation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "games/checkers/board.hpp"
#include "games/checkers/moves.hpp"

namespace proofbase::checkers {

/// Men as Black sees them.
struct Men {
    Squares black, white, kings;
};

inline Men men_of(const Position& p) noexcept {
    if (p.side == 0) return {p.own, p.other, p.kings};
    return {turned(p.other), turned(p.own), turned(p.kings)};
}

/// `B:W18,K27:B3,K10`: the side to move, White's squares and Black's, K for kings.
inline std::string text(const Position& p) {
    const Men men = men_of(p);
    std::string out = p.side == 0 ? "B" : "W";
    for (const bool white : {true, false}) {
        out += white ? ":W" : ":B";
        const Squares squares = white ? men.white : men.black;
        bool first = true;
        for (unsigned square = 0; square < 32; ++square) {
            if ((squares >> square & 1) == 0) continue;
            if (!first) out += ',';
            first = false;
            if ((men.kings >> square & 1) != 0) out += 'K';
            out += std::to_string(square + 1);
        }
    }
    return out;
}

/// Inverse of `text`; the squares of a side may have any order. Throws InvalidPosition.
inline Position parse(std::string_view text) {
    const auto fail = [&](const std::string& what) {
        return InvalidPosition("checkers: position " + quoted(text, 100) + ": " + what);
    };
    const auto form = [&] {
        return fail("it is not the side to move, White's squares and Black's, such as B:W18,K27:B3,K10");
    };
    std::string_view rest = text;
    if (!rest.starts_with('B') && !rest.starts_with('W')) throw form();
    const bool white_moves = rest[0] == 'W';
    rest.remove_prefix(1);
    struct Word {
        bool white, king;
        std::string_view number;
    };
    std::vector<Word> words;  // all of the form is looked at before the squares
    for (const bool white : {true, false}) {
        if (!rest.starts_with(white ? ":W" : ":B")) throw form();
        rest.remove_prefix(2);
        if (rest.empty() || rest.front() == ':') continue;
        for (bool further = true; further;) {
            const bool king = rest.starts_with('K');
            rest.remove_prefix(king ? 1 : 0);
            std::size_t digits = 0;
            while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
            if (digits == 0 || digits > 2) throw form();
            words.push_back({white, king, rest.substr(0, digits)});
            rest.remove_prefix(digits);
            further = rest.starts_with(',');
            rest.remove_prefix(further ? 1 : 0);
        }
    }
    if (!rest.empty()) throw form();
    Men men{0, 0, 0};
    for (const Word& word : words) {
        unsigned number = 0;
        for (const char digit : word.number) number = 10 * number + static_cast<unsigned>(digit - '0');
        if (number < 1 || number > 32 || word.number.front() == '0') throw fail("squares are 1 to 32");
        const Squares here = square_set(number - 1);
        if (((men.black | men.white) & here) != 0) {
            throw fail("two men stand on square " + std::to_string(number));
        }
        (word.white ? men.white : men.black) |= here;
        if (word.king) men.kings |= here;
    }
    const Position p = white_moves ? Position{turned(men.white), turned(men.black), turned(men.kings), 1}
                                   : Position{men.black, men.white, men.kings, 0};
    if (const char* what = defect(p.own, p.other, p.kings)) throw fail(what);
    return p;
}

/// The board from White's side: b and w for men, B and W for kings, dots for free dark squares.
inline std::string draw(const Position& p) {
    const Men men = men_of(p);
    std::string out;
    const auto add_number = [&out](unsigned n) {
        if (n < 10) out.push_back(' ');
        out += std::to_string(n);
    };
    for (unsigned row = 0; row < 8; ++row) {
        if (row > 0) out.push_back('\n');
        add_number(4 * row + 1);
        out += row % 2 == 1 ? " " : "   ";
        for (unsigned square = 4 * row; square < 4 * row + 4; ++square) {
            const bool king = (men.kings >> square & 1) != 0;
            if (square != 4 * row) out += "   ";
            out += (men.black >> square & 1) != 0   ? (king ? 'B' : 'b')
                   : (men.white >> square & 1) != 0 ? (king ? 'W' : 'w')
                                                    : '.';
        }
        out += row % 2 == 1 ? "   " : " ";
        add_number(4 * row + 4);
    }
    return out;
}

/// The number of a square that the side to move sees as this one.
constexpr unsigned shown(unsigned square, unsigned side) noexcept {
    return side == 0 ? square + 1 : 32 - square;
}

/// `11-15`, `22x15`, `30x23x16`: all squares that the man comes to.
inline std::string move_text(const Position& p, Move move) {
    const Path path = path_of(p, move);
    std::string out = std::to_string(shown(path.squares[0], p.side));
    for (std::size_t i = 1; i < path.length; ++i) {
        out += (is_jump(move) ? 'x' : '-') + std::to_string(shown(path.squares[i], p.side));
    }
    return out;
}

/// The squares of a text such as `30x16`, one or two digits each; nothing where it has another form.
inline std::vector<unsigned> squares_of(std::string_view text) {
    std::vector<unsigned> out;
    while (true) {
        std::size_t digits = 0;
        unsigned number = 0;
        for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
            number = 10 * number + static_cast<unsigned>(text[digits] - '0');
            if (digits == 2) return {};
        }
        if (digits == 0) return {};
        out.push_back(number);
        text.remove_prefix(digits);
        if (text.empty()) break;
        if (text.front() != '-' && text.front() != 'x') return {};
        text.remove_prefix(1);
    }
    if (out.size() < 2 || out.size() > most_jumps + 1) return {};
    return out;
}

/// The move of a list that a text stands for: of the squares that a man comes to on its way those may be left out that
/// are not needed to tell the move. Throws InvalidMove.
template <class Moves>
Move parse_move(const Position& p, const Moves& legal, std::string_view text) {
    const auto fail = [&](const char* what) { return InvalidMove("checkers: move " + quoted(text, 40) + ": " + what); };
    const std::vector<unsigned> squares = squares_of(text.substr(0, text.find_last_not_of("!?") + 1));
    if (squares.empty()) throw fail("a move is written like 11-15, 22x15 or 30x23x16");
    std::vector<Move> fitting;
    for (const Move move : legal) {
        const Path path = path_of(p, move);
        std::vector<unsigned> way;
        for (std::size_t i = 0; i < path.length; ++i) way.push_back(shown(path.squares[i], p.side));
        if (way == squares) return move;
        if (way.front() != squares.front() || way.back() != squares.back()) continue;
        std::size_t found = 0;
        for (std::size_t i = 0; i < way.size() && found < squares.size(); ++i) found += way[i] == squares[found];
        if (found == squares.size()) fitting.push_back(move);
    }
    if (fitting.empty()) {
        if (legal.empty()) throw fail("the game is over");
        const bool jump = is_jump(legal[0]) && text.find('x') == std::string_view::npos;
        throw fail(jump ? "there is a jump" : "it is not legal");
    }
    for (const Move move : fitting) {
        if (played(p, move) != played(p, fitting[0])) throw fail("name the squares between, there are several ways");
    }
    return fitting[0];
}

}  // namespace proofbase::checkers
