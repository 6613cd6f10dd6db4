// A class that is cut into parts, and the updates of positions that are in parts which are not in memory: a queue on
// the disk for each part, and buffers for each thread. Levels (levels_in_parts.hpp) are found with it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "tables/outside_memory/scratch_file.hpp"
#include "tables/outside_memory/update_queues.hpp"
#include "tables/plan/plan.hpp"

namespace proofbase {

class Parts {
  public:
    /// `size`: positions of the class. `plan`: with parts of this length. The queues have to be opened.
    Parts(std::uint64_t size, const PartsPlan& plan, unsigned threads)
        : size_(size), length_(plan.length), most_queued_(plan.most_queued(threads)), queues_(plan.parts) {
        for (unsigned number = 0; number < threads; ++number) {
            buffers_.push_back(std::make_unique<UpdateBuffers>(queues_, plan.buffer, queued));
        }
    }

    std::uint64_t count() const noexcept { return queues_.size(); }
    std::uint64_t longest() const noexcept { return std::min(length_, size_); }  ///< positions of the longest part
    std::uint64_t first_of(std::uint64_t part) const noexcept { return part * length_; }
    std::uint64_t size_of(std::uint64_t part) const noexcept { return std::min(length_, size_ - first_of(part)); }
    std::uint64_t part_of(std::uint64_t i) const noexcept { return i / length_; }

    ScratchFile& queue(std::uint64_t part) noexcept { return queues_[part]; }
    const ScratchFile& queue(std::uint64_t part) const noexcept { return queues_[part]; }

    std::uint64_t with_longest_queue() const {
        const auto shorter = [](const ScratchFile& a, const ScratchFile& b) { return a.length() < b.length(); };
        return static_cast<std::uint64_t>(std::max_element(queues_.begin(), queues_.end(), shorter) - queues_.begin());
    }

    /// Puts an update of the position i into the buffers of a thread.
    [[gnu::always_inline]] void add(unsigned thread, std::uint64_t i, int value) {
        const std::uint64_t part = part_of(i);
        buffers_[thread]->add(part, static_cast<std::uint32_t>(i - first_of(part)), value);
    }

    /// Appends what is in the buffers to the queues. Throws std::filesystem::filesystem_error.
    void flush() {
        for (const auto& buffers : buffers_) buffers->flush();
    }

    /// Whether the queues are so long that no thread may find more updates.
    bool full() const noexcept { return queued.load(std::memory_order_relaxed) > most_queued_; }

    std::atomic<std::uint64_t> queued{0};  ///< bytes of all queues

  private:
    std::uint64_t size_;
    std::uint64_t length_;
    std::uint64_t most_queued_;
    std::vector<ScratchFile> queues_;
    std::vector<std::unique_ptr<UpdateBuffers>> buffers_;  // by thread
};

}  // namespace proofbase
