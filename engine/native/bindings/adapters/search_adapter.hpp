// A search of one game behind the interface for Python.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "bindings/adapters/record_table_adapter.hpp"
#include "bindings/adapters/without_gil.hpp"
#include "bindings/interfaces/any_game.hpp"
#include "games/python_game.hpp"
#include "search/names/make_search.hpp"

namespace proofbase {

template <Game G>
class SearchAdapter final : public AnyGameSearch {
  public:
    SearchAdapter(const G& game, const typename G::Position& position, int at_least, std::string_view algorithm,
                  std::shared_ptr<RecordTableAdapter<G>> known)
        : game_(game),
          known_(std::move(known)),
          search_(make_search(game_, position, at_least, algorithm, known_ ? &known_->table() : nullptr)) {}

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

}  // namespace proofbase
