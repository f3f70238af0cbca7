#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "apps/aquifer/model/scenario.hpp"
#include "comm/communicator.hpp"

namespace weir::aquifer {

/// How the states of a run come about.
enum class ModelKind {
    flow,     ///< Richards' equation and transport, solved by PETSc
    analytic  ///< formulae, evaluated: no simulation
};
constexpr std::array<std::string_view, 2> enum_names(ModelKind) { return {"flow", "analytic"}; }

/// Which kind a run wants.
enum class ModelChoice {
    automatic,  ///< flow if every rank can load it
    flow,
    analytic
};
constexpr std::array<std::string_view, 3> enum_names(ModelChoice) { return {"automatic", "flow", "analytic"}; }
constexpr std::array<std::string_view, 3> enum_words(ModelChoice) { return {"", "computed flow", "analytic model"}; }

/// What a model has done so far, the same on all ranks.
struct ModelFigures {
    std::uint64_t steps = 0;   ///< time steps that were made
    std::uint64_t cuts = 0;    ///< time steps that did not converge, and were halved
    std::uint64_t newton = 0;  ///< iterations, those of steps that did not converge too
    std::uint64_t krylov = 0;  ///< iterations of linear solvers, likewise
    /// The worst of all steps: what does not add up, as a fraction of what there is. None without a balance.
    std::optional<double> worst_water_error{};
    std::optional<double> worst_species_error{};
};

/// The state of an aquifer on the ranks of a launch. Fields are of this rank's cells, x fastest, and stay valid until
/// the next advance().
class Model {
  public:
    Model() = default;
    Model(Model const&) = delete;
    Model& operator=(Model const&) = delete;
    virtual ~Model() = default;

    /// This many seconds on: in one step, or in shorter ones where that does not converge, of at least the
    /// 2^Scenario::most_halvings-th part. Where these do not converge either, Error (cannot run) on all ranks alike;
    /// Error (interrupted) likewise if a stop is requested between them. The state is then that of the last step made,
    /// which is a whole one. Collective.
    virtual void advance(double seconds) = 0;

    /// Seconds from the start to this state. Local, as all that follow.
    [[nodiscard]] virtual double time() const = 0;

    [[nodiscard]] virtual std::span<double const> heads() const = 0;  ///< pressure heads, m
    [[nodiscard]] virtual std::span<double const> saturation()
        const = 0;  ///< the fraction of the pores that water fills
    [[nodiscard]] virtual std::span<double const> concentrations(std::size_t species) const = 0;  ///< M

    /// Darcy velocity along an axis at the cells' centres, m/s.
    [[nodiscard]] virtual std::span<double const> velocity(std::size_t axis) const = 0;

    [[nodiscard]] virtual ModelFigures const& figures() const = 0;
    [[nodiscard]] virtual ModelKind kind() const = 0;
};

struct ModelOptions {
    ModelChoice choice = ModelChoice::automatic;
    /// How long an analytic model keeps the processor busy for each cell and step, s: what a day's step of the usual
    /// scenario took on one core (135x250x8 cells; four iterations of Newton's, 73 of the linear solvers).
    double busy_s_per_cell = 9e-6;
};

/// The model of a scenario at its start, on the ranks of block_of(). Ground is that of this rank's cells. Error (usage)
/// if the scenario is none, or a cell's ground is no soil, naming the first such cell by its natural id (from 1, x
/// fastest); Error (cannot run) where flow is wanted and some rank cannot load it: on all ranks alike. Collective.
std::unique_ptr<Model> make_model(Communicator const&, Scenario const&, Ground const& own_cells,
                                  ModelOptions const& = {});

}  // namespace weir::aquifer
