#pragma once

#include <filesystem>
#include <optional>

#include "array/api/plan.hpp"
#include "array/sinks/checksums.hpp"
#include "array/sinks/file_sink.hpp"
#include "array/sinks/part_file.hpp"
#include "array/sinks/sink.hpp"

namespace weir::array {

/// Do the ranks wait until the write is complete, or continue to compute?
enum class Waiting { here, later };

/// A write of a plan's arrays to a file; see weir_write_at() and weir_write_swapped(). Both members are collective and
/// throw Failure, the same on all ranks.
class WriteDump {
  public:
    /// On return the buffers may be reused. `before`: an earlier failure on this rank.
    WriteDump(Plan&, char const* path, FileLayout const&, void* const* buffers, Waiting,
              FirstFailure const& before = {});
    ~WriteDump();
    WriteDump(WriteDump const&) = delete;
    WriteDump& operator=(WriteDump const&) = delete;

    /// Returns when the file is complete.
    void complete();

    /// Ends it because its plan is being destroyed: the file stays incomplete, and complete() reports that. Local.
    void abandon();

    /// Has this rank's part been written? Local.
    [[nodiscard]] bool written() const;

  private:
    void open(FileLayout const&);
    [[nodiscard]] Sink* sink();
    void sync();
    void settle();

    Plan* plan_;                     ///< null: destroyed
    std::filesystem::path path_;     ///< the final path
    std::filesystem::path file_;     ///< the path that is written
    std::optional<PartFile> part_;   ///< on rank 0, in a safe dump
    std::optional<SeenFile> seen_;   ///< on other nodes than rank 0's
    std::uint64_t end_of_file_ = 0;  ///< it must reach this far
    Waiting waiting_;
    FirstFailure failure_;
    std::optional<Checksums> checksums_;
    std::optional<FileSink> sink_;
    std::optional<SwappedSink> swapped_;  ///< wraps sink_
    double began_ = 0;
    bool completed_ = false;
};

/// Reads them; see weir_read_at(). Collective; throws as above.
void read_file(Plan&, char const* path, FileLayout const&, void* const* buffers, FirstFailure failure = {});

/// Through something other than a file; see weir_write_target(). Collective; throws as above.
void move_through_target(Plan&, Use, weir_target const*, void* const* buffers);

/// From one distribution to another in memory; see weir_redistribute(). Holds the arrays a second time, spread over all
/// ranks. Collective; throws as above.
void redistribute(Plan& from, void* const* source, Plan& to, void* const* target);

}  // namespace weir::array
