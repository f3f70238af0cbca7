// The application `heat`: an example to copy for a new one (docs/how-to/add-an-application.md).

#include "apps/common/decomposition_check.hpp"
#include "apps/common/grid.hpp"
#include "apps/common/run/application_job.hpp"
#include "apps/template/heat_files.hpp"

namespace weir::heat {
namespace {

class HeatApplication final : public Application {
  public:
    static constexpr std::string_view name = "heat";
    static constexpr std::string_view summary = "heat conduction in a box, with dumps and restarts; an example to copy";

    void declare(OptionSet& options) override {
        options.add("cells", cells_, "cells along x, y and z; the box is periodic and 1 long along x");
        options.words("cells", {{"*", "{} cells"}});
    }
    void validate_choices(std::uint64_t ranks, bool whole_planes) const override {
        check_fit(cells(), static_cast<Index>(ranks), {}, {.whole_planes = whole_planes});
    }
    [[nodiscard]] DumpPlan plan(std::uint64_t ranks, std::string const& /*backend*/) const override {
        return files_of(cells(), ranks);
    }
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t ranks) const override {
        return 3 * sizeof(double) * static_cast<std::uint64_t>(volume(cells())) / ranks;
    }
    [[nodiscard]] std::uint64_t step_of(RestartFile const& file) const override { return step_in(file, cells()); }
    [[nodiscard]] std::unique_ptr<Program> start(Communicator const& comm, bool /*goes_on*/) const override {
        return std::make_unique<HeatProgram>(comm, cells());
    }

  private:
    [[nodiscard]] Triple cells() const { return parse_triple(cells_, "cells"); }

    std::string cells_ = "64x64x64";
};

RegisterApplication<HeatApplication> const registration;

}  // namespace
}  // namespace weir::heat
