#pragma once

#include <string>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir {

/// How a pattern uses a file.
struct FileUse {
    bool created = false;           ///< creates it, at some point, or renames another file to it
    bool checked_before = false;    ///< checks data that it has not written itself
    bool updated_before = false;    ///< changes a file that it has not created
    std::uint64_t dense_bytes = 0;  ///< writes every byte before this, if easily determined
};

/// In the order of Pattern::files.
std::vector<FileUse> file_uses(Pattern const&);

/// Does a rank use a file that another rank has created? Then all nodes must see the same files.
bool shares_files(Pattern const&);

/// A hash of what the pattern writes or checks: equal for equal accesses. Unequal hashes prove nothing: the same
/// accesses can be expressed differently.
std::string written_shape(Pattern const&);
std::string checked_shape(Pattern const&);

}  // namespace weir
