// Which moves have won in other positions of a search, the recent ones counting more (history heuristic, Schaeffer
// 1989).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace proofbase {

class MoveHistory {
  public:
    /// A move, a bit, has won.
    void note(int move) {
        const auto place = static_cast<std::size_t>(move);
        if (place >= wins_.size()) wins_.resize(place + 1, 0);
        wins_[place] += weight_;
        weight_ *= growth;
        if (weight_ < largest) return;
        for (double& wins : wins_) wins /= weight_;
        weight_ = 1;
    }

    /// The moves of a set that have won most often, at most `count`, the most frequent one last.
    template <class Set>
    std::vector<int> most_frequent(const Set& moves) const {
        std::vector<std::pair<double, int>> known;
        moves.for_each([&](int move) {
            const auto place = static_cast<std::size_t>(move);
            if (place < wins_.size() && wins_[place] > 0) known.emplace_back(wins_[place], move);
        });
        std::ranges::sort(known);
        std::vector<int> list;
        for (std::size_t i = known.size() - std::min(known.size(), count); i < known.size(); ++i) {
            list.push_back(known[i].second);
        }
        return list;
    }

  private:
    static constexpr std::size_t count = 2;
    static constexpr double growth = 1.01;  ///< so a win counts half as much after 70 others
    static constexpr double largest = 1e100;

    std::vector<double> wins_;  ///< by move
    double weight_ = 1;         ///< of the next win
};

}  // namespace proofbase
