#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "apps/common/run/application.hpp"
#include "apps/common/run/dump_writer.hpp"
#include "apps/common/run/progress.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// The start of one run.
struct Beginning {
    bool restarted = false;                                  ///< reads a restart first
    std::optional<std::filesystem::path> restart_file = {};  ///< a file other than the directory's own
};

/// Runs a program once: its restart, its steps and its dumps. Its members are collective; an error of any rank is
/// thrown on all.
class OneRun {
  public:
    /// Without files if null; `files`, clock and progress must outlive this.
    OneRun(Program&, DumpWriter* files, Communicator, Clock&, Progress&);

    /// Error (cannot_run) if the file system or the program fails; (interrupted) after a step.
    void run(Beginning const&, DumpTimes const&);

    /// The measurements; of a failed run, those of its finished parts.
    [[nodiscard]] RunFigures figures() const;

  private:
    void read(Beginning const&);
    bool dump_if_due(DumpTimes const&);

    /// Adds the time of some work to a sum.
    template <class Work>
    void timed(double& sum_s, Work work) {
        auto const from_s = clock_.now_s();
        work();
        sum_s += clock_.now_s() - from_s;
    }

    Program& program_;
    DumpWriter* files_;
    Communicator comm_;
    Clock& clock_;
    Progress& progress_;
    RunFigures mine_;
};

}  // namespace weir
