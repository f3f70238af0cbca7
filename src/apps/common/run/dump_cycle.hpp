#pragma once

#include <filesystem>

#include "apps/common/run/application.hpp"
#include "storage/engine.hpp"

namespace weir {

/// Writes the dumps of a run and reads its restart. All members are collective, and throw the same Error on all ranks;
/// a signal that asks to stop waits until a dump is whole.
class DumpCycle {
  public:
    /// `collective`: the back-end has calls that all ranks make together; else each rank makes its own. Files go into
    /// `directory`, where only those that this object has made are ever replaced.
    DumpCycle(DumpPlan, Backend&, bool collective, Communicator, std::filesystem::path const& directory, Clock&);

    void dump(Program&);
    void restart(Program&);

    /// What this rank has called so far. Local.
    [[nodiscard]] Tally const& calls() const { return calls_; }
    void forget() { calls_ = {}; }

  private:
    void run(char const* name, std::vector<Step> const&, Program&);

    DumpPlan plan_;
    Engine engine_;
    std::vector<FileBounds> bounds_;
    Tally calls_{};
};

}  // namespace weir
