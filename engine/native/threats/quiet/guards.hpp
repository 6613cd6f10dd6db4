// What a thread of a search holds for as long as an object lives, also where an exception ends it: the lock of all, a
// place among those that search a node, a node that it evaluates alone.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

namespace proofbase {

/// Holds a lock for as long as it lives.
class Locked {
  public:
    explicit Locked(std::unique_lock<std::mutex>& lock) : lock_(lock) { lock_.lock(); }
    Locked(const Locked&) = delete;
    ~Locked() { lock_.unlock(); }

  private:
    std::unique_lock<std::mutex>& lock_;
};

/// Gives a lock up, if it is held, for as long as it lives.
class Unlocked {
  public:
    explicit Unlocked(std::unique_lock<std::mutex>& lock) : lock_(lock), held_(lock.owns_lock()) {
        if (held_) lock_.unlock();
    }
    Unlocked(const Unlocked&) = delete;
    ~Unlocked() {
        if (held_) lock_.lock();
    }

  private:
    std::unique_lock<std::mutex>& lock_;
    bool held_;
};

/// Counts one more for as long as it lives.
template <class Count>
class Counted {
  public:
    Counted(Count& count, std::condition_variable& changed) : count_(count), changed_(changed) { ++count_; }
    Counted(const Counted&) = delete;
    ~Counted() {
        --count_;
        changed_.notify_all();
    }

  private:
    Count& count_;
    std::condition_variable& changed_;
};

/// A node, on the path of this thread for as long as this lives.
template <class Node>
class OnPath {
  public:
    OnPath(std::vector<Node*>& path, Node& node) : path_(path) {
        path_.push_back(&node);
        ++node.searchers;
    }
    OnPath(const OnPath&) = delete;
    ~OnPath() {
        --path_.back()->searchers;
        path_.pop_back();
    }

  private:
    std::vector<Node*>& path_;
};

/// A node that this thread evaluates, alone, for as long as this lives.
template <class Node>
class InEvaluation {
  public:
    InEvaluation(Node& node, std::condition_variable& changed) : node_(node), changed_(changed) {
        node_.in_evaluation = true;
    }
    InEvaluation(const InEvaluation&) = delete;
    ~InEvaluation() {
        node_.in_evaluation = false;
        changed_.notify_all();
    }

  private:
    Node& node_;
    std::condition_variable& changed_;
};

}  // namespace proofbase
