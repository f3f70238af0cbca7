#pragma once

#include <array>
#include <string>

#include "apps/cloud/dump/layout.hpp"

namespace weir::cloud {

/// The six reals at the beginning of each file: cells along x, y and z, step, time, gamma; in the byte order of the
/// machine that wrote them. Integers up to 2^24 are exact.
struct Header {
    Triple cells{};
    Index step = 0;
    float time = 0;
    float gamma = 0;

    friend bool operator==(Header const&, Header const&) = default;
};

std::array<float, 6> to_reals(Header const&);

/// Error (usage, naming `path`) if these reals are no header, or that of a machine of the other byte order.
Header header_from(std::array<float, 6> const&, std::string const& path);

}  // namespace weir::cloud
