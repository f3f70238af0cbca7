#pragma once

#include "apps/common/run/application.hpp"
#include "apps/template/heat.hpp"

namespace weir::heat {

/// Files of a dump: `restart`, from which a run can continue, written under a temporary name and renamed when complete,
/// with the step and the temperature; and `temperature-STEP` in single precision.
DumpPlan files_of(Triple const& cells, std::uint64_t ranks);

/// The step of a restart. Error (usage), naming it, unless it has these cells. Local.
std::uint64_t step_in(RestartFile const&, Triple const& cells);

/// The box as the data of these files.
class HeatProgram final : public Program {
  public:
    HeatProgram(Communicator const& comm, Triple const& cells) : heat_(comm, cells) {}

    void advance() override { heat_.advance(); }
    [[nodiscard]] std::vector<Metric> metrics(RunFigures const&) const override;
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override;
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override;
    std::span<std::byte> message(Broadcast const&) override { return std::as_writable_bytes(std::span(&step_, 1)); }

    [[nodiscard]] Heat& heat() { return heat_; }

  private:
    Heat heat_;
};

}  // namespace weir::heat
