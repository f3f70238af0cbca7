#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

namespace weir::sim {

/// The blocks that a server has in memory: those that were used last.
class BlockCache {
  public:
    /// That many blocks at most.
    explicit BlockCache(std::uint64_t most) : most_(most) {}

    /// Uses a block; was it in memory?
    bool use(std::uint64_t file, std::uint64_t block) {
        auto const key = file << 40U | block;
        if (auto const found = at_.find(key); found != at_.end()) {
            order_.splice(order_.begin(), order_, found->second);
            return true;
        }
        order_.push_front(key);
        at_.emplace(key, order_.begin());
        if (at_.size() > most_) {
            at_.erase(order_.back());
            order_.pop_back();
        }
        return false;
    }

    /// Uses the blocks of that size that some bytes lie in; how many were not in memory.
    std::uint64_t use(std::uint64_t file, std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
        std::uint64_t missing = 0;
        for (auto block = offset / size; block <= (offset + bytes - 1) / size; ++block) {
            missing += use(file, block) ? 0 : 1;
        }
        return missing;
    }

  private:
    std::uint64_t most_;
    std::list<std::uint64_t> order_;  ///< the one used last first
    std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> at_;
};

}  // namespace weir::sim
