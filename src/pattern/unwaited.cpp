#include "pattern/unwaited.hpp"

#include <algorithm>
#include <map>

namespace weir {
namespace {

std::uint64_t most_of_a_rank(Access const& access) {
    if (access.part) {
        return largest_request(access);
    }
    std::uint64_t most = 0;
    auto const different = access.lists.empty() ? std::min<std::uint64_t>(1, access.ranks.count) : access.ranks.count;
    for (std::uint64_t position = 0; position < different; ++position) {
        most = std::max(most, volume(access, Rank{access.ranks.first + position * access.ranks.step}).bytes);
    }
    return most;
}

/// Bytes of requests in flight, by the file index in steps, while walking the steps.
class Unwaited {
  public:
    void go_through(std::vector<Step> const& steps) {
        for (auto const& step : steps) {
            std::visit([this](auto const& one) { take(one); }, static_cast<Step::variant const&>(step));
        }
    }
    [[nodiscard]] std::uint64_t most() const { return most_; }

  private:
    void take(Access const& access) {
        if (access.asynchronous) {
            begun_[access.file] += most_of_a_rank(access);
            most_ = std::max(most_, now());
        }
    }
    void take(Wait const& wait) { begun_.erase(wait.file); }
    void take(Sync const& sync) { begun_.erase(sync.file); }
    void take(Close const& close) { begun_.erase(close.file); }
    /// Later iterations are like the second: each adds what the second adds.
    void take(Repeat const& repeat) {
        auto const turns = std::min<std::uint64_t>(repeat.count, 2);
        auto before = begun_;
        for (std::uint64_t turn = 0; turn < turns; ++turn) {
            before = begun_;
            go_through(repeat.steps);
        }
        std::uint64_t added = 0;
        for (auto& [file, bytes] : begun_) {
            auto const more = (bytes - std::min(bytes, before[file])) * (repeat.count - turns);
            bytes += more;
            added += more;
        }
        most_ += added;
    }
    template <class Other>
    void take(Other const&) {}

    [[nodiscard]] std::uint64_t now() const {
        std::uint64_t sum = 0;
        for (auto const& [file, bytes] : begun_) {
            sum += bytes;
        }
        return sum;
    }

    std::map<std::uint64_t, std::uint64_t> begun_;
    std::uint64_t most_ = 0;
};

}  // namespace

std::uint64_t most_unwaited(Pattern const& pattern) {
    std::uint64_t most = 0;
    for (auto const& phase : pattern.phases) {
        Unwaited unwaited;
        unwaited.go_through(phase.steps);
        most = std::max(most, unwaited.most());
    }
    return most;
}

}  // namespace weir
