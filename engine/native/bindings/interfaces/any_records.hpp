// The interface of a record table for Python, the same for all games.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace proofbase {

namespace nb = nanobind;

/// The result of a check, as Python receives it.
struct Report {
    std::size_t checked = 0;
    std::size_t failed = 0;  ///< records with at least one finding
    nb::list findings;       ///< of proofbase.engine.checking.local_check.Finding
};

/// Ends native calls that were given it: from any thread, at any time.
class StopFlag {
  public:
    void set() noexcept { stopped_.store(true, std::memory_order_relaxed); }
    bool is_set() const noexcept { return stopped_.load(std::memory_order_relaxed); }
    const std::atomic<bool>& flag() const noexcept { return stopped_; }

  private:
    std::atomic<bool> stopped_ = false;
};

/// An iterator over lists of (key, record).
class AnyChunks {
  public:
    virtual ~AnyChunks() = default;
    virtual nb::list next() = 0;  ///< empty at the end
};

class AnyTables;

/// A record table; the methods are documented in register_records.cpp.
class AnyRecordTable {
  public:
    virtual ~AnyRecordTable() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual std::size_t load(nb::iterable items, nb::object faults) = 0;
    virtual bool put(nb::bytes key, nb::bytes record) = 0;
    virtual nb::object get(nb::bytes key) const = 0;
    virtual std::size_t remove(nb::iterable keys) = 0;
    virtual std::unique_ptr<AnyChunks> chunks(std::size_t size, bool well_founded, const StopFlag* stop) const = 0;
    virtual Report check(nb::object keys, bool zones) const = 0;
    virtual Report check_with(const AnyRecordTable* stored, nb::object keys, std::size_t threads,
                              const StopFlag* stop) const = 0;
    virtual nb::list missing(nb::object keys) const = 0;
    virtual nb::list below(nb::bytes root) const = 0;
    virtual nb::list dependents(nb::iterable keys) const = 0;
    virtual std::shared_ptr<AnyRecordTable> trimmed(nb::bytes root, std::optional<std::uint32_t> small_search_nodes,
                                                    double strategy_seconds, const StopFlag* stop) const = 0;
    virtual nb::object by_pairing(nb::bytes key, int at_least) const = 0;
    virtual nb::tuple answers(nb::object keys, bool any_orientation) const = 0;
    virtual void attach(std::shared_ptr<AnyTables> tables) = 0;
};

}  // namespace proofbase
