// The search `threats`: relevance zones of threat trees cut the defender's replies, moves without a threat are searched
// by df-pn (threats/quiet_search.hpp), positions with few stones by growing effort (threats/opening_search.hpp). It
// proves wins; a position that is not won stays open however large the budget is.
//
// Nodes are the positions that its searches by threats look at.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
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
#include "threats/opening_search.hpp"
#include "threats/threat_records.hpp"

namespace proofbase {

/// The attacker is the side to move for questions above 0, otherwise the other side: then the search can show that the
/// bound is not reached.
template <QuietThreatGame G, class Attack>
class ThreatSearch final : public SearchRun<G> {
    using Run = SearchRun<G>;
    using Node = QuietNode<Attack>;
    using Record = ThreatRecord<Attack>;

  public:
    using Sink = typename Run::Sink;

    ThreatSearch(const SearchRequest<G>& request, const Attack& attack, const typename Attack::Stones& root)
        : Run(request), attack_(attack), root_(root), attacker_moves_(request.at_least > 0) {
        const auto records_lock = reading(Run::records());
        const auto& position = Run::root_position();
        const auto leaf = settled_leaf(Run::game(), Run::records(), position, Run::at_least(),
                                       [&] { return Run::game().key(position); });
        if (leaf) answer_ = leaf->numbers.proved() ? Status::proved : Status::disproved;
        make_search();
        Run::report();
    }

  private:
    static constexpr int few_stones = 4;
    static constexpr std::uint32_t calls_between_clocks = 16;
    static constexpr int most_fruitless_rounds = 2;
    static constexpr std::uint64_t first_work = 200'000'000;  ///< for a reply of the first round

    Status answer() const override { return answer_.load(std::memory_order_acquire); }
    bool settled() const noexcept { return answer_.load(std::memory_order_acquire) != Status::unknown; }

    void make_search() {
        search_ = std::make_unique<OpeningSearch<Attack>>(attack_, settings_);
        search_->quiet().step_done = [this] { pause_if_due(); };
        search_->quiet().evaluation().pause_when(Run::cancelled(), [this] { pause_if_due(); });
        search_->report = [this](const OpeningProgress& progress) { opening_ = progress; };
        search_->quiet().nodes().stored = [this](const auto& stones) { return is_stored(stones); };
        opening_ = {};
    }

    /// Whether a record proves that the attacker, to move, wins, within as many plies as there are empty squares.
    bool is_stored(const typename Attack::Stones& stones) {
        const RecordTable<G>* records = Run::records();
        if (records == nullptr) return false;
        const auto& game = Run::game();
        const auto records_lock = reading(records);
        const ThreatClaims<G, Attack> claims(game, attack_, search_->quiet().nodes().keys());
        const auto leaf = leaf_by_record(*records, game.key(claims.position(stones, true)), game.highest_value());
        return leaf && leaf->numbers.proved() &&
               leaf->rank <= static_cast<std::uint32_t>(attack_.empty(stones).count());
    }

    StopReason search(RunLimits& limits) override {
        if (settled()) return StopReason::none;
        limits_ = &limits;
        stopped_by_ = StopReason::none;
        thread_.resume([this] { search_until_settled(); });
        limits_ = nullptr;
        return settled() ? StopReason::none : stopped_by_;
    }

    void search_until_settled() {
        while (!settled()) {
            pause_if_due();
            try {
                if (!prove_root()) prepare_larger_round();
            } catch (const std::bad_alloc&) {
                pause(StopReason::memory);
            }
        }
    }

    /// Called after every step of the search. Waits for the next run while a limit is reached.
    void pause_if_due() {
        for (StopReason reason = limit_reached(); reason != StopReason::none; reason = limit_reached()) pause(reason);
    }

    void pause(StopReason reason) {
        stopped_by_ = reason;
        thread_.pause();
    }

    StopReason limit_reached() {
        StopReason reason = limits_->reached(nodes());
        if (reason == StopReason::none && ++calls_ % calls_between_clocks == 0) {
            reason = limits_->reached_by_clock(memory());
            Run::report_if_due(*limits_);
        }
        return reason;
    }

    bool prove_root() {
        auto& quiet = search_->quiet();
        const int stones = root_.attacker.count() + root_.defender.count();
        bool proved = false;
        if (stones == 0 && attacker_moves_) {
            // The first move is given: to the centre.
            const int centre = attack_.bit(Run::game().square_of_first_move());
            const auto after = attack_.attacked(root_, centre);
            if (prove_replies(after)) {
                Node& node = quiet.nodes().at(root_, true);
                node.children.assign(1, {centre, &quiet.nodes().at(after, false)});
                node.numbers = ProofNumbers::proved();
                proved = true;
            }
        } else if (stones < few_stones && attacker_moves_) {
            proved = search_->prove(root_);
        } else if (stones < few_stones) {
            proved = prove_replies(root_);
        } else if (attacker_moves_) {
            proved = search_->prove_late(root_);
        } else {
            proved = quiet.prove(quiet.nodes().at(root_, attacker_moves_), ~std::uint64_t{0} >> 1);
        }
        if (proved) settle();
        return proved;
    }

    void settle() noexcept {
        answer_.store(attacker_moves_ ? Status::proved : Status::disproved, std::memory_order_release);
    }

    bool prove_replies(const typename Attack::Stones& s) {
        return search_->prove_replies(s, [](int, bool) {});
    }

    /// What was proved is kept. Where larger limits have led to no more work, there is nothing left to try.
    void prepare_larger_round() {
        if (search_->out_of_work()) {
            settings_.most_work *= 4;
            search_->set_most_work(settings_.most_work);
            return;
        }
        const std::uint64_t work = search_->quiet().evaluation().work();
        const bool all_moves = settings_.quiet.candidates >= attack_.empty(root_).count();
        fruitless_rounds_ = work <= work_of_round_ && all_moves ? fruitless_rounds_ + 1 : 0;
        work_of_round_ = work;
        if (fruitless_rounds_ == most_fruitless_rounds) {
            pause(StopReason::exhausted);
            return;
        }
        std::vector<Record> proved;
        ThreatRecords<Attack> records(attack_, search_->quiet().nodes().keys());
        records.collect_all(search_->quiet().nodes(), [&](Record record) { proved.push_back(std::move(record)); });
        nodes_before_ += search_->quiet().evaluation().work();
        expansions_before_ += search_->quiet().expansions();
        settings_.quiet.pass_nodes *= 2;
        settings_.quiet.reply_nodes *= 2;
        settings_.quiet.expand_nodes *= 2;
        settings_.quiet.candidates *= 2;
        settings_.candidates *= 2;
        make_search();
        restore_records(std::move(proved));
    }

    void restore_records(std::vector<Record> records) {
        ThreatRecords<Attack> proofs(attack_, search_->quiet().nodes().keys());
        proofs.restore(std::move(records), search_->quiet().nodes());
    }

    void emit_solution(const Sink& sink) override {
        auto& nodes = search_->quiet().nodes();
        const Node* root = nodes.find(root_, attacker_moves_);
        if (root == nullptr || !root->proved() || root->stored) return;  // a record or the rules settled it
        ThreatRecords<Attack> records(attack_, nodes.keys());
        ThreatClaims<G, Attack> claims(Run::game(), attack_, nodes.keys());
        records.collect(*root, [&](const Record& record) {
            if (Run::is_cancelled()) throw Cancelled();
            claims.emit(record, sink);
        });
    }

    std::vector<std::uint32_t>& checkpoint_words() override {
        const auto& nodes = search_->quiet().nodes();
        std::vector<Record> fresh;
        ThreatRecords<Attack> records(attack_, nodes.keys());
        records.collect_unsaved(nodes, [&](Record record) { fresh.push_back(std::move(record)); });
        append_two_words(this->nodes(), words_);
        words_.push_back(static_cast<std::uint32_t>(fresh.size()));
        for (const Record& record : fresh) append_threat_record(record, words_);
        return words_;
    }

    /// Records are checked when they are taken over, with zones.
    void restore_words(const std::vector<std::uint32_t>& words) override {
        auto checkpoint = ThreatCheckpointReader<Attack>(attack_, words).read();
        nodes_before_ = checkpoint.nodes;
        restore_records(std::move(checkpoint.records));
        const Node* root = search_->quiet().nodes().find(root_, attacker_moves_);
        if (!settled() && root != nullptr && root->proved()) settle();
    }

    bool has_begun() const override { return nodes() > 0; }

    std::uint64_t nodes() const { return nodes_before_ + search_->quiet().evaluation().work(); }

    std::uint64_t memory() const {
        constexpr std::uint64_t bytes_of_node = 2000;  // with its children and its trees, by experience
        return (std::uint64_t{64} << settings_.quiet.table_size) + bytes_of_node * search_->quiet().nodes().size();
    }

    Progress totals() const override {
        Progress now;
        now.nodes = nodes();
        now.expansions = expansions_before_ + search_->quiet().expansions();
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
    void add_opening(Progress& now) const {
        const auto& game = Run::game();
        const auto add_move = [&](int bit) {
            if (bit >= 0) now.best_line.push_back(static_cast<std::uint32_t>(game.move_on(attack_.square(bit))));
        };
        now.replies_proved = opening_.proved_before;
        now.replies = opening_.replies_before;
        if (attacker_moves_ && now.replies > 0) add_move(attack_.bit(game.square_of_first_move()));
        add_move(opening_.answered);
        add_move(opening_.move);
        if (opening_.move >= 0) add_move(opening_.reply);
    }

    Attack attack_;
    typename Attack::Stones root_;
    bool attacker_moves_;
    OpeningSettings settings_{.most_work = first_work};
    std::unique_ptr<OpeningSearch<Attack>> search_;
    OpeningProgress opening_;
    RunLimits* limits_ = nullptr;  ///< of the run under way
    StopReason stopped_by_ = StopReason::none;
    std::uint32_t calls_ = 0;
    int fruitless_rounds_ = 0;
    std::uint64_t work_of_round_ = 0;
    std::uint64_t nodes_before_ = 0;  ///< of earlier rounds and of what a checkpoint held
    std::uint64_t expansions_before_ = 0;
    std::vector<std::uint32_t> words_;
    std::atomic<Status> answer_ = Status::unknown;
    ResumableThread thread_;  ///< of the search: it ends before what it uses
};

}  // namespace proofbase
