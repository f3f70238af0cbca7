#pragma once

#include <cstdint>
#include <string>

namespace weir {

/// Reserves the first `bytes` of an open file on its device (fallocate), at most making it larger; `path` is for
/// messages. Throws Error where there is no room, the file system cannot, or a stop is requested. Local: for one rank.
void reserve_space(int fd, std::string const& path, std::uint64_t bytes);

/// The same for a file that a library holds open.
void reserve_space(std::string const& path, std::uint64_t bytes);

}  // namespace weir
