#pragma once

#include "pattern/pattern.hpp"

namespace weir {

/// Bytes of asynchronous requests that a rank has on their way at once, at most: those that it has begun and not waited
/// for (Wait, Sync, Close, the end of the phase). Of accesses whose ranks have more or less the most is taken, so that
/// no rank has more than this. In closed form, but for lists of pieces and the ranks of arrays.
std::uint64_t most_unwaited(Pattern const&);

}  // namespace weir
