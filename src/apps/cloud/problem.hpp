#pragma once

#include "apps/cloud/jeans.hpp"
#include "apps/cloud/random_cloud.hpp"

namespace weir::cloud {

enum class ProblemKind { random, sphere, sedov, jeans, sod };
constexpr std::array<std::string_view, 5> enum_names(ProblemKind) {
    return {"random", "sphere", "sedov", "jeans", "sod"};
}

/// The initial state of a run. Zero: the problem's default.
struct Problem {
    ProblemKind kind = ProblemKind::random;
    double gamma = 0;      ///< ratio of specific heats; default: random 1.1, sedov and sod 1.4, jeans and sphere 5/3
    double amplitude = 0;  ///< of the density's waves; default: random 0.08 (rms), jeans 1e-4
    double lengths = 0;    ///< the box's (random) or the wave's (jeans) length in Jeans lengths; default: 3 and 0.5
    std::uint64_t seed = 1;

    [[nodiscard]] double gamma_of_gas() const;
    [[nodiscard]] double gravity(Grid const&) const;  ///< the constant G; 0: none

    /// Collective.
    void fill(State&) const;

  private:
    [[nodiscard]] RandomCloud random() const;
    [[nodiscard]] JeansWave jeans() const;
};

/// Refuses (usage) an amplitude, a length or a gamma invalid for the problem. Local.
void validate_problem(Problem const&);

}  // namespace weir::cloud
