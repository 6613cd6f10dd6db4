// A record table of one game behind the interface for Python.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/adapters/record_chunks.hpp"
#include "bindings/adapters/usual_small_search.hpp"
#include "bindings/adapters/without_gil.hpp"
#include "bindings/conversion/findings.hpp"
#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_records.hpp"
#include "bindings/interfaces/any_tables.hpp"
#include "in_threads.hpp"
#include "records/answers.hpp"
#include "records/check/local_check.hpp"
#include "records/evidence/pairing/pairing_claims.hpp"
#include "records/known_records.hpp"
#include "records/solution/record_graph.hpp"
#include "records/solution/strategy_solution.hpp"
#include "records/solution/trimmed_records.hpp"
#include "search/api/search.hpp"
#include "virtual_game/records.hpp"

namespace proofbase {

template <Game G>
class RecordTableAdapter final : public AnyRecordTable {
  public:
    using Key = typename G::Key;
    using Keys = typename KnownRecords<G>::Keys;

    explicit RecordTableAdapter(std::unique_ptr<KnownRecords<G>> table) : owned_(std::move(table)), table_(*owned_) {}

    KnownRecords<G>& table() noexcept { return table_; }

    std::size_t size() const override {
        const std::shared_lock lock(table_.mutex());
        return table_.size();
    }

    std::size_t bytes() const override {
        const std::shared_lock lock(table_.mutex());
        return table_.bytes();
    }

    /// Decodes a batch of items before it merges them, so that the cache misses overlap.
    std::size_t load(nb::iterable items, nb::object faults) override {
        constexpr std::size_t batch = 64;
        std::vector<LoadedRecord> loaded(batch);
        std::size_t count = 0;
        std::size_t taken = 0;
        const auto merge_some = [&] {
            const std::size_t some = std::exchange(count, 0);
            taken += merge(std::span(loaded.data(), some), faults).taken;
        };
        try {
            for (nb::handle item : items) {
                if (read(item, loaded[count], faults) && ++count == batch) merge_some();
            }
        } catch (...) {
            merge_some();  // the items before the bad one
            throw;
        }
        merge_some();
        return taken;
    }

    bool put(nb::bytes key, nb::bytes record) override {
        LoadedRecord loaded;
        read(nb::make_tuple(key, record), loaded, nb::none());
        return merge(std::span(&loaded, 1), nb::none()).changed > 0;
    }

    nb::object get(nb::bytes bytes) const override {
        const Key key = to_key(table_.game(), view(bytes));
        Claims claims;
        {
            const std::shared_lock lock(table_.mutex());
            table_.claims(key, table_.hash(key), claims);
        }
        if (claims.empty()) return nb::none();
        const std::string record = encode_claims(claims);
        return nb::bytes(record.data(), record.size());
    }

    nb::object by_pairing(nb::bytes bytes, int at_least) const override {
        const Key key = to_key(table_.game(), view(bytes));
        std::optional<Claim> claim;
        {
            [[maybe_unused]] const WithoutGil<G> without_gil{};
            const std::optional<typename G::Position> position = table_.game().position(key);
            PairingClaims<G> pairings(table_.game(), steps_of_one_pairing);
            if (position && !table_.game().terminal(*position)) {
                claim = at_least > 0 ? pairings.upper(*position, at_least - 1, largest_number)
                                     : pairings.lower(*position, at_least);
            }
        }
        if (!claim) return nb::none();
        const std::string record = encode_claims({*claim});
        return nb::bytes(record.data(), record.size());
    }

    std::size_t remove(nb::iterable keys) override {
        const Keys doomed = read_keys(keys);
        const std::scoped_lock lock(table_.mutex());
        std::size_t removed = 0;
        for (std::size_t i = 0; i < doomed.size(); ++i) removed += table_.remove(doomed[i]);
        return removed;
    }

    std::unique_ptr<AnyChunks> chunks(std::size_t size, bool well_founded, const StopFlag* stop) const override {
        if (well_founded) return std::make_unique<ClaimChunks<G>>(table_, size, stop);
        return std::make_unique<RecordChunks<G>>(table_, size, stop);
    }

    void attach(std::shared_ptr<AnyTables> tables) override {
        if constexpr (std::is_same_v<G, VirtualGame>) {
            const auto attachable = std::dynamic_pointer_cast<AttachableTables>(tables);
            const std::scoped_lock lock(table_.mutex());
            if (attachable && table_.attach(*attachable)) return;
        }
        throw nb::value_error("the tables are of another game");
    }

    Report check(nb::object given, bool zones) const override {
        constexpr std::size_t slice = 256;  // a millisecond, or a second of threat trees
        std::vector<Finding> findings;
        Keys keys = read_keys(given);
        {
            [[maybe_unused]] const WithoutGil<G> without_gil{};
            std::shared_lock lock(table_.mutex());
            const bool all = given.is_none();
            if (all) keys = table_.keys();
            LocalCheck<G> check(table_, zones);
            std::vector<Key> some;
            for (std::size_t start = 0; start < keys.size(); start += slice) {
                const std::size_t end = std::min(start + slice, keys.size());
                some.clear();
                for (std::size_t i = start; i < end; ++i) some.push_back(keys[i]);
                check.check(some, findings);
                table_.mutex().yield_to_writers();
            }
            // A record that a writer removed during the check is no longer part of the table.
            if (all) std::erase_if(findings, [](const Finding& finding) { return finding.rule == "missing"; });
            std::stable_sort(findings.begin(), findings.end(),
                             [](const Finding& a, const Finding& b) { return a.key < b.key; });
        }
        return to_report(keys.size(), findings);
    }

    Report check_with(const AnyRecordTable* stored, nb::object given, std::size_t threads,
                      const StopFlag* stop) const override {
        const auto* const beside = dynamic_cast<const RecordTableAdapter*>(stored);
        if (stored != nullptr && (beside == nullptr || beside->table_.game().name() != table_.game().name())) {
            throw nb::value_error("the stored records are of another game");
        }
        if (threads == 0 || std::is_same_v<G, PythonGame>) threads = 1;  // that game holds the GIL
        Keys keys = read_keys(given);
        std::vector<Finding> findings;
        {
            [[maybe_unused]] const WithoutGil<G> without_gil{};
            if (given.is_none()) {
                const std::shared_lock lock(table_.mutex());
                keys = table_.keys();
                keys.sort();  // neighbours have parts of their small searches in common
            }
            // 64 take a millisecond by small searches; of few records each may be a large tree.
            const std::size_t slice = std::clamp<std::size_t>(keys.size() / (8 * threads), 4, 64);
            std::atomic<std::size_t> next = 0;
            std::mutex adding;
            in_threads(static_cast<unsigned>(std::clamp<std::size_t>(keys.size() / (2 * slice), 1, threads)),
                       [&](unsigned) {
                           std::shared_lock lock(table_.mutex());
                           std::shared_lock<FairSharedMutex> lock_stored;
                           if (beside != nullptr) lock_stored = std::shared_lock(beside->table_.mutex());
                           LocalCheck<G> check(table_, false, beside == nullptr ? nullptr : &beside->table_);
                           std::vector<Finding> of_thread;
                           std::vector<Key> some;
                           for (std::size_t start; (start = next.fetch_add(slice)) < keys.size();) {
                               if (stop != nullptr && stop->is_set()) throw Cancelled();
                               some.clear();
                               for (std::size_t i = start; i < std::min(start + slice, keys.size()); ++i)
                                   some.push_back(keys[i]);
                               check.check(some, of_thread);
                               if (beside != nullptr) beside->table_.mutex().yield_to_writers();
                           }
                           const std::lock_guard guard(adding);
                           findings.insert(findings.end(), of_thread.begin(), of_thread.end());
                       });
            std::stable_sort(findings.begin(), findings.end(),
                             [](const Finding& a, const Finding& b) { return a.key < b.key; });
        }
        return to_report(keys.size(), findings);
    }

    nb::list missing(nb::object given) const override {
        return collect_keys(
            [&](Keys keys) {
                if (given.is_none()) keys = table_.keys();
                return missing_children<G>(table_, keys);
            },
            read_keys(given));
    }

    nb::list below(nb::bytes root) const override {
        return collect_keys([&](const Key& key) { return records_below<G>(table_, key); },
                            to_key(table_.game(), view(root)));
    }

    nb::list dependents(nb::iterable removed) const override {
        return collect_keys([&](const Keys& keys) { return proofbase::dependents<G>(table_, keys); },
                            read_keys(removed));
    }

    std::shared_ptr<AnyRecordTable> trimmed(nb::bytes root, std::optional<std::uint32_t> small_search_nodes,
                                            double strategy_seconds, const StopFlag* stop) const override {
        const Key key = to_key(table_.game(), view(root));
        auto out = std::make_shared<RecordTableAdapter<G>>(table_.empty_table());
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        const std::shared_lock lock(table_.mutex());
        const auto check_stop = [stop] {
            if (stop != nullptr && stop->is_set()) throw Cancelled();
        };
        const std::uint32_t nodes = small_search_nodes.value_or(usual_small_search_nodes<G>);
        TrimmedRecords<G>(table_, nodes, check_stop).collect(key, out->table());
        const auto with_strategies = table_.empty_table();
        if (strategy_seconds <= 0 ||
            !collect_with_strategies<G>(out->table(), key, strategy_seconds, check_stop, *with_strategies)) {
            return out;
        }
        auto trimmed = std::make_shared<RecordTableAdapter<G>>(table_.empty_table());
        TrimmedRecords<G>(*with_strategies, 0, check_stop).collect(key, trimmed->table());
        return trimmed;
    }

    nb::tuple answers(nb::object given, bool any_orientation) const override {
        constexpr std::size_t slice = 1024;
        const GivenKeys keys = read_given(given);
        std::string states(keys.count, '\0');
        std::string columns[4];
        {
            [[maybe_unused]] const WithoutGil<G> without_gil{};
            for (std::string& column : columns) column.resize(4 * keys.count);
            std::vector<Answer> answers(slice);
            const std::shared_lock lock(table_.mutex());
            for (std::size_t start = 0; start < keys.count; start += slice) {
                const std::size_t count = std::min(slice, keys.count - start);
                const auto key_of = [&](std::size_t i) { return keys.key(table_.game(), start + i); };
                answer<G>(table_, key_of, any_orientation, std::span(answers.data(), count));
                for (std::size_t i = 0; i < count; ++i) {
                    states[start + i] = static_cast<char>(answers[i].state);
                    put_number(columns[0], start + i, static_cast<std::uint32_t>(answers[i].lower));
                    put_number(columns[1], start + i, static_cast<std::uint32_t>(answers[i].upper));
                    put_number(columns[2], start + i, answers[i].lower_rank);
                    put_number(columns[3], start + i, answers[i].upper_rank);
                }
            }
        }
        const auto bytes = [](const std::string& text) { return nb::bytes(text.data(), text.size()); };
        return nb::make_tuple(bytes(states), bytes(columns[0]), bytes(columns[1]), bytes(columns[2]),
                              bytes(columns[3]));
    }

  private:
    struct LoadedRecord {
        Key key{};
        std::uint64_t hash = 0;
        Claims claims;
    };

    /// Little-endian on every machine.
    static void put_number(std::string& column, std::size_t index, std::uint32_t number) {
        if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap32(number);
        std::memcpy(column.data() + 4 * index, &number, sizeof(number));
    }

    std::string message_prefix(const Key& key) const {
        return table_.game().name() + " key " + hex(written(table_.game(), key)) + ": ";
    }

    /// False if the item is malformed and was appended to `faults`. Throws if `faults` is None.
    bool read(nb::handle item, LoadedRecord& out, nb::handle faults) const {
        if (!nb::isinstance<nb::tuple>(item) || nb::len(item) != 2 ||
            !nb::isinstance<nb::bytes>(nb::borrow<nb::tuple>(item)[0]) ||
            !nb::isinstance<nb::bytes>(nb::borrow<nb::tuple>(item)[1])) {
            throw nb::type_error("an item is a tuple of two bytes objects, a key and a record");
        }
        const auto pair = nb::borrow<nb::tuple>(item);
        const nb::bytes key = nb::borrow<nb::bytes>(pair[0]);
        const nb::bytes record = nb::borrow<nb::bytes>(pair[1]);
        try {
            out.key = to_key(table_.game(), view(key));
            out.hash = table_.hash(out.key);
            table_.prefetch(out.hash);
            decode_claims(view(record), out.claims);
            return true;
        } catch (const InvalidKey& error) {
            if (faults.is_none()) throw;
            append_fault(faults, view(key), "malformed", error.what());
        } catch (const MalformedRecord& error) {
            if (faults.is_none()) throw MalformedRecord(message_prefix(out.key) + error.what());
            append_fault(faults, view(key), "malformed", error.what());
        }
        return false;
    }

    struct Merged {
        std::size_t taken = 0;
        std::size_t changed = 0;  ///< records added or improved
    };

    Merged merge(std::span<const LoadedRecord> items, nb::handle faults) {
        Merged merged;
        std::vector<std::pair<const LoadedRecord*, std::string>> refused;
        {
            const std::scoped_lock lock(table_.mutex());
            for (const LoadedRecord& item : items) {
                try {
                    merged.changed += table_.merge(item.key, item.hash, item.claims);
                    ++merged.taken;
                } catch (const Contradiction& error) {
                    if (faults.is_none()) throw Contradiction(message_prefix(item.key) + error.what());
                    refused.emplace_back(&item, error.what());
                } catch (const MalformedRecord& error) {
                    if (faults.is_none()) throw MalformedRecord(message_prefix(item.key) + error.what());
                    refused.emplace_back(&item, error.what());
                }
            }
        }
        for (const auto& [item, what] : refused) {
            append_fault(faults, written(table_.game(), item->key), "contradiction", what.c_str());
        }
        return merged;
    }

    /// None gives no keys.
    Keys read_keys(nb::handle given) const {
        Keys keys = table_.empty_list();
        if (given.is_none()) return keys;
        for (nb::handle key : given) {
            if (!nb::isinstance<nb::bytes>(key)) throw nb::type_error("a key is a bytes object");
            keys.push_back(to_key(table_.game(), view(nb::borrow<nb::bytes>(key))));
        }
        return keys;
    }

    /// Keys of a list, or keys one after the other in bytes, which live as long as the Python object.
    struct GivenKeys {
        std::size_t count = 0;
        std::vector<std::optional<Key>> listed;
        std::string_view packed;

        /// Nothing if the bytes are no key.
        std::optional<Key> key(const G& game, std::size_t i) const {
            if (packed.empty()) return listed[i];
            return key_of_bytes(game, packed.substr(i * game.key_size(), game.key_size()));
        }
    };

    GivenKeys read_given(nb::handle given) const {
        const G& game = table_.game();
        const std::size_t size = game.key_size();
        GivenKeys keys;
        if (!nb::isinstance<nb::bytes>(given)) {
            for (nb::handle item : given) {
                if (!nb::isinstance<nb::bytes>(item)) throw nb::type_error("a key is a bytes object");
                keys.listed.push_back(key_of_bytes(game, view(nb::borrow<nb::bytes>(item))));
            }
            keys.count = keys.listed.size();
            return keys;
        }
        keys.packed = view(nb::borrow<nb::bytes>(given));
        if (size == 0) throw nb::value_error((game.name() + ": keys vary in length: give a list of keys").c_str());
        if (keys.packed.size() % size != 0) {
            throw nb::value_error((std::to_string(keys.packed.size()) + " bytes are not a whole number of " +
                                   game.name() + " keys of " + std::to_string(size) + " bytes")
                                      .c_str());
        }
        keys.count = keys.packed.size() / size;
        return keys;
    }

    /// Calls `question(argument)` while the table is locked for reading, and returns the resulting keys to Python.
    template <class Question, class Argument>
    nb::list collect_keys(Question&& question, Argument&& argument) const {
        Keys keys = table_.empty_list();
        {
            [[maybe_unused]] const WithoutGil<G> without_gil{};
            const std::shared_lock lock(table_.mutex());
            keys = question(std::forward<Argument>(argument));
        }
        nb::list out;
        for (std::size_t i = 0; i < keys.size(); ++i) out.append(to_bytes(table_.game(), keys[i]));
        return out;
    }

    std::unique_ptr<KnownRecords<G>> owned_;
    KnownRecords<G>& table_;
};

/// The known records that a search of the game is given; null for none. Throws nb::value_error if they are of another
/// game.
template <Game G>
std::shared_ptr<KnownRecords<G>> known_records(const G& game, const std::shared_ptr<AnyRecordTable>& known) {
    if (!known) return nullptr;
    const auto adapter = std::dynamic_pointer_cast<RecordTableAdapter<G>>(known);
    if (!adapter || adapter->table().game().name() != game.name()) {
        throw nb::value_error("the known records are of another game");
    }
    return {adapter, &adapter->table()};
}

}  // namespace proofbase
