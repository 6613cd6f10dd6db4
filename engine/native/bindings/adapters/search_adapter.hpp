// Searches of a game's own type behind the interface for Python. (Of a game behind virtual functions:
// virtual_records.cpp.)
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "bindings/adapters/usual_small_search.hpp"
#include "bindings/adapters/virtual_records.hpp"
#include "bindings/interfaces/any_game.hpp"
#include "search/api/make_search.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// A search of a native game's own type.
template <Game G>
class SearchAdapter final : public AnySearch {
  public:
    /// `known`: null for none.
    SearchAdapter(const VirtualGame& game, const G& own_game, const typename G::Position& position, int at_least,
                  const Algorithm& algorithm, MakeSearch<G> make, std::shared_ptr<VirtualRecords> known)
        : game_(game),
          own_game_(own_game),
          known_(std::move(known)),
          search_(make(request_for(own_game_, position, at_least, algorithm, own_table(known_.get())))) {}

    Search& search() override { return *search_; }
    const Search& search() const override { return *search_; }
    bool in_python() const override { return false; }

    std::shared_ptr<AnyRecordTable> solution(std::optional<std::uint32_t> small_search_nodes) override {
        auto solution = std::make_unique<VirtualRecordsOf<G>>(game_, own_game_);
        RecordTable<G>& table = solution->table();  // no other thread has the table yet: no lock
        {
            const nb::gil_scoped_release without_gil;
            search_->solution([&](const typename G::Key& key, const Claim& claim) { table.add(key, claim); },
                              small_search_nodes.value_or(usual_small_search_nodes<G>));
        }
        return record_table_of(std::move(solution));
    }

  private:
    static RecordTable<G>* own_table(VirtualRecords* records) {
        if (records == nullptr) return nullptr;
        return &dynamic_cast<VirtualRecordsOf<G>&>(*records).table();
    }

    VirtualGame game_;
    G own_game_;
    std::shared_ptr<VirtualRecords> known_;
    std::unique_ptr<GameSearch<G>> search_;
};

}  // namespace proofbase
