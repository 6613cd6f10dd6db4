// What a dag (dag.hpp) holds of every node: its key, a word, its state and its bound. What an expanded node needs
// besides is in its block; the numbers of a leaf are in the edges that lead to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/graph/dag/parent_list.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

enum class NodeState : std::uint8_t {
    leaf,             ///< open
    expanded,         ///< it has a block
    proved_leaf,      ///< by its evaluation
    disproved_leaf,   ///< likewise
    proved_inner,     ///< its block is gone
    disproved_inner,  ///< likewise
    deleted,
};

/// A value that may lie at any address.
template <class Value>
    requires std::is_trivially_copyable_v<Value>
class Unaligned {
  public:
    Unaligned& operator=(const Value& value) noexcept {
        std::memcpy(bytes_, &value, sizeof(Value));
        return *this;
    }
    operator Value() const noexcept {  // NOLINT(google-explicit-constructor): it stands for the value
        Value value;
        std::memcpy(&value, bytes_, sizeof(Value));
        return value;
    }

  private:
    unsigned char bytes_[sizeof(Value)];
};

/// Nodes lie side by side without a gap, at any address.
template <class StoredKey>
struct DagNode {
    static constexpr bool key_is_bytes = alignof(StoredKey) == 1;
    using Key = std::conditional_t<key_is_bytes, const StoredKey&, StoredKey>;
    static constexpr std::uint8_t wide_bound = 0x1f;  ///< the bound is elsewhere (NodeBounds)

    std::conditional_t<key_is_bytes, StoredKey, Unaligned<StoredKey>> stored_key;
    /// leaf: its parents (ParentList); expanded: its block; solved: its rank; deleted: the node that was deleted before
    /// it.
    [[gnu::packed]] std::uint32_t link;
    std::uint8_t state_bits : 3;
    std::uint8_t bound_bits : 5;

    Key key() const noexcept { return stored_key; }
    NodeState state() const noexcept { return static_cast<NodeState>(state_bits); }
    void set(NodeState state, std::uint32_t new_link) noexcept {
        state_bits = static_cast<std::uint8_t>(state) & 7;
        link = new_link;
    }
    bool is_leaf() const noexcept { return state() == NodeState::leaf; }
    bool has_block() const noexcept { return state() == NodeState::expanded; }
    bool proved() const noexcept { return state() == NodeState::proved_leaf || state() == NodeState::proved_inner; }
    bool solved() const noexcept { return state() >= NodeState::proved_leaf && state() <= NodeState::disproved_inner; }
    bool deleted() const noexcept { return state() == NodeState::deleted; }
    /// True if the node was expanded, also if its block is gone.
    bool inner() const noexcept {
        return has_block() || state() == NodeState::proved_inner || state() == NodeState::disproved_inner;
    }
    /// The numbers of a solved node.
    Numbers solved_numbers() const noexcept { return proved() ? proved_numbers : disproved_numbers; }
    /// The parents of a leaf.
    ParentList parents() const noexcept { return ParentList::of_word(link); }
};

/// By their numbers, words of the few nodes for which the bits of a block or of an edge are not enough.
template <class Word>
class WideWords {
  public:
    /// Makes room for the words of so many more nodes: set() then needs no memory.
    void reserve(std::uint32_t count) {
        while (spare_.size() < count) {
            std::unordered_map<std::uint32_t, Word> one{{0, Word{}}};
            spare_.push_back(one.extract(one.begin()));
        }
        const std::size_t needed = words_.size() + count;
        if (needed > static_cast<std::size_t>(words_.max_load_factor() * static_cast<float>(words_.bucket_count()))) {
            words_.reserve(2 * needed);
        }
    }
    void set(std::uint32_t node, const Word& word) {
        const auto found = words_.find(node);
        if (found != words_.end()) {
            found->second = word;
        } else if (spare_.empty()) {
            words_.emplace(node, word);
        } else {
            spare_.back().key() = node;
            spare_.back().mapped() = word;
            words_.insert(std::move(spare_.back()));
            spare_.pop_back();
        }
    }
    const Word& operator[](std::uint32_t node) const { return words_.at(node); }
    std::uint64_t bytes() const noexcept {
        constexpr std::uint64_t bytes_of_entry = 32;
        return bytes_of_entry * (words_.size() + spare_.size());
    }

  private:
    std::unordered_map<std::uint32_t, Word> words_;
    std::vector<typename std::unordered_map<std::uint32_t, Word>::node_type> spare_;  ///< memory for further words
};

/// The bounds of nodes. The first ones that occur, nearly always two, need a few bits of a node each.
class NodeBounds {
  public:
    /// Makes room for the bounds of so many more nodes.
    void reserve(std::uint32_t count) {
        if (common_count_ + std::size_t{count} > common_.size()) rare_.reserve(count);
    }
    template <class Node>
    int bound(const Node& node, std::uint32_t number) const {
        return node.bound_bits != Node::wide_bound ? common_[node.bound_bits] : rare_[number];
    }
    template <class Node>
    void set_bound(Node& node, std::uint32_t number, int bound) {
        std::uint8_t i = 0;
        while (i < common_count_ && common_[i] != bound) ++i;
        if (i == common_count_ && i < common_.size()) common_[common_count_++] = bound;
        if (i == common_.size()) rare_.set(number, bound);
        static_assert(std::tuple_size_v<decltype(common_)> == Node::wide_bound);
        node.bound_bits = i & 0x1f;
    }
    std::uint64_t bytes() const noexcept { return rare_.bytes(); }

  private:
    std::array<int, 0x1f> common_{};
    std::uint8_t common_count_ = 0;
    WideWords<int> rare_;
};

}  // namespace proofbase
