#pragma once

#include <string>

#include "lists/dumper.hpp"

namespace weir::performance {

/// Measures and prints dumps of variables by everything that there is, in turn, into new files in a directory; and
/// reading them. Each contender's file and what it reads are compared with what they should be first. Collective.
void measure_dumps(Variables const&, std::string const& directory, int repetitions);

}  // namespace weir::performance
