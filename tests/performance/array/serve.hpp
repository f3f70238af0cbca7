#pragma once

#include "array/block.hpp"
#include "core/json.hpp"

namespace weir::performance {

/// What the driver has to know before it starts ranks: the contenders, and what this build leaves out and why.
Json describe_contenders();

/// Carries out one command a line of rank 0's standard input, `write|overwrite|read|verify CONTENDER PATH`, and
/// answers each by one line of JSON; a file that is not overwritten is removed before it is written. Returns at the end
/// of the input. Between commands the ranks sleep. Contenders are made when they are first named, and stay. Collective.
void serve(Block const&);

}  // namespace weir::performance
