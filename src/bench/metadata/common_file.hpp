#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "bench/metadata/file_calls.hpp"
#include "bench/metadata/metadata_options.hpp"
#include "bench/metadata/metadata_result.hpp"
#include "bench/scratch_directory.hpp"

namespace weir {

/// The phases on common files: every rank opens the same file at the same time, one file after the other. One object
/// per rank and repetition. Every member is collective and throws the same Error on every rank if any rank failed.
class CommonFile {
  public:
    /// Creates the files, untimed.
    CommonFile(MetadataOptions const&, Communicator, Clock&, double clock_offset_s, std::span<std::byte> buffer);

    void run(MetadataPhase&);

    /// Removes the files, untimed.
    void remove();

  private:
    void make_files();
    void one_file(MetadataPhase&, FileName const&);
    template <class Step>
    void attempt(Step);
    [[nodiscard]] bool all_well() const;
    void look_who_opened(MetadataPhase&, FileName const&);
    [[nodiscard]] FileName name() const;

    MetadataOptions const& options_;
    Communicator comm_;
    Clock& clock_;
    double clock_offset_s_;
    ScratchDirectory directory_;
    std::unique_ptr<FileCalls> calls_;
    std::span<std::byte> buffer_;
    std::uint64_t made_ = 0;  ///< files created by rank 0
    std::optional<Diagnosis> failure_;
};

/// Does this process have a descriptor of that file? Nothing if /proc does not show it, or stat fails.
std::optional<bool> holds_descriptor_of(std::filesystem::path const& file);

}  // namespace weir
