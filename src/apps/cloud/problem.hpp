#pragma once

#include "apps/cloud/known_problems.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// The cloud of a production run: isothermal gas at rest, with sound speed c = 1 at density 1, whose density is 1 and a
/// Gaussian random field. Each wave depends only on its mode numbers and the seed, so that the cloud depends neither on
/// the ranks nor, apart from being sampled, on the cells.
struct RandomCloud {
    double gamma = 1.1;       ///< below 4/3 a collapse is unstable
    double amplitude = 0.08;  ///< rms of the field
    double lengths = 3;       ///< the box's length along x in Jeans lengths, c sqrt(pi / G)
    std::uint64_t seed = 1;

    [[nodiscard]] double gravity(Grid const&) const;  ///< the constant G
};

/// Waves with mode numbers up to 4 in length. Local.
void fill_random_cloud(State&, RandomCloud const&);

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
