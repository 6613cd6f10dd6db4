// The search `threats`: relevance zones of threat trees cut the defender's replies, moves without a threat are searched
// by df-pn (threats/quiet/quiet_search.hpp), positions with few stones by growing effort
// (threats/openings/opening_search.hpp). It proves wins; a position that is not won stays open however large the budget
// is.
//
// Nodes are the positions that its searches by threats look at. Several threads search the same position
// (QuietSearch::help).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search_request.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/run/resumable_thread.hpp"
#include "search/run/search_run.hpp"
#include "search/threats/threat_checkpoint.hpp"
#include "search/threats/threat_claims.hpp"
#include "threats/openings/opening_search.hpp"
#include "threats/quiet/quiet_search.hpp"
#include "threats/quiet/threat_records.hpp"

namespace proofbase {

/// The attacker is the side to move for questions above 0, otherwise the other side: then the search can show that the
/// bound is not reached.
template <QuietThreatGame G, class Attack>
class ThreatSearch final : public SearchRun<G> {
    using Run = SearchRun<G>;
    using Stones = typename Attack::Stones;
    using Node = QuietNode<Attack>;
    using Record = ThreatRecord<Attack>;

    /// A thread of the search. It waits while a limit is reached.
    struct Thread {
        /// The search of a thread that helps; null for the thread that the others help.
        std::unique_ptr<QuietSearch<Attack>> search;
        std::exception_ptr error;  ///< what has ended the thread
        ResumableThread thread;    ///< the last member: it ends before what it uses
    };

  public:
    using Sink = typename Run::Sink;

    ThreatSearch(const SearchRequest<G>& request, const Attack& attack, const Stones& root, std::size_t threads)
        : Run(request),
          attack_(attack),
          root_(root),
          attacker_moves_(request.at_least > 0),
          search_(attack_, settings_) {
        const auto records_lock = reading(Run::records());
        const auto& position = Run::root_position();
        const auto leaf = settled_leaf(Run::game(), Run::records(), position, Run::at_least(),
                                       [&] { return Run::game().key(position); });
        if (leaf) answer_ = leaf->numbers.proved() ? Status::proved : Status::disproved;
        search_.report = [this](const OpeningProgress& progress) {
            const std::scoped_lock lock(mutex_);
            opening_ = progress;
        };
        nodes_of_search().stored = [this](const Stones& s) { return is_stored(s); };
        for (std::size_t i = 0; i < threads; ++i) {
            threads_.push_back(std::make_unique<Thread>());
            Thread& own = *threads_.back();
            if (i > 0) own.search = std::make_unique<QuietSearch<Attack>>(attack_, search_.shared());
            auto& quiet = i > 0 ? *own.search : search_.quiet();
            quiet.before_step = [this, &own] { pause_if_due(own); };
            quiet.evaluation().pause_when(Run::cancelled(), [this, &own] { pause_if_due(own); });
        }
        Run::report();
    }

  private:
    static constexpr int few_stones = 4;
    static constexpr int most_fruitless_rounds = 2;
    static constexpr std::uint64_t first_work = 5'000'000'000;  ///< for a reply of the first round

    Status answer() const override { return answer_.load(std::memory_order_acquire); }
    bool settled() const noexcept { return answer_.load(std::memory_order_acquire) != Status::unknown; }

    int stones() const { return root_.attacker.count() + root_.defender.count(); }
    bool answers_all_replies() const { return attacker_moves_ ? stones() == 0 : stones() < few_stones; }

    static OpeningSettings first_settings(const Attack& attack) {
        OpeningSettings settings{.most_work = first_work};
        settings.quiet.spare_candidates = attack.spare_candidates();
        return settings;
    }

    /// The thread that the others help.
    Thread& first() const { return *threads_.front(); }
    QuietNodes<Attack>& nodes_of_search() { return search_.shared().nodes; }

    /// Whether a record proves that the attacker, to move, wins, within as many plies as there are empty squares.
    bool is_stored(const Stones& stones) {
        const KnownRecords<G>* records = Run::records();
        if (records == nullptr) return false;
        const auto& game = Run::game();
        const auto records_lock = reading(records);
        const ThreatClaims<G, Attack> claims(game, attack_, nodes_of_search().keys());
        const auto leaf = leaf_by_record(*records, game.key(claims.position(stones, true)), game.highest_value());
        return leaf && leaf->numbers.proved() &&
               leaf->rank <= static_cast<std::uint32_t>(attack_.empty(stones).count());
    }

    StopReason search(RunLimits& limits) override {
        if (settled()) return StopReason::none;
        limits_ = &limits;
        stopped_by_ = StopReason::none;
        {
            std::vector<std::jthread> helpers;
            for (std::size_t i = 1; i < threads_.size(); ++i) {
                helpers.emplace_back([this, &own = *threads_[i]] { resume(own, [this, &own] { help(own); }); });
            }
            resume(first(), [this] { search_until_settled(); });
        }
        limits_ = nullptr;
        for (const auto& thread : threads_) {
            if (thread->error) std::rethrow_exception(std::exchange(thread->error, nullptr));
        }
        return settled() ? StopReason::none : stopped_by_.load();
    }

    /// Other threads pause as well when one of them fails.
    template <class Work>
    void resume(Thread& own, Work&& work) {
        try {
            own.thread.resume(std::forward<Work>(work));
        } catch (...) {
            own.error = std::current_exception();
            stop(StopReason::exhausted);
        }
    }

    void search_until_settled() {
        while (!settled()) {
            pause_if_due(first());
            try {
                if (!prove_root()) prepare_larger_round();
            } catch (const std::bad_alloc&) {
                pause(first(), StopReason::memory);
            }
        }
    }

    /// What the threads but the first do.
    void help(Thread& own) {
        while (!settled()) {
            pause_if_due(own);
            try {
                own.search->help();
            } catch (const std::bad_alloc&) {
                pause(own, StopReason::memory);
            }
        }
    }

    /// Called before every step of a search. Waits for the next run while a limit is reached.
    void pause_if_due(Thread& own) {
        for (StopReason reason = limit_reached(own); reason != StopReason::none; reason = limit_reached(own)) {
            pause(own, reason);
        }
    }

    void pause(Thread& own, StopReason reason) {
        stop(reason);
        own.thread.pause();
    }

    /// All threads pause. The first reason counts.
    void stop(StopReason reason) {
        StopReason none = StopReason::none;
        stopped_by_.compare_exchange_strong(none, reason);
    }

    StopReason limit_reached(const Thread& own) {
        const bool is_first = own.search == nullptr;
        StopReason reason = stopped_by_;
        if (reason == StopReason::none) reason = limits_->reached(nodes());
        if (reason == StopReason::nodes && is_first && only_reduction_is_left()) {
            stopped_by_.compare_exchange_strong(reason, StopReason::none);
            reason = limits_->reached(0);
        }
        if (reason == StopReason::none && is_first) {
            reason = limits_->reached_by_clock(memory());
            Run::report_if_due(*limits_);
        }
        return reason;
    }

    /// Whether nothing is open any more, and the proof is being made smaller: a limit of nodes does not end that.
    bool only_reduction_is_left() {
        auto& shared = search_.shared();
        const std::scoped_lock lock(shared.mutex);
        return shared.root == nullptr && shared.helpers == 0 && shared.nodes.is_proved(root_, attacker_moves_);
    }

    bool prove_root() {
        auto& quiet = search_.quiet();
        bool proved = false;
        if (stones() == 0 && attacker_moves_) {
            // The first move is given: to the centre.
            const int centre = attack_.bit(Run::game().square_of_first_move());
            const auto after = attack_.attacked(root_, centre);
            if (search_.prove_replies(after, [](int, bool) {})) {
                Node& node = quiet.nodes().at(root_, true);
                node.children.assign(1, {centre, &quiet.nodes().at(after, false)});
                node.numbers = ProofNumbers::proved();
                proved = true;
            }
        } else if (answers_all_replies()) {
            proved = search_.prove_replies(root_, [](int, bool) {});
        } else if (stones() < few_stones) {
            proved = search_.prove(root_);
        } else if (attacker_moves_) {
            proved = search_.prove_late(root_);
        } else {
            Node& root = quiet.nodes().at(root_, attacker_moves_);
            quiet.prove(root, ~std::uint64_t{0} >> 1);
            proved = search_.reduce_if_proved(root);
        }
        if (proved) settle();
        return proved;
    }

    void settle() noexcept {
        answer_.store(attacker_moves_ ? Status::proved : Status::disproved, std::memory_order_release);
    }

    /// What was proved is kept. Where larger limits have led to no more work, there is nothing left to try.
    [[gnu::cold]] void prepare_larger_round() {
        if (search_.out_of_work()) {
            settings_.most_work *= 4;
            search_.set_most_work(settings_.most_work);
            return;
        }
        const std::uint64_t work = search_.shared().work - work_before_round_;
        const bool all_moves = settings_.quiet.candidates >= attack_.empty(root_).count();
        fruitless_rounds_ = work <= work_of_round_ && all_moves ? fruitless_rounds_ + 1 : 0;
        work_of_round_ = work;
        if (fruitless_rounds_ == most_fruitless_rounds) {
            pause(first(), StopReason::exhausted);
            return;
        }
        std::vector<Record> proved;
        ThreatRecords<Attack> records(attack_, nodes_of_search().keys());
        records.collect_all(nodes_of_search(), [&](Record record) { proved.push_back(std::move(record)); });
        work_before_round_ = search_.shared().work;
        settings_.quiet.pass_nodes *= 2;
        settings_.quiet.reply_nodes *= 2;
        settings_.quiet.expand_nodes *= 2;
        settings_.quiet.candidates *= 2;
        settings_.candidates *= 2;
        search_.restart(settings_);
        {
            const std::scoped_lock lock(mutex_);
            opening_ = {};
        }
        restore_records(std::move(proved));
    }

    [[gnu::cold]] void restore_records(std::vector<Record> records) {
        ThreatRecords<Attack>(attack_, nodes_of_search().keys()).restore(std::move(records), nodes_of_search());
    }

    void emit_solution(const Sink& sink) override {
        auto& nodes = nodes_of_search();
        const Node* root = nodes.find(root_, attacker_moves_);
        if (root == nullptr || !root->proved() || root->stored) return;  // a record or the rules settled it
        ThreatRecords<Attack> records(attack_, nodes.keys());
        ThreatClaims<G, Attack> claims(Run::game(), attack_, nodes.keys());
        records.collect(*root, [&](const Record& record) {
            if (Run::is_cancelled()) throw Cancelled();
            claims.emit(record, sink);
        });
    }

    [[gnu::cold]] std::vector<std::uint32_t>& checkpoint_words() override {
        std::vector<Record> fresh;
        ThreatRecords<Attack> records(attack_, nodes_of_search().keys());
        records.collect_unsaved(nodes_of_search(), [&](Record record) { fresh.push_back(std::move(record)); });
        append_two_words(this->nodes(), words_);
        words_.push_back(static_cast<std::uint32_t>(fresh.size()));
        for (const Record& record : fresh) append_threat_record(record, words_);
        return words_;
    }

    /// Records are checked when they are taken over, with zones.
    [[gnu::cold]] void restore_words(const std::vector<std::uint32_t>& words) override {
        auto checkpoint = ThreatCheckpointReader<Attack>(attack_, words).read();
        nodes_before_ = checkpoint.nodes;
        restore_records(std::move(checkpoint.records));
        if (!settled() && nodes_of_search().is_proved(root_, attacker_moves_)) settle();
    }

    bool has_begun() const override { return nodes() > 0; }

    std::uint64_t nodes() const { return nodes_before_ + search_.shared().work; }

    std::uint64_t memory() const {
        constexpr std::uint64_t bytes_of_node = 600;  // with its children and its trees; 540 to 570 were seen
        return (std::uint64_t{64} << settings_.quiet.table_size) * threads_.size() +
               bytes_of_node * search_.shared().nodes.size();
    }

    [[gnu::cold]] Progress totals() const override {
        Progress now;
        now.nodes = nodes();
        now.expansions = search_.shared().expansions;
        now.memory = memory();
        now.node_memory = now.memory;
        const Numbers numbers = answer() == Status::proved      ? proved_numbers
                                : answer() == Status::disproved ? disproved_numbers
                                                                : Numbers{1, 1};
        now.proof = numbers.proof;
        now.disproof = numbers.disproof;
        if (!settled()) add_opening(now);
        return now;
    }

    /// Which replies to the root are proved, and which moves lead to the position that is being searched.
    [[gnu::cold]] void add_opening(Progress& now) const {
        const auto& game = Run::game();
        const auto add_move = [&](int bit) {
            if (bit >= 0) now.best_line.push_back(static_cast<std::uint32_t>(game.move_on(attack_.square(bit))));
        };
        const std::scoped_lock lock(mutex_);
        now.replies_proved = opening_.proved_before;
        now.replies = opening_.replies_before;
        if (attacker_moves_ && now.replies > 0) add_move(attack_.bit(game.square_of_first_move()));
        add_move(opening_.answered);
        add_move(opening_.move);
        if (opening_.move >= 0) add_move(opening_.reply);
    }

    Attack attack_;
    Stones root_;
    bool attacker_moves_;
    OpeningSettings settings_ = first_settings(attack_);
    RunLimits* limits_ = nullptr;  ///< of the run under way
    std::atomic<StopReason> stopped_by_ = StopReason::none;
    int fruitless_rounds_ = 0;
    std::uint64_t work_of_round_ = 0;
    std::uint64_t work_before_round_ = 0;  ///< of the search, in earlier rounds
    std::uint64_t nodes_before_ = 0;       ///< what a checkpoint held
    std::vector<std::uint32_t> words_;
    std::atomic<Status> answer_ = Status::unknown;
    mutable std::mutex mutex_;  ///< of `opening_`
    OpeningProgress opening_;
    OpeningSearch<Attack> search_;
    std::vector<std::unique_ptr<Thread>> threads_;  ///< the last member: they end before what they use
};

}  // namespace proofbase
