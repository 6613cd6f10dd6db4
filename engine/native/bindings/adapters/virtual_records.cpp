#include "bindings/adapters/virtual_records.hpp"

#include <utility>

#include "bindings/adapters/record_table_adapter.hpp"
#include "search/api/make_search.hpp"

namespace proofbase {

namespace {

class VirtualSearchAdapter final : public AnySearch {
  public:
    VirtualSearchAdapter(const VirtualGame& game, const VirtualGame::Position& position, int at_least,
                         const Algorithm& algorithm, std::shared_ptr<VirtualRecords> known,
                         std::unique_ptr<VirtualRecords> solution)
        : game_(game),
          known_(std::move(known)),
          empty_(std::move(solution)),
          search_(make_of<VirtualGame>(algorithm)(request_for(game_, position, at_least, algorithm, known_.get()))) {}

    Search& search() override { return *search_; }
    const Search& search() const override { return *search_; }
    bool in_python() const override { return false; }

    std::shared_ptr<AnyRecordTable> solution(std::optional<std::uint32_t> small_search_nodes) override {
        auto solution = empty_->empty_table();  // no other thread has the table yet: no lock
        {
            const nb::gil_scoped_release without_gil;
            search_->solution([&](const VirtualKey& key, const Claim& claim) { solution->add(key, claim); },
                              small_search_nodes.value_or(usual_small_search_nodes<VirtualGame>));
        }
        return record_table_of(std::move(solution));
    }

  private:
    VirtualGame game_;
    std::shared_ptr<VirtualRecords> known_;
    std::unique_ptr<VirtualRecords> empty_;
    std::unique_ptr<GameSearch<VirtualGame>> search_;
};

}  // namespace

std::unique_ptr<VirtualRecords> new_virtual_records(const VirtualGame& game) {
    return records_with_filter(game, game);
}

std::shared_ptr<AnyRecordTable> record_table_of(std::unique_ptr<VirtualRecords> records) {
    return std::make_shared<RecordTableAdapter<VirtualGame>>(std::move(records));
}

std::shared_ptr<VirtualRecords> records_of(const VirtualGame& game, const std::shared_ptr<AnyRecordTable>& table) {
    return known_records(game, table);
}

std::unique_ptr<AnySearch> new_virtual_search(const VirtualGame& game, const VirtualGame::Position& position,
                                              int at_least, const Algorithm& algorithm,
                                              std::shared_ptr<VirtualRecords> known,
                                              std::unique_ptr<VirtualRecords> solution) {
    return std::make_unique<VirtualSearchAdapter>(game, position, at_least, algorithm, std::move(known),
                                                  std::move(solution));
}

}  // namespace proofbase
