#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "bench/metadata/file_calls.hpp"
#include "bench/metadata/metadata_options.hpp"
#include "bench/scratch_directory.hpp"
#include "comm/communicator.hpp"
#include "core/json.hpp"
#include "storage/backend.hpp"
#include "storage/hints.hpp"

namespace weir {

/// One phase of one repetition on one rank.
struct MetadataPhase {
    MetadataCall phase{};
    std::string started_at;
    double start_s = 0;  ///< on rank 0's clock, as is the end
    double end_s = 0;
    std::uint64_t operations = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    MetadataCallTimes times;
    /// For common files: the slowest rank's time, summed over the files.
    std::optional<double> slowest_s;
    /// Ranks with a descriptor of a common file while it is open.
    std::optional<std::uint64_t> opened_by_ranks;
    HintsInForce hints;
};

/// The key parts of its `sample` line, from all ranks. Collective.
Json to_json(MetadataPhase const&, Communicator const&);

/// What all repetitions of a case share, on this rank.
struct MetadataSetting {
    MetadataOptions const& options;
    Communicator comm;
    Clock& clock;
    double clock_offset_s;  ///< to rank 0's
    std::span<std::byte> buffer;
};

/// The phases on the files of one repetition. Construction, run() and remove() are collective and throw the same Error
/// on every rank if any rank failed.
class FilePhases {
  public:
    virtual ~FilePhases() = default;

    /// Runs the phase and fills in this rank's times.
    virtual void run(MetadataPhase&) = 0;

    /// Removes what there still is of files and directories, untimed.
    virtual void remove() = 0;

    /// What is to be known of numbers from disks of the nodes' own.
    [[nodiscard]] Json warnings() const {
        auto const& apart = directory_.apart();
        return apart ? to_json(std::vector{own_disks(options_.directory, *apart)}) : Json::array();
    }

  protected:
    FilePhases(MetadataSetting const& setting, DirectoryUse use, std::unique_ptr<FileCalls> calls)
        : options_(setting.options),
          comm_(setting.comm),
          clock_(setting.clock),
          clock_offset_s_(setting.clock_offset_s),
          directory_(options_.directory, "weir-metadata", comm_, use, WhenStopped::removed,
                     options_.visits_others() ? Sharing::needed : Sharing::welcome),
          calls_(std::move(calls)),
          buffer_(setting.buffer) {}

    MetadataOptions const& options_;
    Communicator comm_;
    Clock& clock_;
    double clock_offset_s_;
    ScratchDirectory directory_;
    std::unique_ptr<FileCalls> calls_;
    std::span<std::byte> buffer_;
};

/// On many files: each rank at its own pace on files of its own or of another rank.
std::unique_ptr<FilePhases> many_files(MetadataSetting const&);

/// On common files: every rank opens the same file at the same time, file after file.
std::unique_ptr<FilePhases> common_file(MetadataSetting const&);

/// Does this process have a descriptor of that file? Nothing if /proc does not show it, or stat fails.
std::optional<bool> holds_descriptor_of(std::filesystem::path const& file);

}  // namespace weir
