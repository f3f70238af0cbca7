#pragma once

#include <optional>

#include "apps/cloud/dump/cloud_figures.hpp"
#include "apps/cloud/dump/pictures.hpp"
#include "apps/common/run/application.hpp"

namespace weir::cloud {

/// The problem of a run, and how it ends.
struct Task {
    Physics physics;
    bool computes = true;          ///< otherwise its steps change nothing
    bool stops_unresolved = true;  ///< stops when the grid becomes too coarse
    bool goes_on = false;          ///< continues from a restart, which is read into it
};

/// A gas cloud as the arrays of its dumps, in single precision, and pictures of it.
class CloudProgram final : public Program {
  public:
    CloudProgram(State, Task const&);

    void begin() override;
    void advance() override;
    [[nodiscard]] std::uint64_t step() const override { return static_cast<std::uint64_t>(state().step); }
    [[nodiscard]] bool has_ended() const override { return figures_.unresolved.has_value(); }
    void prepare_dump() override;
    void observe() override;
    [[nodiscard]] std::string standing(double compute_s) const override;
    [[nodiscard]] std::vector<Metric> metrics(RunFigures const& run) const override { return figures_.metrics(run); }
    [[nodiscard]] Json labels() const override;
    void complete(Json& details, RunFigures const& run) const override { figures_.complete(details, run); }
    [[nodiscard]] Json warnings() const override { return figures_.warnings(); }

    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override;
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override;
    std::span<std::byte> message(Broadcast const&) override { return std::as_writable_bytes(std::span(header_)); }

    [[nodiscard]] State const& state() const { return simulation_ ? simulation_->state() : *state_; }

  private:
    void solve_step();
    void check_resolution();

    Task task_;
    std::optional<State> state_;  ///< until a simulation owns it
    std::optional<Simulation> simulation_;
    std::array<float, 6> header_{};  ///< of the dump being written, or read
    Ranges shown_{};                 ///< in pictures
    Index made_ = 0;                 ///< steps in this run
    double dt_ = 0;                  ///< of the last step
    Peak peak_;
    CloudFigures figures_;
};

/// Refuses (Error, usage) values that no gas has, which would otherwise show as a failure of the scheme. Collective.
void check_state(State const&, std::string const& whence, char const* advice);

}  // namespace weir::cloud
