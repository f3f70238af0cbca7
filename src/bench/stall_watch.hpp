#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "comm/communicator.hpp"
#include "core/quantity.hpp"
#include "core/rank_progress.hpp"

namespace weir {

/// Watches over the progress of the ranks while it exists. The ranks of a node count their steps in memory that they
/// share, and a thread of the node's first rank looks at it; if that rank is stopped, one of its second rank does.
/// While somebody on the node makes progress it writes a `progress` line to standard error every half limit; where
/// nobody has for the limit, a `stall` line. Whether the launch as a whole has stalled is known only to who reads all
/// nodes' lines. Nothing of it takes time while ranks make progress, except that two threads a node wake up eight times
/// a limit.
class StallWatch {
  public:
    /// Without a limit, or if the ranks of some node cannot share memory, nothing is watched. Collective.
    StallWatch(Communicator const&, std::optional<Seconds> limit);

    /// Local, so that it may happen in the course of a failure.
    ~StallWatch();
    StallWatch(StallWatch const&) = delete;
    StallWatch& operator=(StallWatch const&) = delete;

    /// In force; nothing: nothing is watched.
    [[nodiscard]] std::optional<Seconds> limit() const { return limit_; }

  private:
    class Watcher;
    std::optional<Seconds> limit_;
    std::span<RankProgress> ranks_;  ///< of this node
    std::unique_ptr<Watcher> watcher_;
};

}  // namespace weir
