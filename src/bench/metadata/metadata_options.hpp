#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bench/repetitions.hpp"
#include "core/clock.hpp"
#include "core/enum_names.hpp"
#include "core/latency.hpp"
#include "core/option.hpp"

namespace weir {

/// The individually timed calls. `write` and `read` are those of a complete file.
enum class MetadataCall { create, open, write, read, sync, close, stat, rename, unlink };
constexpr std::array<std::string_view, 9> enum_names(MetadataCall) {
    return {"create", "open", "write", "read", "sync", "close", "stat", "rename", "unlink"};
}
constexpr std::size_t calls_known = enum_names(MetadataCall{}).size();

/// The durations of one rank's calls in one phase, by kind. Memory does not grow with the number of calls.
class MetadataCallTimes {
  public:
    void add(MetadataCall call, double seconds) {
        auto const i = static_cast<std::size_t>(call);
        latencies_[i].add(seconds);
        totals_s_[i] += seconds;
    }
    [[nodiscard]] LatencySketch const& latency(MetadataCall call) const {
        return latencies_[static_cast<std::size_t>(call)];
    }
    [[nodiscard]] std::array<double, calls_known> const& totals_s() const { return totals_s_; }

  private:
    std::array<LatencySketch, calls_known> latencies_;
    std::array<double, calls_known> totals_s_{};
};

/// Times consecutive calls with one clock reading each.
class Stopwatch {
  public:
    Stopwatch(Clock const& clock, MetadataCallTimes& times) : clock_(clock), times_(times), last_s_(clock.now_s()) {}

    void start() { last_s_ = clock_.now_s(); }

    /// Adds the time since the last reading to this call; returns it.
    double lap(MetadataCall call) {
        auto const now_s = clock_.now_s();
        auto const took_s = now_s - last_s_;
        times_.add(call, took_s);
        last_s_ = now_s;
        return took_s;
    }

  private:
    Clock const& clock_;
    MetadataCallTimes& times_;
    double last_s_;
};

/// Where files are: all ranks' in one directory, each rank's in a separate one, or files that all ranks open.
enum class MetadataLayout { shared_directory, private_directory, common_file };
constexpr std::array<std::string_view, 3> enum_names(MetadataLayout) {
    return {"shared-directory", "private-directory", "common-file"};
}
constexpr std::array<std::string_view, 3> enum_words(MetadataLayout) {
    return {"shared directory", "directory for each rank", "common file"};
}

enum class Interface { posix, mpiio };
constexpr std::array<std::string_view, 2> enum_names(Interface) { return {"posix", "mpiio"}; }
constexpr std::array<std::string_view, 2> enum_words(Interface) { return {"POSIX", "MPI-IO"}; }

/// How many ranks open the same file.
enum class Opening { independent, collective, one_rank, broadcast };
constexpr std::array<std::string_view, 4> enum_names(Opening) {
    return {"independent", "collective", "one-rank", "broadcast"};
}
constexpr std::array<std::string_view, 4> enum_words(Opening) {
    return {"by every rank", "collective", "by one rank for all", "by rank 0 with a broadcast"};
}

enum class FileOrder { created, shuffled };
constexpr std::array<std::string_view, 2> enum_names(FileOrder) { return {"created", "shuffled"}; }

/// The files that a rank visits in each phase after creation: its own, the next rank's, or those of a rank on the next
/// node.
enum class Visits { none, rank, node };
constexpr std::array<std::string_view, 3> enum_names(Visits) { return {"none", "rank", "node"}; }

/// The totals of one case over all ranks.
struct MetadataTotals {
    std::uint64_t files = 0;
    std::uint64_t inodes = 0;  ///< files and directories that exist at once
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_on_disk = 0;  ///< in blocks of 4 KiB
    std::uint64_t operations = 0;
};

/// The options of a metadata case.
class MetadataOptions {
  public:
    void declare(OptionSet&);

    /// Refuses contradictory options (Error, usage).
    void validate_choices() const;

    /// The timed phases, in order, each named after its call.
    [[nodiscard]] std::vector<MetadataCall> phases() const;

    /// Does a rank use files that another has created?
    [[nodiscard]] bool visits_others() const {
        return layout == MetadataLayout::common_file || reorder != Visits::none;
    }

    [[nodiscard]] MetadataTotals totals(std::uint64_t ranks) const;

    /// Bytes of the buffer for writing and reading a file.
    [[nodiscard]] std::uint64_t buffer_bytes() const;

    MetadataLayout layout = MetadataLayout::shared_directory;
    std::uint64_t files = 1000;
    Bytes file_bytes{};
    bool stat = true;
    bool open = true;
    bool read = true;
    bool rename = false;
    bool unlink = true;
    bool sync = false;
    FileOrder order = FileOrder::created;
    Visits reorder = Visits::none;
    Repetitions measuring;
    std::uint64_t seed = 0;
    Interface interface = Interface::posix;
    Opening opening = Opening::independent;
    std::string directory = ".";

  private:
    OptionSet const* declared_ = nullptr;
};

}  // namespace weir
