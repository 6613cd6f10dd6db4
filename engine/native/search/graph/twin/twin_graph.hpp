// The nodes of the graph kind base-twin (base_twin.hpp): every move leads to a node of its own with its own numbers;
// the first node of a position and bound is its base, the others are its twins, and only the base has children.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/local_check.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/key_pool.hpp"
#include "search/graph/node_index.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Backup>
class TwinGraph {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;

    struct Step {
        std::uint32_t node;
        int bound;
        Position position;  ///< the one that stands for the node
    };

    TwinGraph(const SearchRequest<G>& request, Orientation<G> orientation)
        : game_(request.game),
          order_(request.order),
          orientation_(orientation),
          evaluator_(game_, request.known, request.algorithm.initialisation()) {
        children_.resize(1);
        children_[0].position = request.position;
        children_[0].bound = request.at_least;
        look_up(children_[0], std::atomic<bool>(false));
        slots_.append(1);
        create(0, children_[0]);
    }

    Step root() const { return step(0); }
    /// Nodes are referred to by their slots; numbered are the bases.
    std::uint32_t ref(std::uint32_t number) const noexcept { return bases_[number].slot; }
    std::uint32_t number(std::uint32_t node) const noexcept { return slots_[node].base; }
    Numbers numbers(std::uint32_t node) const noexcept {
        const Numbers of_base = slots_[bases_[slots_[node].base].slot].numbers;
        return of_base.solved() ? of_base : slots_[node].numbers;
    }
    std::uint32_t rank(std::uint32_t node) const noexcept { return bases_[slots_[node].base].rank; }
    bool expanded(std::uint32_t node) const noexcept { return bases_[slots_[node].base].count != 0; }
    std::uint32_t size() const noexcept { return bases_.size(); }
    std::uint64_t created() const noexcept { return slots_.size(); }
    std::uint64_t bytes() const noexcept { return slots_.bytes() + bases_.bytes() + index_.bytes() + keys_.bytes(); }
    std::uint64_t node_bytes() const noexcept { return slots_.bytes() + bases_.bytes() + keys_.bytes(); }

    /// Fig. 14, 3: the node has to be expanded. Throws, also what the rules throw, before anything has changed.
    void expand(const Step& step, const std::atomic<bool>& cancelled) {
        cancelled_ = &cancelled;
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        children_.clear();
        children_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            children_[i].position = game_.play(step.position, moves_[i]);
            children_[i].bound = game_.reward(step.position, moves_[i]) - step.bound + 1;
            look_up(children_[i], cancelled);
        }
        bases_.reserve(count);
        const std::uint32_t first = slots_.append(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            // The same position may stand twice among the children.
            if (child.base == none) child.base = find(child);
            if (child.base == none) {
                create(first + i, child);
            } else {
                const Base& base = bases_[child.base];
                slots_[first + i] = {child.base, base.count != 0 ? from_children(base) : slots_[base.slot].numbers, 0};
            }
        }
        Base& base = bases_[slots_[step.node].base];
        base.first = first;
        base.count = static_cast<Count>(count);
    }

    /// Calls visit(step of the child, move, numbers that the child shows) for the children of an expanded node.
    template <class Visit>
    void for_each_option(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        order_(game_, step.position, moves);
        const Base& base = bases_[slots_[step.node].base];
        for (std::uint32_t i = 0; i < base.count; ++i) {
            const std::uint32_t child = base.first + i;
            const int bound = game_.reward(step.position, moves[i]) - step.bound + 1;
            Position position = orientation_.representative(game_, game_.play(step.position, moves[i]));
            visit(Step{child, bound, std::move(position)}, moves[i], numbers(child));
        }
    }

    /// The base with this number as a step on its own.
    Step step(std::uint32_t number) const {
        const Base& base = bases_[number];
        return {base.slot, base.bound, *game_.position(keys_.key(base.key))};
    }

  protected:
    static constexpr std::uint32_t none = NodeIndex::none;
    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    /// A base node or a twin node.
    struct Slot {
        std::uint32_t base;
        Numbers numbers;
        std::uint32_t mark;  ///< a possible draw: the smallest place of what is repeated below; else 0
    };

    /// What a base and its twins have in common.
    struct Base {
        typename KeyPool<Key>::Stored key;
        std::int32_t bound;
        std::uint32_t slot;   ///< of the base node itself
        std::uint32_t first;  ///< slot of the first child
        std::uint32_t place;  ///< on the current path from 1, or 0
        std::uint32_t rank;   ///< of a leaf that is settled
        Count count;          ///< of children, 0: a leaf
        bool repetition;      ///< what repetition says about the question
    };

    struct Child {
        Position position;
        Key key;
        std::uint64_t hash;
        int bound;
        std::uint32_t base;
        Leaf leaf;
        bool repetition;
    };

    std::uint32_t find(const Child& child) const {
        return index_.find(child.hash, child.key, child.bound, bases_, keys_);
    }

    /// Everything that has to be asked of the rules, and room in the index.
    void look_up(Child& child, const std::atomic<bool>& cancelled) {
        child.position = orientation_.representative(game_, std::move(child.position));
        child.key = orientation_.key(game_, child.position);
        child.hash = hash_question(child.key, child.bound);
        index_.reserve(children_.size(), bases_, keys_, cancelled);
        child.base = find(child);
        if (child.base != none) return;
        child.leaf = evaluator_(child.position, child.bound, [&] { return game_.key(child.position); });
        const std::optional<int> rho = repetition_value(game_, child.position);
        child.repetition = rho && *rho >= child.bound;
    }

    void create(std::uint32_t slot, const Child& child) {
        const std::uint32_t n = bases_.append(1);
        bases_[n] = {keys_.store(child.key), child.bound, slot, 0, 0, child.leaf.rank, 0, child.repetition};
        slots_[slot] = {n, child.leaf.numbers, 0};
        index_.insert(child.hash, n);
    }

    Numbers from_children(const Base& base) const {
        Backup backup;
        for (std::uint32_t s = base.first; s < base.first + base.count; ++s) backup.add(slots_[s].numbers);
        return backup.result();
    }

    const Numbers& of(std::uint32_t base) const noexcept { return slots_[bases_[base].slot].numbers; }
    bool solved(std::uint32_t base) const noexcept { return of(base).solved(); }

    G game_;
    MoveOrder order_;
    Orientation<G> orientation_;
    LeafEvaluator<G> evaluator_;
    KeyPool<Key> keys_;
    Arena<Slot> slots_;  ///< the children of a base side by side
    Arena<Base> bases_;
    NodeIndex index_;
    typename G::Moves moves_;
    std::vector<Child> children_;
    const std::atomic<bool>* cancelled_ = nullptr;  ///< of the expansion before
};

}  // namespace proofbase
