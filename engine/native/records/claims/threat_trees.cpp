#include "records/claims/threat_trees.hpp"

#include <algorithm>

#include "errors.hpp"
#include "records/claims/varint.hpp"

namespace proofbase {

struct ThreatTrees::Reader {
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

void ThreatTrees::add_replies(std::uint32_t node, std::vector<Reply> given) {
    std::ranges::sort(given, {}, &Reply::move);
    nodes[node].first = static_cast<std::uint32_t>(replies.size());
    nodes[node].count = static_cast<std::uint32_t>(given.size());
    for (const Reply& reply : given) {
        nodes[node].plies = std::max(nodes[node].plies, nodes[reply.node].plies + 2);
        replies.push_back(reply);
    }
}

std::string ThreatTrees::payload() const {
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

ThreatTrees ThreatTrees::read(std::string_view bytes, bool lower, std::size_t start) {
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

std::uint32_t ThreatTrees::read_node(Reader& reader, std::size_t depth) {
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

void ThreatTrees::write_node(std::uint32_t number, std::string& out) const {
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

}  // namespace proofbase
