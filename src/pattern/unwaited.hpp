#pragma once

#include "pattern/pattern.hpp"

namespace weir {

/// The most bytes that a rank has in flight in asynchronous requests: started and not completed (Wait, Sync, Close, the
/// end of the phase). If the ranks of an access differ, the greatest is taken, so that no rank has more than this. In
/// closed form, except for lists of pieces and the ranks of arrays.
std::uint64_t most_unwaited(Pattern const&);

}  // namespace weir
