#pragma once

#include <string>
#include <vector>

#include "storage/backend.hpp"

namespace weir::testing {

/// The names of the back-ends of this build.
inline std::vector<std::string> all_backends() {
    std::vector<std::string> names;
    for (auto const& [name, kind] : Backends::instance().items()) {
        names.push_back(name);
    }
    return names;
}

}  // namespace weir::testing
