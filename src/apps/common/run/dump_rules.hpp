#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/common/run/dump_plan.hpp"
#include "apps/common/run/dump_times.hpp"
#include "apps/common/run/strategy.hpp"

namespace weir {

/// What an application dumps. All but plan() is for some only. Local.
class DumpRules {
  public:
    virtual ~DumpRules() = default;

    /// Through this back-end. If the plan changes from dump to dump, that of the first state.
    [[nodiscard]] virtual DumpPlan plan(std::uint64_t ranks, std::string const& backend) const = 0;

    /// The plans of all dumps, if they change: computed as a run of one process would. Otherwise none. Error (usage) if
    /// they depend on the data of a restart.
    [[nodiscard]] virtual std::vector<DumpPlan> plans(std::uint64_t /*ranks*/, std::string const& /*backend*/,
                                                      DumpTimes const&) const {
        return {};
    }

    /// Can the sizes of its dumps change from one to the next?
    [[nodiscard]] virtual bool dumps_vary() const { return false; }

    /// Refuses a back-end that cannot follow the options (Error, usage).
    virtual void validate_backend(BackendKind const&) const {}

    /// Refuses a last step that its dumps cannot represent (Error, usage).
    virtual void check_last_step(std::uint64_t) const {}

    /// Does it recognise its files by their content? Otherwise a file next to them lists them (MadeFiles).
    [[nodiscard]] virtual bool knows_its_files() const { return false; }

    /// Error (cannot run) if an existing file was not written by such a run, and must not be replaced by a dump of this
    /// strategy.
    virtual void check_in_the_way(std::filesystem::path const&, DumpStrategy const&) const;
};

}  // namespace weir
