// The regions of safety that one thread is trying (safety_region.hpp): one that grows, and below it those of the
// questions that it has asked a search for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "concepts.hpp"
#include "search/null_window/depth_limited/safety_region.hpp"

namespace proofbase {

template <Game G, class Shared>
class OpenRegions {
  public:
    using Region = SafetyRegion<G, Shared>;

    explicit OpenRegions(Shared& shared) : shared_(shared) {}

    /// How many nodes a region for the question of a frame may take; 0: none is tried. `nodes`: those that the search
    /// of the question, or of all questions, has taken.
    template <class Frame>
    static std::uint64_t most_nodes(const Frame& frame, std::uint64_t nodes, std::uint64_t nodes_of_searches,
                                    std::uint64_t nodes_of_regions) noexcept {
        // A region that was given up is tried again when the depth has doubled.
        if (std::bit_width(frame.depth) <= std::bit_width(frame.earlier_depth)) return 0;
        const std::uint64_t for_depth = nodes_for_ply * frame.depth;  // in the end, any number
        if (nodes_of_regions > nodes_of_searches + for_depth) return 0;
        return std::max(nodes, for_depth);
    }

    /// Starts a region of the question of the node on top of a stack of this size. It is given up at so many nodes of
    /// the thread.
    void open(const typename Region::Question& question, bool reached, std::size_t stack_size,
              std::uint64_t last_node) {
        if (regions_.size() == count_) regions_.push_back(std::make_unique<OpenRegion>(shared_));
        OpenRegion& open = *regions_[count_];
        open.region.start(question, reached);
        open.stack_size = stack_size;
        open.last_node = last_node;
        ++count_;
    }

    Region& top() noexcept { return regions_[count_ - 1]->region; }

    /// True if the region on top is that of the node on top of a stack of this size.
    bool top_belongs_to(std::size_t stack_size) const noexcept {
        return count_ > 0 && regions_[count_ - 1]->stack_size == stack_size;
    }

    /// A region may take half as much memory as the table.
    bool top_is_too_large(std::uint64_t nodes) const noexcept {
        const OpenRegion& open = *regions_[count_ - 1];
        const std::uint64_t most_bytes = std::max(shared_.table.max_bytes() / 2, least_region_bytes);
        return nodes >= open.last_node || open.region.size() > most_bytes / Region::bytes_of_question;
    }

    void close() noexcept {
        top().clear();
        --count_;
    }

    /// Closes the regions of nodes that a stack of this size does not have.
    void close_above(std::size_t stack_size) noexcept {
        while (count_ > 0 && stack_size < regions_[count_ - 1]->stack_size) close();
    }

    std::uint64_t bytes() const noexcept {
        std::uint64_t bytes = 0;
        for (const auto& open : regions_) bytes += open->region.bytes();
        return bytes;
    }

  private:
    static constexpr std::uint64_t nodes_for_ply = 64;
    static constexpr std::uint64_t least_region_bytes = std::uint64_t{16} << 20;

    struct OpenRegion {
        explicit OpenRegion(Shared& shared) : region(shared) {}
        Region region;
        std::size_t stack_size = 0;
        std::uint64_t last_node = 0;
    };

    Shared& shared_;
    std::vector<std::unique_ptr<OpenRegion>> regions_;  ///< those beyond `count_` are kept for their memory
    std::size_t count_ = 0;
};

}  // namespace proofbase
