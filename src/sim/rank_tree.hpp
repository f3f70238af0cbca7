#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace weir::sim {

/// A binomial tree along which data goes from its root: member r has the children r + 2^k for all 2^k > r.
class RankTree {
  public:
    /// `hop` seconds from a member to its child, `gap` from one child to the next.
    RankTree(std::uint64_t members, double hop, double gap)
        : hop_(hop), gap_(gap), data_(members, never), there_(members, never) {}

    /// A member is ready for the data; the root has it. Ends of those that have it now: end(member, time).
    template <class End>
    void join(std::uint64_t member, double now, End end) {
        there_[member] = now;
        if (member == 0) {
            data_[0] = now;
        }
        if (data_[member] != never) {
            pass(member, end);
        }
    }

    [[nodiscard]] bool is_complete() const { return ended_ == data_.size(); }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    template <class End>
    void pass(std::uint64_t member, End& end) {
        auto at = std::max(data_[member], there_[member]);
        std::uint64_t distance = 1;
        while (distance <= member) {
            distance *= 2;
        }
        for (; member + distance < data_.size(); distance *= 2) {
            auto const child = member + distance;
            data_[child] = at + hop_;
            at += gap_;
            if (there_[child] != never) {
                pass(child, end);
            }
        }
        ++ended_;
        end(member, at);
    }

    double hop_;
    double gap_;
    std::vector<double> data_;   ///< when each has the data
    std::vector<double> there_;  ///< when each has come
    std::uint64_t ended_ = 0;
};

}  // namespace weir::sim
