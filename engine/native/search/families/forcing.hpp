// Family `threats` of games that limit a side to forcing moves (HasForcingMoves): `pn-dag+threats` over the limited
// game. A win there is one of the game itself, with the same records; that there is none says nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "errors.hpp"
#include "search/api/families.hpp"

namespace proofbase {

/// Passes everything on to the search of the limited game, but for its answers.
template <Game G>
class ForcingSearch final : public GameSearch<G> {
  public:
    using Sink = typename GameSearch<G>::Sink;

    /// `answer`: the only one that counts.
    ForcingSearch(std::unique_ptr<GameSearch<G>> search, Status answer, std::string algorithm)
        : search_(std::move(search)), answer_(answer), algorithm_(std::move(algorithm)) {}

    std::string algorithm() const override { return algorithm_; }
    void cancel() noexcept override { search_->cancel(); }
    Progress progress() const override { return search_->progress(); }
    Outcome outcome() const override { return judged(search_->outcome()); }
    Outcome run(const Budget& budget) override { return judged(search_->run(budget)); }
    std::string checkpoint() override { return search_->checkpoint(); }
    void restore(std::string_view chunks) override { search_->restore(chunks); }
    bool take_table(Search&) override { return false; }

    /// No small searches: they count positions of the limited game.
    void solution(const Sink& sink, std::uint32_t) override {
        if (outcome().status != Status::unknown) search_->solution(sink, 0);
    }

  private:
    Outcome judged(const Outcome& outcome) const {
        if (outcome.status == Status::unknown || outcome.status == answer_) return outcome;
        return {Status::unknown, StopReason::exhausted};
    }

    std::unique_ptr<GameSearch<G>> search_;
    Status answer_;
    std::string algorithm_;
};

/// The attacker is the side to move for questions above 0, otherwise the other side: then the search can show that the
/// bound is not reached.
template <Game G>
std::unique_ptr<GameSearch<G>> make_forcing(const SearchRequest<G>& request) {
    if constexpr (requires { request.game.forcing_moves_of(0); }) {
        const bool mover = request.at_least > 0;
        const int side = request.game.side(request.position);
        const std::optional<G> limited = request.game.forcing_moves_of(mover ? side : 1 - side);
        if (!limited) throw std::logic_error("`threats` is offered to games with forcing moves only");
        if (request.algorithm.number("threads-N") > 1) {
            throw UnsuitableAlgorithm(request.game.name() + " is searched by `threats` with one thread");
        }
        const Algorithm algorithm = read_algorithm("pn-dag+threats", features_of(*limited));
        // What the rules settle has either answer.
        const int limit = value_limit(request.game, request.position);
        const bool settled =
            request.game.terminal(request.position) || request.at_least > limit || request.at_least <= -limit;
        if (settled)
            return make_dag(SearchRequest<G>{request.game, request.position, request.at_least, request.records,
                                             algorithm, request.order});
        const auto position = limited->parse(request.game.text(request.position));
        return std::make_unique<ForcingSearch<G>>(
            make_dag(SearchRequest<G>{*limited, position, request.at_least, request.records, algorithm, request.order}),
            mover ? Status::proved : Status::disproved, request.algorithm.text());
    } else {
        throw std::logic_error("`threats` is offered to games with forcing moves only");
    }
}

}  // namespace proofbase
