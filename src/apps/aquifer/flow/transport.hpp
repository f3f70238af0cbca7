#pragma once

#include <span>
#include <vector>

#include "apps/aquifer/flow/richards.hpp"
#include "apps/aquifer/model/species.hpp"

namespace weir::aquifer {

/// The amount of a species in one step, over all ranks, M m^3.
struct SpeciesBalance {
    double before = 0;
    double after = 0;
    double entered = 0;  ///< through sides and wells, less what left
    double decayed = 0;  ///< less what came from the species before it

    /// What does not add up, as a fraction of the largest of them.
    [[nodiscard]] double error() const;
};

/// The water of one step, as transport sees it.
struct WaterStep {
    double dt = 0;                   ///< s
    std::span<double const> before;  ///< water per volume of soil in this rank's cells
    std::span<double const> after;
    Richards const& flow;  ///< has just made the step
};

/// Transport of species with the water per volume of soil theta: d(theta R C)/dt + div(q C - theta D grad C) + lambda
/// theta R C = gain, with theta D = theta D_m + dispersivity |q| across each face: cell-centred finite volumes, upwind,
/// backward Euler, one linear system a species, in the order of the decay chain.
class Transport {
  public:
    /// Without any of them anywhere. The mesh must outlive this. Collective, as the next.
    Transport(Mesh const&, std::vector<Species>, std::vector<Well> const&);

    /// Krylov iterations of all species. Error (cannot run) if a linear system cannot be solved.
    int step(WaterStep const&);

    /// Concentrations of a species in this rank's cells, x fastest. Local, as all that follow.
    [[nodiscard]] std::vector<double> const& concentrations(std::size_t species) const { return now_[species]; }
    void set(std::size_t species, std::vector<double> concentrations);

    [[nodiscard]] std::size_t count() const { return species_.size(); }
    [[nodiscard]] SpeciesBalance const& balance(std::size_t species) const { return balances_[species]; }

  private:
    template <class Visit>
    void each_face(Species const&, WaterStep const&, std::span<double const> content, Visit visit) const;
    int advance(std::size_t number, WaterStep const&, std::span<double const> content);
    int solve(std::vector<double>& now);

    Mesh const& mesh_;
    std::vector<Species> species_;
    std::vector<double> wells_;  ///< of this rank's cells, m^3/s
    std::vector<std::vector<double>> now_;
    std::vector<double> gain_;  ///< of the species before, M m^3/s by cell
    std::vector<SpeciesBalance> balances_;
    PetscVector unknown_, right_;
    PetscMatrix matrix_;
    PetscKrylov krylov_;
};

}  // namespace weir::aquifer
