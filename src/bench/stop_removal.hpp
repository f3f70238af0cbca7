#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

namespace weir {

/// Does its process tell of a removal?
enum class Speaks { yes, no };

/// While one exists, a stop request removes a directory with its contents after a moment, by a thread: a launcher kills
/// ranks soon after it asked them to end (Open MPI's mpirun after a second), and some may be within a long request, for
/// which all others would wait before they remove anything. What ends sooner removes the directory itself.
///
/// A removal waits for a write to the same file, as the kernel makes it: then it may come too late. All is local.
class StopRemoval {
  public:
    explicit StopRemoval(std::filesystem::path directory, Speaks);

    /// Waits for a removal that has begun.
    ~StopRemoval();
    StopRemoval(StopRemoval const&) = delete;
    StopRemoval& operator=(StopRemoval const&) = delete;

  private:
    void watch();
    bool pause();  ///< false once this ends

    std::filesystem::path directory_;
    Speaks speaks_;
    std::mutex mutex_;
    std::condition_variable wakes_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace weir
