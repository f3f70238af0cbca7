#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace weir::sim {

/// What of files a node has in memory: the bytes that were last written or read on it.
class PageCache {
  public:
    /// Up to where the bytes of the file from this offset on are there; the offset itself if the first one is not.
    [[nodiscard]] std::uint64_t until(std::uint64_t file, std::uint64_t offset) const {
        auto const found = files_.find(file);
        if (found == files_.end()) {
            return offset;
        }
        auto const& parts = found->second.parts;
        auto const after = parts.upper_bound(offset);
        return after == parts.begin() ? offset : std::max(offset, std::prev(after)->second);
    }

    /// Keeps these bytes; files used longest ago go where there is no room for `most` bytes.
    void keep(std::uint64_t file, std::uint64_t offset, std::uint64_t bytes, double most) {
        auto& of = files_[file];
        of.used = ++clock_;
        auto begin = offset;
        auto end = offset + bytes;
        auto at = of.parts.upper_bound(begin);
        if (at != of.parts.begin() && std::prev(at)->second >= begin) {
            --at;
        }
        while (at != of.parts.end() && at->first <= end) {
            begin = std::min(begin, at->first);
            end = std::max(end, at->second);
            held_ -= at->second - at->first;
            at = of.parts.erase(at);
        }
        of.parts.emplace(begin, end);
        held_ += end - begin;
        while (static_cast<double>(held_) > most && !files_.empty()) {
            drop_oldest();
        }
    }

  private:
    struct Of {
        std::map<std::uint64_t, std::uint64_t> parts{};  ///< end by begin
        std::uint64_t used = 0;
    };

    void drop_oldest() {
        auto const oldest = std::min_element(
            files_.begin(), files_.end(), [](auto const& a, auto const& b) { return a.second.used < b.second.used; });
        for (auto const& [begin, end] : oldest->second.parts) {
            held_ -= end - begin;
        }
        files_.erase(oldest);
    }

    std::map<std::uint64_t, Of> files_;
    std::uint64_t held_ = 0;
    std::uint64_t clock_ = 0;
};

}  // namespace weir::sim
