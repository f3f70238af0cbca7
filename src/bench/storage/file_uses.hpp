#pragma once

#include <string>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir {

/// What a pattern does with a file.
struct FileUse {
    bool created = false;           ///< makes it, at some time
    bool checked_before = false;    ///< compares what it has not written itself
    bool updated_before = false;    ///< changes what it has not made itself
    std::uint64_t dense_bytes = 0;  ///< writes every byte before this, where it is plain to see
};

/// In the order of Pattern::files.
std::vector<FileUse> file_uses(Pattern const&);

/// What the pattern writes, or checks, in a word: the same for patterns that reach the same places. Of those that are
/// not the same in how they say it, nothing is known.
std::string written_shape(Pattern const&);
std::string checked_shape(Pattern const&);

}  // namespace weir
