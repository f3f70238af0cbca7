#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "apps/cloud/dump/header.hpp"
#include "apps/cloud/simulation.hpp"
#include "apps/cloud/state.hpp"
#include "apps/cloud/totals.hpp"
#include "apps/common/run/application.hpp"
#include "apps/common/run/run_figures.hpp"
#include "bench/metric.hpp"

namespace weir::cloud {

/// The values of a picture's darkest and brightest shade.
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();

    /// Values that are not finite are ignored.
    void add(Range const& other);
};

/// Of log rho, p, |u| and phi.
struct Ranges : std::array<Range, enum_names(Picture{}).size()> {
    void add(Ranges const&);
};

/// The ranges over all ranks. Collective.
Ranges ranges_of(State const&);

/// One byte per cell of this rank's block, from 0 at the minimum to 255 at the maximum, rounded to nearest; 0 if both
/// are equal, and where the logarithm is undefined. Independent of the ranks. Local.
void paint(State const&, Picture, Range const&, std::span<std::uint8_t> cells);

/// Where a run violated Truelove's condition.
struct Unresolved {
    Peak peak;
    double time = 0;
    Index step = 0;
};

/// Results of a run besides the times and files of every application, over all ranks. Its members are local.
struct CloudFigures {
    Triple cells{};
    Triple ranks{};
    bool computes = false;
    Effort effort{};
    std::optional<GasTotals> before{}, after{};
    std::optional<Unresolved> unresolved{};

    [[nodiscard]] std::vector<Metric> metrics(RunFigures const&) const;
    void complete(Json& details, RunFigures const&) const;
    [[nodiscard]] Json warnings() const;
};

/// The "Communication" count of Thakur, Gropp, Lusk (1996) for two-phase I/O: for A arrays moved by P ranks, T = px py
/// of which hold the same planes, P A (P + T - 2), and one for each rank that has read a header. The paper does not
/// explain the P - T calls beyond 2 (T - 1) messages per rank and array; here nothing is sent for them. Local.
std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read);

/// The problem of a run, and how it ends.
struct DumpTask {
    Physics physics;
    bool computes = true;          ///< otherwise its steps change nothing
    bool stops_unresolved = true;  ///< stops when the grid becomes too coarse
    bool goes_on = false;          ///< continues from a restart, which is read into it
};

/// A gas cloud as the arrays of its dumps, in single precision, and pictures of it.
class CloudProgram final : public Program {
  public:
    CloudProgram(State, DumpTask const&);

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

    DumpTask task_;
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
