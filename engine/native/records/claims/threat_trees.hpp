// The payload of claims by threats (docs/record-encoding.md): named replies, and trees of threats. docs/zones.md
//
//   named replies, then 0 or 1 and the tree against a pass, then the number of the other trees and each as REPLY TREE
//   tree := 0, the position ends; or MOVE + 1, COUNT, and so often REPLY tree
//
// Moves are those of the canonical position, replies ascend; all numbers are varints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proofbase {

/// All trees of a claim, their nodes in one list.
struct ThreatTrees {
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::size_t most_depth = 200;  ///< moves of the attacker, one below the other

    /// The attacker is to move.
    struct Node {
        std::uint32_t move = none;  ///< `none`: the attacker wins with at most two moves of his own
        std::uint32_t first = 0;    ///< its replies are `count` entries of `replies`, from this one
        std::uint32_t count = 0;
        std::uint32_t plies = 3;  ///< until the attacker has won, at the latest
    };
    struct Reply {
        std::uint32_t move;
        std::uint32_t node;  ///< what follows
    };

    std::vector<std::uint32_t> named;  ///< ascending; their positions have records
    std::uint32_t passed = none;       ///< the root of the tree against a pass, or of the tree of a lower claim
    std::vector<Reply> trees;          ///< ascending; the roots of the trees against replies
    std::vector<Node> nodes;
    std::vector<Reply> replies;

    /// A node whose replies are given later: `add_replies`.
    std::uint32_t add_node(std::uint32_t move = none) {
        nodes.push_back({move, 0, 0, move == none ? 3U : 5U});
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }

    /// The replies of a node, in any order; the nodes after them are complete.
    void add_replies(std::uint32_t node, std::vector<Reply> given);

    /// The payload, its length included. `named` and `trees` must ascend.
    std::string payload() const;

    /// Reads what `payload` writes, without the length; `start` is where it begins in the record, for messages.
    /// Throws MalformedRecord.
    static ThreatTrees read(std::string_view bytes, bool lower, std::size_t start = 0);

  private:
    struct Reader;

    std::uint32_t read_node(Reader& reader, std::size_t depth);

    void write_node(std::uint32_t number, std::string& out) const;
};

}  // namespace proofbase
