#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "apps/aquifer/model/scenario.hpp"
#include "comm/communicator.hpp"

namespace weir::aquifer {

/// What a run simulates: the usual aquifer, or a problem with a known solution, to verify the code.
enum class KnownProblemKind {
    aquifer,
    theis,        ///< a well in confined ground (Theis 1935)
    ogata_banks,  ///< a species that enters a steady flow (Ogata and Banks 1961)
    infiltration  ///< rain on soil above a water table (Gardner 1958); its solution is that of the end
};
constexpr std::array<std::string_view, 4> enum_names(KnownProblemKind) {
    return {"aquifer", "theis", "ogata-banks", "infiltration"};
}

/// The scenario, without what the input file says. A known problem has one conductivity, one species and a soil of its
/// own; Error (usage) for several species. Pure.
Scenario scenario_of(KnownProblemKind, Box const&, std::size_t species, Retention);

/// A field of a model and the known solution at its time.
struct SolutionErrors {
    std::string_view solution{};  ///< "Theis (1935)"
    std::string_view unit{};      ///< of the errors
    double largest_error = 0;
    double mean_error = 0;
    std::uint64_t cells = 0;  ///< that were compared
};

/// This rank's part of a state.
struct KnownState {
    std::span<double const> heads;
    std::span<double const> concentrations;  ///< of the first species
    double time = 0;
};

/// Over all ranks; nothing where the solution does not hold. Theis: cells at least four edges from the well, while a
/// ground without sides would have next to no drawdown at the nearest of them. Collective.
std::optional<SolutionErrors> compared(KnownProblemKind, Scenario const&, Block const&, KnownState const&,
                                       Communicator const&);

}  // namespace weir::aquifer
