#pragma once

#include <memory>
#include <optional>
#include <span>

#include "bench/metadata/file_calls.hpp"
#include "bench/metadata/metadata_options.hpp"
#include "bench/metadata/metadata_result.hpp"
#include "bench/scratch_directory.hpp"
#include "core/random.hpp"

namespace weir {

/// The phases on many files, each rank independently on its own files or another rank's. One object per rank and
/// repetition. run() and remove() are collective and throw the same Error on every rank if any rank failed.
class ManyFiles {
  public:
    ManyFiles(MetadataOptions const&, Communicator, Clock&, double clock_offset_s, std::span<std::byte> buffer);

    /// Runs the phase and fills in this rank's times.
    void run(MetadataPhase&);

    /// Removes all remaining files and directories.
    void remove();

  private:
    [[nodiscard]] std::uint64_t acting_rank() const;
    [[nodiscard]] std::uint64_t place(std::uint64_t step) const { return order_ ? (*order_)(step) : step; }
    void carry_out(MetadataPhase&, std::uint64_t rank);
    void create(MetadataPhase&, Stopwatch&, FileName&);
    void visit(MetadataPhase&, Stopwatch&, FileName&, FileName& renamed);

    MetadataOptions const& options_;
    Communicator comm_;
    Clock& clock_;
    double clock_offset_s_;
    std::uint64_t ranks_per_node_;
    ScratchDirectory directory_;
    std::unique_ptr<FileCalls> calls_;
    std::span<std::byte> buffer_;
    std::optional<Shuffle> order_;
    std::uint64_t created_ = 0;      ///< files that this rank has created
    std::uint64_t phases_done_ = 0;  ///< including creation
    bool renamed_ = false;
};

}  // namespace weir
