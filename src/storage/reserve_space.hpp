#pragma once

#include <cstdint>
#include <string>

namespace weir {

/// Reserves the first `bytes` of an open file on its device (fallocate), and extends it if shorter; `path` is for
/// messages. Throws Error if there is no space, the file system cannot reserve, or a stop is requested. Local: for one
/// rank.
void reserve_space(int fd, std::string const& path, std::uint64_t bytes);

/// The same for a file that is open inside a library.
void reserve_space(std::string const& path, std::uint64_t bytes);

}  // namespace weir
