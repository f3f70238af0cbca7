#pragma once

#include <memory>

#include "apps/common/run/dump_rules.hpp"
#include "apps/common/run/program.hpp"
#include "apps/common/run/restart_rules.hpp"
#include "core/option.hpp"

namespace weir {

/// The values of the kit's options unless others are given.
struct UsualRun {
    std::uint64_t steps = 20;
    std::uint64_t dump_every = 5;
    DumpMethod method = DumpMethod::two_phase;
    std::string backend = "twophase";
    bool dumps_initial = false;  ///< before the first step too
};

/// A parallel application that computes and dumps. Its options determine its plan and its programs. It has declare(),
/// plan(), memory_bytes() and start(); what else there is has defaults. All members except start() are local.
class Application : public DumpRules, public RestartRules {
  public:
    /// Called in the group `run`; may begin other groups.
    virtual void declare(OptionSet&) = 0;

    /// Refuses options that contradict each other, or do not fit this many ranks (Error, usage). `whole_planes`: each
    /// rank writes the same number of planes of cells (Method::two_phase).
    virtual void validate_choices(std::uint64_t /*ranks*/, bool /*whole_planes*/) const {}

    [[nodiscard]] virtual UsualRun usual() const { return {}; }

    /// The number of ranks given by its options, for a pattern printed without a launch.
    [[nodiscard]] virtual std::uint64_t own_ranks() const { return 1; }

    /// Memory of each of these ranks, without the buffers for dumps.
    [[nodiscard]] virtual std::uint64_t memory_bytes(std::uint64_t ranks) const = 0;

    /// A program before its first step; with `goes_on` it will get a restart. Collective.
    [[nodiscard]] virtual std::unique_ptr<Program> start(Communicator const&, bool goes_on) const = 0;
};

}  // namespace weir
