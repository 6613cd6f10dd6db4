// Searches of one game behind the interface for Python.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "bindings/adapters/record_table_adapter.hpp"
#include "bindings/adapters/without_gil.hpp"
#include "bindings/interfaces/any_game.hpp"
#include "games/python_game.hpp"
#include "search/names/make_search.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// A search of the game's own type.
template <Game G>
class SearchAdapter final : public AnyGameSearch {
  public:
    SearchAdapter(const G& game, const typename G::Position& position, int at_least, const Algorithm& algorithm,
                  MakeSearch<G> make, std::shared_ptr<RecordTableAdapter<G>> known)
        : game_(game),
          known_(std::move(known)),
          search_(make(request_for(game_, position, at_least, algorithm, known_ ? &known_->table() : nullptr))) {}

    AnySearch& search() override { return *search_; }
    const AnySearch& search() const override { return *search_; }
    bool in_python() const override { return std::is_same_v<G, PythonGame>; }

    std::shared_ptr<AnyRecordTable> solution(std::optional<std::uint32_t> small_search_nodes) override {
        auto solution = std::make_shared<RecordTableAdapter<G>>(game_);
        RecordTable<G>& table = solution->table();  // no other thread has the table yet: no lock
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        search_->solution([&](const typename G::Key& key, const Claim& claim) { table.add(key, claim); },
                          small_search_nodes.value_or(usual_small_search_nodes<G>));
        return solution;
    }

  private:
    G game_;
    std::shared_ptr<RecordTableAdapter<G>> known_;
    std::unique_ptr<SearchOf<G>> search_;
};

/// A search behind virtual functions, of a game whose records have the type `R`.
template <Game R>
class VirtualSearchAdapter final : public AnyGameSearch {
  public:
    VirtualSearchAdapter(const VirtualGame& game, R record_game, const VirtualGame::Position& position, int at_least,
                         const Algorithm& algorithm, std::shared_ptr<RecordTableAdapter<R>> known)
        : game_(game),
          record_game_(std::move(record_game)),
          known_(std::move(known)),
          search_(
              make_of<VirtualGame>(algorithm.family())(request_for(game_, position, at_least, algorithm, records()))) {}

    AnySearch& search() override { return *search_; }
    const AnySearch& search() const override { return *search_; }
    bool in_python() const override { return false; }

    std::shared_ptr<AnyRecordTable> solution(std::optional<std::uint32_t> small_search_nodes) override {
        auto solution = std::make_shared<RecordTableAdapter<R>>(record_game_);
        RecordTable<R>& table = solution->table();  // no other thread has the table yet: no lock
        const nb::gil_scoped_release without_gil;
        const auto sink = [&](const VirtualKey& key, const Claim& claim) {
            typename R::Key own{};
            from_virtual_key(key, own);
            table.add(own, claim);
        };
        search_->solution(sink, small_search_nodes.value_or(usual_small_search_nodes<R>));
        return solution;
    }

  private:
    const VirtualRecords* records() {
        if (known_) records_.emplace(known_->table());
        return records_ ? &*records_ : nullptr;
    }

    VirtualGame game_;
    R record_game_;
    std::shared_ptr<RecordTableAdapter<R>> known_;
    std::optional<VirtualRecordsOf<R>> records_;
    std::unique_ptr<SearchOf<VirtualGame>> search_;
};

}  // namespace proofbase
