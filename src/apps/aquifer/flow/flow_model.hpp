#pragma once

#include <array>
#include <vector>

#include "apps/aquifer/flow/transport.hpp"
#include "apps/aquifer/model/model.hpp"

namespace weir::aquifer {

/// Variably saturated flow, and then transport with its water, in the same time steps. Velocities are the mean of those
/// through a cell's two faces.
class FlowModel final : public Model {
  public:
    /// Collective, as advance().
    FlowModel(Communicator const&, Scenario const&, Ground const& own_cells);

    void advance(double seconds) override;

    [[nodiscard]] double time() const override { return time_; }
    [[nodiscard]] std::span<double const> heads() const override { return heads_; }
    [[nodiscard]] std::span<double const> saturation() const override { return saturation_; }
    [[nodiscard]] std::span<double const> concentrations(std::size_t species) const override {
        return transport_.concentrations(species);
    }
    [[nodiscard]] std::span<double const> velocity(std::size_t axis) const override { return velocity_.at(axis); }
    [[nodiscard]] ModelFigures const& figures() const override { return figures_; }
    [[nodiscard]] ModelKind kind() const override { return ModelKind::flow; }

  private:
    [[nodiscard]] bool step(double dt);
    void take_fields();

    Mesh mesh_;
    Richards richards_;
    Transport transport_;
    Index parts_;  ///< of what advance() is asked for: the shortest step is one
    Index part_;   ///< the next step
    double time_ = 0;
    std::vector<double> water_;  ///< per volume of soil
    std::vector<double> heads_, saturation_;
    std::array<std::vector<double>, axes> velocity_;
    ModelFigures figures_;
};

}  // namespace weir::aquifer
