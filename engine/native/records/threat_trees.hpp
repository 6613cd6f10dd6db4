// The payload of claims by threats (docs/record-encoding.md): named replies, and trees of threats. docs/zones.md
//
//   named replies, then 0 or 1 and the tree against a pass, then the number of the other trees and each as REPLY TREE
//   tree := 0, the position ends; or MOVE + 1, COUNT, and so often REPLY tree
//
// Moves are those of the canonical position, replies ascend; all numbers are varints.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "records/varint.hpp"

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
    void add_replies(std::uint32_t node, std::vector<Reply> given) {
        std::ranges::sort(given, {}, &Reply::move);
        nodes[node].first = static_cast<std::uint32_t>(replies.size());
        nodes[node].count = static_cast<std::uint32_t>(given.size());
        for (const Reply& reply : given) {
            nodes[node].plies = std::max(nodes[node].plies, nodes[reply.node].plies + 2);
            replies.push_back(reply);
        }
    }

    /// The payload, its length included. `named` and `trees` must ascend.
    std::string payload() const {
        std::string bytes;
        write_varint(static_cast<std::uint32_t>(named.size()), bytes);
        for (std::size_t i = 0; i < named.size(); ++i) write_varint(i == 0 ? named[0] : named[i] - named[i - 1], bytes);
        write_varint(passed != none, bytes);
        if (passed != none) write_node(passed, bytes);
        write_varint(static_cast<std::uint32_t>(trees.size()), bytes);
        for (const Reply& tree : trees) {
            write_varint(tree.move, bytes);
            write_node(tree.node, bytes);
        }
        std::string out;
        write_varint(static_cast<std::uint32_t>(bytes.size()), out);
        return out += bytes;
    }

    /// Reads what `payload` writes, without the length; `start` is where it begins in the record, for messages.
    /// Throws MalformedRecord.
    static ThreatTrees read(std::string_view bytes, bool lower, std::size_t start = 0) {
        ThreatTrees out;
        Reader reader{bytes, start};
        const std::uint32_t names = reader.take();
        for (std::uint32_t i = 0; i < names; ++i) {
            std::uint64_t move = reader.take();
            if (i > 0) {
                if (move == 0) throw reader.fault("named replies do not ascend");
                move += out.named.back();
                if (move >> 31) throw reader.fault("a named reply is 2^31 or more");
            }
            out.named.push_back(static_cast<std::uint32_t>(move));
        }
        const std::uint32_t passes = reader.take();
        if (passes > 1) throw reader.fault(std::to_string(passes) + " trees against a pass");
        if (passes == 1) out.passed = out.read_node(reader, 0);
        const std::uint32_t count = reader.take();
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t reply = reader.take();
            if (i > 0 && reply <= out.trees.back().move) throw reader.fault("trees against replies do not ascend");
            const std::uint32_t root = out.read_node(reader, 0);
            out.trees.push_back({reply, root});
        }
        if (reader.offset < bytes.size()) throw reader.fault("bytes left over after the threat trees");
        const bool one_tree = names == 0 && count == 0 && passes == 1 && out.nodes[out.passed].move != none;
        if (lower && !one_tree) throw reader.fault("a lower claim by threats has one tree, which begins with a move");
        return out;
    }

  private:
    struct Reader {
        std::string_view bytes;
        std::size_t start;
        std::size_t offset = 0;
        std::size_t last = 0;  ///< where the number that was taken last begins

        std::uint32_t take() {
            last = offset;
            if (offset >= bytes.size()) throw fault("threat trees are cut off");
            return read_varint(bytes, offset);
        }
        MalformedRecord fault(const std::string& rule) const {
            return MalformedRecord(rule + " at byte " + std::to_string(start + last));
        }
    };

    std::uint32_t read_node(Reader& reader, std::size_t depth) {
        const std::uint32_t code = reader.take();
        if (code == 0) return add_node();
        if (depth == most_depth) {
            throw reader.fault("a threat tree is deeper than " + std::to_string(most_depth) + " moves");
        }
        const std::uint32_t node = add_node(code - 1);
        const std::uint32_t count = reader.take();
        if (count > (reader.bytes.size() - reader.offset) / 2) throw reader.fault("threat trees are cut off");
        const auto first = static_cast<std::uint32_t>(replies.size());
        replies.resize(first + count);
        nodes[node].first = first;
        nodes[node].count = count;
        for (std::uint32_t i = first; i < first + count; ++i) {
            const std::uint32_t reply = reader.take();
            if (i > first && reply <= replies[i - 1].move) {
                throw reader.fault("replies in a threat tree do not ascend");
            }
            replies[i].move = reply;
            const std::uint32_t below = read_node(reader, depth + 1);
            replies[i].node = below;
            nodes[node].plies = std::max(nodes[node].plies, nodes[below].plies + 2);
        }
        return node;
    }

    void write_node(std::uint32_t number, std::string& out) const {
        const Node& node = nodes[number];
        if (node.move == none) {
            out.push_back('\0');
            return;
        }
        write_varint(node.move + 1, out);
        write_varint(node.count, out);
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            write_varint(replies[i].move, out);
            write_node(replies[i].node, out);
        }
    }
};

}  // namespace proofbase
