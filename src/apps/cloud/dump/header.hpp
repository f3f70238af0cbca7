#pragma once

#include <array>
#include <string>

#include "apps/cloud/dump/layout.hpp"
#include "apps/common/run/restart_reader.hpp"

namespace weir::cloud {

/// The six reals at the beginning of each file: cells along x, y and z, step, time, gamma; in the byte order of the
/// writing machine.
struct Header {
    Triple cells{};
    Index step = 0;
    float time = 0;
    float gamma = 0;

    friend bool operator==(Header const&, Header const&) = default;
};

/// Integers up to this are exact in single precision; the upper bound for cells and step of a dump.
constexpr Index greatest_in_header = Index{1} << 24;

/// Error (usage) if a dump cannot represent this step. Local.
void check_step(Index step);

/// Error (usage) as check_step().
std::array<float, 6> to_reals(Header const&);

/// Error (usage, naming `path`) if these reals are not a header, or have the other byte order.
Header header_from(std::array<float, 6> const&, std::string const& path);

/// The header of any file of a dump. Error (usage), naming it, if it has none. Local, as the next.
Header header_of(RestartFile const&);

/// The header of a restart. Error (usage), naming it, unless the restart is complete and has these cells and this
/// gamma.
Header restart_header(RestartFile const&, Triple const& cells, double gamma);

}  // namespace weir::cloud
