// How many legal moves there are in eight positions of chess at once: a lane of a vector for each position. The same
// moves as those of games/chessboard/chess_moves.hpp, which lists them, and move_counts.hpp, which counts those of one
// position. No part of the vectors is idle, and nothing is added up across lanes. For processors with AVX-512 and its
// count of bits; where vectors have half that length nothing is gained.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "games/chessboard/board.hpp"
#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/move_counts.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// A set of squares of each of eight boards.
using EightSets = Squares __attribute__((vector_size(64)));

/// The lanes that are not 0, as bits.
inline unsigned lanes_of(EightSets sets) noexcept {
    const auto all = reinterpret_cast<__m512i>(sets);
    return _mm512_test_epi64_mask(all, all);
}

/// Men moved by `step` squares, where that does not go over the edge of the board.
template <int step>
inline EightSets moved(EightSets men) noexcept {
    constexpr int right = (step + 68) % 8 - 4;  // from -2 to 2 files
    constexpr Squares arrivals = right == 1    ? ~file_a
                                 : right == 2  ? ~(file_a | file_a << 1)
                                 : right == -1 ? ~file_h
                                 : right == -2 ? ~(file_h | file_h >> 1)
                                               : ~Squares{0};
    if constexpr (step > 0) return men << step & arrivals;
    return men >> -step & arrivals;
}

/// What sliders attack in one direction, the first man on the way included (attacks_up() in directions.hpp).
template <int step>
inline EightSets slides(EightSets sliders, EightSets empty) noexcept {
    const auto shifted = [](EightSets sets, int times) {
        return step > 0 ? sets << step * times : sets >> -step * times;
    };
    EightSets open = moved<step>(~EightSets{}) & empty;
    sliders |= open & shifted(sliders, 1);
    open &= shifted(open, 1);
    sliders |= open & shifted(sliders, 2);
    open &= shifted(open, 2);
    sliders |= open & shifted(sliders, 4);
    return moved<step>(sliders);
}

inline EightSets knight_attacks(EightSets knights) noexcept {
    return moved<6>(knights) | moved<10>(knights) | moved<15>(knights) | moved<17>(knights) | moved<-6>(knights) |
           moved<-10>(knights) | moved<-15>(knights) | moved<-17>(knights);
}

inline EightSets king_attacks(EightSets kings) noexcept {
    const EightSets beside = moved<1>(kings) | moved<-1>(kings);
    const EightSets three = kings | beside;
    return beside | three << 8 | three >> 8;
}

/// Numbers of squares, added up for each board.
class EightCounts {
  public:
    void add(EightSets sets) noexcept { counts_ += numbers(sets); }
    /// Adds the moves of pawns, which may become four kinds of men.
    void add_pawns(EightSets targets) noexcept { counts_ += numbers(targets) + 3 * numbers(targets & rank_8); }
    std::uint32_t of(std::size_t board) const noexcept { return static_cast<std::uint32_t>(counts_[board]); }

  private:
    static EightSets numbers(EightSets sets) noexcept {
        return reinterpret_cast<EightSets>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(sets)));
    }

    EightSets counts_{};
};

/// Eight positions, a lane for each (board.hpp).
struct EightBoards {
    EightSets pawns, knights, diagonal, straight, kings, own;
    EightSets castling, en_passant;

    EightSets occupied() const noexcept { return pawns | knights | diagonal | straight | kings; }

    /// The board of a lane, as far as its moves and its key depend on it: White is to move.
    Board board(std::size_t lane) const noexcept {
        return {pawns[lane],
                knights[lane],
                diagonal[lane],
                straight[lane],
                kings[lane],
                own[lane],
                static_cast<std::uint8_t>(castling[lane]),
                static_cast<std::uint8_t>(en_passant[lane])};
    }
    void set(std::size_t lane, const Board& b) noexcept {
        const auto mask = static_cast<__mmask8>(1u << lane);
        const auto put = [mask](EightSets& sets, Squares in_lane) {
            const auto all = reinterpret_cast<__m512i>(sets);
            sets = reinterpret_cast<EightSets>(_mm512_mask_set1_epi64(all, mask, static_cast<long long>(in_lane)));
        };
        put(pawns, b.pawns);
        put(knights, b.knights);
        put(diagonal, b.diagonal);
        put(straight, b.straight);
        put(kings, b.kings);
        put(own, b.own);
        put(castling, b.castling);
        put(en_passant, b.en_passant);
    }
};

/// What a slider attacks on one line, from a square that is the same on all boards: `up` to higher squares.
struct LineAttacks {
    EightSets up, down;
};
inline LineAttacks attacks_on_line(Squares line, Squares from, EightSets occupied) noexcept {
    const Squares above = line & ~((from << 1) - 1);
    const Squares below = line & (from - 1);
    const EightSets men_above = occupied & above;
    const EightSets up = (men_above ^ (men_above - (from << 1))) & above;
    const auto men_below = reinterpret_cast<__m512i>((occupied & below) | 1);
    const EightSets nearest =
        (EightSets{} + square_set(63)) >> reinterpret_cast<EightSets>(_mm512_lzcnt_epi64(men_below));
    return {up, below & ~(nearest - 1)};
}

/// The moves of the first so many boards. In all of them the king of the side to move stands on `king_square`.
inline void count_moves(const EightBoards& boards, int king_square, std::span<std::uint32_t> counts) noexcept {
    const auto& [pawns_of_both, knights_of_both, diagonal, straight, kings, own, castling, en_passant] = boards;
    const EightSets occupied = boards.occupied();
    const EightSets empty = ~occupied;
    const EightSets other = occupied & ~own;
    const Squares king = square_set(king_square);
    const Reach& reach = reach_of(king_square);

    EightSets attacked = knight_attacks(knights_of_both & other) | king_attacks(kings & other);
    const EightSets other_pawns = pawns_of_both & other;
    attacked |= moved<-7>(other_pawns) | moved<-9>(other_pawns);
    EightSets checkers = (reach.knight & knights_of_both & other) | (attacked_upwards(king) & other_pawns);

    // A slider and the king look at each other along an axis: where both looks arrive there is the man that is pinned
    // between them, or every square between them if the slider gives check.
    EightSets between{};
    const auto pinned_on = [&]<int step>(EightSets both_sliders, Squares line) {
        const EightSets sliders = both_sliders & other;
        const EightSets up = slides<step>(sliders, empty | king);
        const EightSets down = slides<-step>(sliders, empty | king);
        const auto [king_up, king_down] = attacks_on_line(line, king, occupied);
        const EightSets meeting = (up & king_down) | (down & king_up);
        attacked |= up | down;
        checkers |= (king_up | king_down) & sliders;
        between |= meeting & empty;
        return meeting & own;
    };
    const EightSets pinned_1 = pinned_on.template operator()<1>(straight, reach.straight & ~reach.file);
    const EightSets pinned_7 = pinned_on.template operator()<7>(diagonal, reach.falling);
    const EightSets pinned_8 = pinned_on.template operator()<8>(straight, reach.file);
    const EightSets pinned_9 = pinned_on.template operator()<9>(diagonal, reach.rising);
    const EightSets free = own & ~(pinned_1 | pinned_7 | pinned_8 | pinned_9);

    EightCounts count;
    count.add(reach.king & ~own & ~attacked);

    const auto no_check = reinterpret_cast<EightSets>(checkers == 0);
    const auto at_most_one = reinterpret_cast<EightSets>((checkers & (checkers - 1)) == 0);
    const EightSets allowed = (no_check | checkers | between) & ~own & at_most_one;

    const auto slide_moves = [&]<int step>(EightSets sliders, EightSets pinned) {
        sliders &= free | pinned;
        count.add(slides<step>(sliders, empty) & allowed);
        count.add(slides<-step>(sliders, empty) & allowed);
    };
    slide_moves.template operator()<1>(straight, pinned_1);
    slide_moves.template operator()<7>(diagonal, pinned_7);
    slide_moves.template operator()<8>(straight, pinned_8);
    slide_moves.template operator()<9>(diagonal, pinned_9);

    const EightSets knights = knights_of_both & free;
    count.add(moved<6>(knights) & allowed);
    count.add(moved<10>(knights) & allowed);
    count.add(moved<15>(knights) & allowed);
    count.add(moved<17>(knights) & allowed);
    count.add(moved<-6>(knights) & allowed);
    count.add(moved<-10>(knights) & allowed);
    count.add(moved<-15>(knights) & allowed);
    count.add(moved<-17>(knights) & allowed);

    const EightSets one_step = (pawns_of_both & (free | pinned_8)) << 8 & empty;
    count.add_pawns(moved<7>(pawns_of_both & (free | pinned_7)) & allowed & other);
    count.add_pawns(moved<9>(pawns_of_both & (free | pinned_9)) & allowed & other);
    count.add_pawns(one_step & allowed);
    count.add((one_step & rank_3) << 8 & empty & allowed);

    const EightSets special = castling | en_passant;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = count.of(i);
    if (lanes_of(special) == 0) return;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (special[i] == 0) continue;
        const Board b = boards.board(i);
        if (b.en_passant != 0 && at_most_one[i] != 0) {
            for_each_square(pass_capturers(b, b.en_passant),
                            [&](int from) { counts[i] += may_pass_capture(b, from, b.en_passant); });
        }
        if (checkers[i] == 0) counts[i] += count_castlings(b, occupied[i], attacked[i]);
    }
}

}  // namespace proofbase::chessboard
