// What every search offers, whatever its game and algorithm: run within a budget, report, cancel, checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

/// Thrown within a search, and out of solution(), where cancel() ends what is under way.
struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("the search was cancelled") {}
};

/// Limits of one call of run(); what is absent is unlimited.
struct Budget {
    std::optional<std::uint64_t> nodes;   ///< nodes created by the search since it began
    std::optional<double> seconds;        ///< of this call
    std::optional<std::uint64_t> memory;  ///< bytes that the search holds
};

enum class Status { unknown, proved, disproved };
/// Why a search stopped without an answer. `none`: it has an answer. `repetition`: the answer that was found rests on a
/// repetition that is none on another path. `exhausted`: the algorithm has tried all that it knows to try.
enum class StopReason { none, nodes, seconds, memory, cancelled, repetition, exhausted };

struct Outcome {
    Status status = Status::unknown;
    StopReason reason = StopReason::none;  ///< why the status is unknown
};

/// Totals since the search began (a restored search counts what its checkpoint holds as well).
struct Progress {
    std::uint64_t nodes = 0;        ///< nodes created
    std::uint64_t expansions = 0;   ///< nodes whose children were generated
    std::uint64_t updates = 0;      ///< how often the numbers of a node were taken from those of its children
    double seconds = 0;             ///< spent in run()
    std::uint32_t proof = 1;        ///< of the root
    std::uint32_t disproof = 1;     ///< of the root
    std::uint64_t memory = 0;       ///< bytes
    std::uint64_t node_memory = 0;  ///< bytes of `memory` that hold nodes: not edges, not the index
    /// The most nodes that were held at one time ("max tree" in Allis 1994). Absent where a search keeps a table.
    std::optional<std::uint64_t> peak_nodes;
    std::vector<std::uint32_t> best_line;  ///< the first moves from the root to the most-proving node
    std::uint64_t best_line_moves = 0;     ///< all of these moves, those beyond `max_line` included
    std::uint64_t replies_proved = 0;      ///< of the replies to the root, where they are proved one after the other
    std::uint64_t replies = 0;             ///< in all; 0 where they are not
    std::uint64_t traversed = 0;           ///< steps down to most-proving nodes, since the search was made

    static constexpr std::size_t max_line = 1000;  ///< moves of `best_line`: a line may have millions

    double nodes_per_second() const noexcept { return seconds > 0 ? static_cast<double>(nodes) / seconds : 0; }
};

/// One search for the answer to one question: "is the value of the position at least v for its side to move?"
class Search {
  public:
    virtual ~Search() = default;

    /// Searches until the question is settled, the budget is used up or cancel() is called; may be called again.
    /// One thread at a time; std::logic_error if another call is under way.
    virtual Outcome run(const Budget& budget) = 0;

    /// Ends the run under way, or the next one at once; a solution under way, a restore under way and one that is still
    /// to come throw Cancelled. From any thread.
    virtual void cancel() noexcept = 0;

    /// From any thread; refreshed about four times a second.
    virtual Progress progress() const = 0;

    /// Not while run() is under way.
    virtual Outcome outcome() const = 0;

    /// Asks what leads to the value of the position, whatever the question of this search is, until the value is known
    /// or the budget is used up. Its nodes are those of run() as well. value_bounds() then says what is known. Most
    /// searches do nothing. As run() otherwise.
    virtual void find_value(const Budget& budget) { static_cast<void>(budget); }

    /// What is known of the position's value; nothing for searches that find the answer only. Not while run() is under
    /// way.
    virtual std::optional<ValueBounds> value_bounds() const { return std::nullopt; }

    /// The chunk for the work since the last call; all chunks, joined, are the checkpoint. Not while run() is under
    /// way.
    virtual std::string checkpoint() = 0;

    /// Continues an earlier search: `chunks` are all results of its checkpoint(), joined. Only before the first run().
    /// Throws InvalidCheckpoint if the chunks are not of this search.
    virtual void restore(std::string_view chunks) = 0;

    /// Whether there is a table of what is true of positions, which a later search may take over.
    virtual bool has_table() const { return false; }

    /// Takes over the table of an earlier search of any position of the same game, which then has none. Only before the
    /// first run(), and not while a call of the other one is under way. False if that cannot be: then nothing changes.
    virtual bool take_table(Search& earlier) = 0;

    /// The algorithm with all its policies, e.g. "pn-dag+effort".
    virtual std::string algorithm() const = 0;
};

}  // namespace proofbase
