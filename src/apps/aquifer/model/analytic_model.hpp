#pragma once

#include <array>
#include <memory>
#include <vector>

#include "apps/aquifer/model/exact.hpp"
#include "apps/aquifer/model/model.hpp"
#include "core/clock.hpp"

namespace weir::aquifer {

/// States for a build without PETSc, so that the same I/O can be measured. This is no simulation: each field is a
/// formula's value at that time, and no two of them belong to the same aquifer.
/// - Pressure heads: hydrostatic below the straight line from the western head to the eastern one, less the drawdown
///   that a well in confined ground makes (Theis), at the mean place of the scenario's wells; of one conductivity, the
///   scenario's, and the box's height.
/// - Saturation: 1.
/// - Velocities: Darcy's law for these heads at that conductivity.
/// - Concentrations: the first species enters at the upstream side at 1 M (Ogata and Banks), with the velocity that the
///   flow without the well has; its decay chain exactly. Other species are absent. The scenario's source is not used.
/// A step keeps the processor busy as long as a simulation would.
class AnalyticModel final : public Model {
  public:
    /// Error (usage) if there is no formula for the species. Local, as all members.
    AnalyticModel(Scenario const&, Block const&, double busy_s_per_cell, std::unique_ptr<Clock>);

    /// Ends early if a stop is requested.
    void advance(double seconds) override;

    [[nodiscard]] double time() const override { return time_; }
    [[nodiscard]] std::span<double const> heads() const override { return heads_; }
    [[nodiscard]] std::span<double const> saturation() const override { return saturation_; }
    [[nodiscard]] std::span<double const> concentrations(std::size_t species) const override {
        return concentrations_.at(species);
    }
    [[nodiscard]] std::span<double const> velocity(std::size_t axis) const override { return velocity_.at(axis); }
    [[nodiscard]] ModelFigures const& figures() const override { return figures_; }
    [[nodiscard]] ModelKind kind() const override { return ModelKind::analytic; }

  private:
    void evaluate();
    void evaluate_heads();
    void evaluate_species();
    [[nodiscard]] double slope() const;
    template <class Value>
    void fill_columns(std::vector<double>& field, Value value) const;

    Scenario scenario_;
    Block block_;
    double busy_s_;  ///< per step
    std::unique_ptr<Clock> clock_;
    Pumping well_;
    std::array<double, 2> well_at_{};  ///< x and y, m
    std::vector<std::vector<double>> weights_;
    double time_ = 0;
    std::vector<double> heads_, saturation_;
    std::vector<std::vector<double>> concentrations_;
    std::array<std::vector<double>, axes> velocity_;
    ModelFigures figures_;
};

}  // namespace weir::aquifer
