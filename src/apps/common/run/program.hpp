#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/run/dump_plan.hpp"
#include "apps/common/run/run_report.hpp"
#include "storage/engine/data_source.hpp"

namespace weir {

/// One run of an application on the ranks of a launch: its state, as the data of its arrays. Created again for each
/// repetition. It has advance(), fill() and take(); what else there is has defaults.
class Program : public DataSource, public RunReport {
  public:
    /// Called once, before the first step: the state is the initial one or that of a restart, which may still be
    /// refused (Error, usage). Counts as computing. Collective.
    virtual void begin() {}

    /// One time step. Collective.
    virtual void advance() = 0;

    /// The same, counted in step_. Collective.
    void make_step() {
        advance();
        ++step_;
    }

    /// Steps from the initial state to this one; for a restart, known after begin(). Local.
    [[nodiscard]] virtual std::uint64_t step() const { return step_; }

    /// Has it ended before its last step? Then it dumps once more. The same on all ranks. Local.
    [[nodiscard]] virtual bool has_ended() const { return false; }

    /// Called before each dump, as a part of it: computes values that need all ranks. Collective.
    virtual void prepare_dump() {}

    /// The plan of its next dump if that differs from the application's: other arrays and partitions of the same files,
    /// with the same parts. Local.
    [[nodiscard]] virtual std::optional<DumpPlan> next_plan(std::string const& /*backend*/) const { return {}; }

    /// Called before the first step and after the last one, for its own figures. Not timed. Collective.
    virtual void observe() {}

  protected:
    std::uint64_t step_ = 0;  ///< a restart sets it
};

}  // namespace weir
