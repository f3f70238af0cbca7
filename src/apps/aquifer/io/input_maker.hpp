#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/aquifer/io/aquifer_files.hpp"
#include "core/random.hpp"

namespace weir::aquifer {

/// A Gaussian random field of mean 0 and variance 1 with the covariance exp(-|h|^2 / 2), h in correlation lengths along
/// each axis: the sum of waves whose wave numbers and phases are drawn, which has no need of neighbours (Kraichnan
/// 1970; Hesse, Prykhodko, Schlueter, Attinger: Environmental Modelling & Software 55, 2014). Its members are local and
/// pure.
class RandomField {
  public:
    RandomField(Point const& correlation, std::uint64_t seed);

    [[nodiscard]] double at(Point const& place) const;

  private:
    struct Wave {
        Point number;
        double phase;
    };
    std::vector<Wave> waves_;
};

/// What the generated input file says.
struct InputSettings {
    bool permuted = false;        ///< cells in a pseudo-random order, another one for materials and permeabilities
    double conductivity = 1e-4;   ///< geometric mean of the saturated ones, m/s
    double spread = 1;            ///< standard deviation of their natural logarithm
    double correlation = 100;     ///< of that, along x and y, m; along z a tenth of the box's height at least two cells
    std::uint64_t materials = 2;  ///< in layers, from below
    std::uint64_t seed = 1;
};

/// The data of a generated input file: any part of any array, the same on all ranks and for all partitions. Its members
/// are local and pure.
class InputMaker {
  public:
    InputMaker(FileShape const&, InputSettings const&);

    /// The elements of an array from this index on.
    void fill(InputArray, std::uint64_t first, std::span<std::byte> data) const;

    /// The value of a cell, by its natural index, from 0.
    [[nodiscard]] double permeability(std::uint64_t cell) const;  ///< m^2
    [[nodiscard]] std::uint64_t material(std::uint64_t cell) const;

  private:
    [[nodiscard]] std::uint64_t cell_at(Shuffle const&, std::uint64_t place) const;

    FileShape shape_;
    InputSettings settings_;
    Shuffle materials_, permeabilities_;  ///< the order of cells
    RandomField field_;
};

// Water of 20 degrees.
constexpr double water_density = 998.2;       ///< kg/m^3
constexpr double water_viscosity = 1.002e-3;  ///< Pa s
constexpr double gravity = 9.80665;           ///< m/s^2

/// The saturated conductivity (m/s) of soil with this permeability (m^2), for water of 20 degrees, and the reverse.
double conductivity_of(double permeability);
double permeability_of(double conductivity);

}  // namespace weir::aquifer
