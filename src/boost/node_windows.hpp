#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "boost/ranks.hpp"

namespace weir::boost {

/// The windows of those aggregators that run on this rank's node, in memory that its ranks share; and a board of each
/// of its ranks, for what all may read.
class NodeWindows {
  public:
    explicit NodeWindows(Ranks const& ranks);
    ~NodeWindows();
    NodeWindows(NodeWindows const&) = delete;
    NodeWindows& operator=(NodeWindows const&) = delete;

    /// Each of the node's aggregators has at least so many bytes then, the same number on all ranks; or none has, where
    /// memory cannot be shared. Collective.
    void reserve(std::uint64_t bytes);

    /// Local, as the next one. Null: it is on another node, or nothing is shared.
    [[nodiscard]] std::byte* of(int aggregator) const { return windows_[static_cast<std::size_t>(aggregator)]; }

    static constexpr std::uint64_t board_bytes = 256 << 10;
    /// Only where all ranks reach all windows.
    [[nodiscard]] std::byte* board(int rank) const { return boards_[static_cast<std::size_t>(rank)]; }

    /// All ranks reach all windows.
    [[nodiscard]] bool everywhere() const { return everywhere_; }

    /// Of the node's ranks: what they wrote before, all of them see after it.
    void barrier() const;

  private:
    void release();
    [[nodiscard]] bool has_room() const;
    bool map();

    Ranks const& ranks_;
    std::vector<int> rank_in_node_;  ///< of each aggregator; MPI_UNDEFINED: on another node
    MPI_Win memory_ = MPI_WIN_NULL;
    std::uint64_t bytes_ = 0;
    bool failed_ = false;
    bool everywhere_ = false;
    std::vector<std::byte*> windows_{};
    std::vector<std::byte*> boards_{};
};

}  // namespace weir::boost
