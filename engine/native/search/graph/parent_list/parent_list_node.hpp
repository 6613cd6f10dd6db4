// What a graph with lists of parents (parent_list_graph.hpp) keeps of a node.
#pragma once

#include <cstdint>
#include <type_traits>

#include "concepts.hpp"
#include "search/graph/question_index.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
struct ParentListNode {
    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    typename QuestionIndex<G>::StoredKey key;
    Numbers numbers;
    std::int32_t bound;
    std::uint32_t first_edge;
    std::uint32_t first_link;  ///< to its parents, in the order in which they came
    std::uint32_t last_link;
    union {                         ///< ParentListGraph::holds_rank() says which of the two this word is
        std::uint32_t rank;         ///< of a solved leaf; in the acyclic kind of every solved node
        std::uint32_t path_length;  ///< of the path that is updated, up to this node; 0: not on that path
    };
    Count count;             ///< of children, 0: a leaf
    bool repetition_proves;  ///< endless play would prove the node, otherwise disprove it
    bool waiting;            ///< in the queue
    bool of_its_own;         ///< other paths to the same position have other nodes (UpdatePolicy::merging)
};

/// One item of a node's list of parents.
struct ParentLink {
    std::uint32_t parent;  ///< with marks
    std::uint32_t next;
};

}  // namespace proofbase
