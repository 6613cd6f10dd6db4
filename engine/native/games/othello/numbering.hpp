// Numbers of the positions of Othello on small boards, for tables (docs/tables.md).
//
// The sets of taken squares with n discs that are the smallest of their images under the symmetries of the board have
// the numbers 0, 1, ... in ascending order. A position is turned such that its taken squares are such a set, and among
// these images it is the one whose own discs are the smallest set. With t the number of the set of taken squares, and
// s the own discs as a subset of it (bit k: the k-th of the taken squares), the position has the number t * 2^n + s.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/boards/bit_subsets.hpp"
#include "games/othello/board.hpp"

namespace proofbase::othello {

class Numbering {
  public:
    static constexpr int most_squares = 24;  ///< of a board with tables
    static constexpr int first_discs = 4;    ///< at the beginning

    /// Precondition: the board has most_squares or fewer.
    explicit Numbering(const Board& board) : board_(board), free_(board.all() & ~board.middle()) {
        const Squares sets = Squares{1} << count(free_);
        numbers_.assign(sets, unknown);
        for (Squares set = 0; set < sets; ++set) {
            if (numbers_[set] != unknown) continue;  // an image of a smaller one
            const Squares taken = expand(set, free_) | board.middle();
            std::vector<Squares>& smallest = sets_[static_cast<std::size_t>(count(taken))];
            board.for_each_image(taken, taken, [&](Squares image, Squares) {
                numbers_[compress(image, free_)] = static_cast<std::uint32_t>(smallest.size());
            });
            smallest.push_back(taken);
        }
    }

    /// That of a board, made when it is first asked for. Precondition: as above.
    static const Numbering& of(const Board& board) {
        if (board.size() == 16) {
            static const Numbering square(board);
            return square;
        }
        if (board.width() == 4) {
            static const Numbering high(board);
            return high;
        }
        static const Numbering wide(board);
        return wide;
    }

    /// How many numbers there are for positions with so many discs.
    std::uint64_t numbers(std::uint32_t discs) const noexcept { return std::uint64_t{sets_[discs].size()} << discs; }

    std::uint64_t number(Squares own, Squares taken) const noexcept {
        const int discs = count(taken);
        const std::uint32_t set = numbers_[compress(taken, free_)];
        const Squares smallest_taken = sets_[static_cast<std::size_t>(discs)][set];
        Squares smallest_own = ~Squares{0};
        board_.for_each_image(own, taken, [&](Squares own_image, Squares taken_image) {
            if (taken_image == smallest_taken && own_image < smallest_own) smallest_own = own_image;
        });
        return std::uint64_t{set} << discs | compress(smallest_own, smallest_taken);
    }

    struct Discs {
        Squares own;
        Squares other;
    };

    /// The discs with a number, which another number may have as well.
    Discs discs(std::uint32_t discs, std::uint64_t number) const noexcept {
        const Squares taken = sets_[discs][number >> discs];
        const Squares own = expand(number & ((Squares{1} << discs) - 1), taken);
        return {own, taken ^ own};
    }

  private:
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    Board board_;
    Squares free_;                                             // squares that can be empty
    std::vector<std::uint32_t> numbers_;                       // by the set of taken squares among them
    std::array<std::vector<Squares>, most_squares + 1> sets_;  // by discs
};

}  // namespace proofbase::othello
