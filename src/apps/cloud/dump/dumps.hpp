#pragma once

#include <filesystem>
#include <memory>

#include "apps/cloud/dump/header.hpp"
#include "apps/cloud/dump/method.hpp"
#include "apps/cloud/state.hpp"
#include "core/clock.hpp"
#include "storage/tally.hpp"

namespace weir::cloud {

/// Writes dumps of a run and reads restarts, through the two-phase library or another back-end. Files hold the same
/// bytes whatever the ranks, the method and the back-end; of formats, the same arrays by name. All members are
/// collective; an error of any rank is thrown on all.
class Dumps {
  public:
    /// `directory` must be there. Error (usage) if the method is two-phase and nz is not a multiple of the ranks.
    Dumps(Decomposition const&, std::filesystem::path directory, Method, Clock&);

    /// Through another back-end, which outlives it.
    Dumps(Decomposition const&, std::filesystem::path directory, OtherBackend, Clock&);
    ~Dumps();

    /// Before a run, error (cannot_run) where what its dumps would replace, after steps from `first` on and as far as
    /// `last`, is no dump. Of very many dumps the first thousand are looked at.
    void check_places(Index first, Index last, Index dump_every) const;

    /// The six files. The restart file is written under another name, synced and renamed: until the new one is whole,
    /// the old one stays. Data is rounded to single precision; `gamma` goes into the header. Error (cannot_run) if the
    /// file system refuses: what was written of this dump under other names than the restart's may be left.
    void write(State const&, double gamma);

    /// The restart file alone.
    void write_restart(State const&, double gamma);

    /// A state as any number of ranks wrote it, by whichever method; double precision of single-precision numbers.
    /// Error (usage), naming the file: not there, no header of such a file, another byte order, other cells than the
    /// decomposition's, or of another size than its header says.
    State read_restart(std::filesystem::path const& path);

    /// The header of the restart that was read last.
    [[nodiscard]] Header const& header() const;

    /// All calls so far on this rank. Local.
    [[nodiscard]] Tally const& log() const;
    void clear_log();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The state as a restart file would give it back: every number rounded to single precision. Local.
void round_to_single(State&);

}  // namespace weir::cloud
