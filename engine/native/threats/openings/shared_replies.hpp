// The replies to a position that are to be answered, by one search or by several side by side, which give one another
// their proofs.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "threats/threat_records.hpp"

namespace proofbase {

template <class Attack>
class SharedReplies {
  public:
    using Record = ThreatRecord<Attack>;

    /// A reply that is answered.
    struct Answered {
        int reply;                    ///< a bit
        std::size_t by;               ///< the number of the search
        std::vector<Record> records;  ///< the proof; empty where there is one search only
    };

    /// `replies`: bits, in the order in which they are to be answered. `searches`: how many there are.
    SharedReplies(std::vector<int> replies, std::size_t searches)
        : replies_(std::move(replies)), searches_(searches), read_(searches, 0) {}

    std::size_t size() const noexcept { return replies_.size(); }
    std::size_t searches() const noexcept { return searches_; }

    /// The next reply that no search has begun.
    std::optional<int> take() {
        const std::scoped_lock lock(mutex_);
        if (taken_ == replies_.size()) return std::nullopt;
        return replies_[taken_++];
    }

    /// A reply that was taken is answered.
    void note_answered(Answered answered) {
        const std::scoped_lock lock(mutex_);
        ++ended_;
        answered_.push_back(std::move(answered));
    }

    /// A reply that was taken stays open.
    void note_open() {
        const std::scoped_lock lock(mutex_);
        ++ended_;
    }

    /// What a search has not been told yet, its own answers left out.
    std::vector<Answered> news_for(std::size_t search) {
        const std::scoped_lock lock(mutex_);
        std::vector<Answered> news;
        for (std::size_t& next = read_[search]; next < answered_.size(); ++next) {
            if (answered_[next].by != search) news.push_back(answered_[next]);
        }
        return news;
    }

    bool all_ended() const {
        const std::scoped_lock lock(mutex_);
        return ended_ == replies_.size();
    }
    std::size_t answered() const {
        const std::scoped_lock lock(mutex_);
        return answered_.size();
    }
    /// Whether a reply was tried and stays open.
    bool any_open() const {
        const std::scoped_lock lock(mutex_);
        return ended_ > answered_.size();
    }

  private:
    const std::vector<int> replies_;
    const std::size_t searches_;
    mutable std::mutex mutex_;
    std::size_t taken_ = 0;
    std::size_t ended_ = 0;
    std::vector<Answered> answered_;
    std::vector<std::size_t> read_;  ///< by search: how many of the answers it has been told
};

}  // namespace proofbase
