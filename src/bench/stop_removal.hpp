#pragma once

#include <filesystem>
#include <memory>

#include "bench/ticking_thread.hpp"

namespace weir {

/// Does its process tell of a removal?
enum class Speaks { yes, no };

/// While one exists, a stop request removes a directory with its contents after a moment, by a thread: a launcher kills
/// ranks soon after it asked them to end (Open MPI's mpirun after a second), and some may be within a long request, for
/// which all others would wait before they remove anything. What ends sooner removes the directory itself.
///
/// A removal waits for a write to the same file, as the kernel makes it: then it may come too late. Its end waits for a
/// removal that has begun. All is local.
class StopRemoval {
  public:
    explicit StopRemoval(std::filesystem::path directory, Speaks);

  private:
    void watch(TickingThread&) const;

    std::filesystem::path directory_;
    Speaks speaks_;
    std::unique_ptr<TickingThread> thread_;  ///< null: the system has none left
};

}  // namespace weir
