#pragma once

#include <cstdint>
#include <vector>

#include "comm/collective_error_c.hpp"
#include "weir/array.h"

namespace weir::formats {

enum class Use { write, read };

/// Common first and last steps of a call of a format's library; all throw Failure.

/// The ranks of a plan. Throws if there is no plan. Collective.
Communicator ranks_of(weir_plan const*);

/// Throws if a file, names or types are missing, or the plan is for safe dumps. Local.
void check_arguments(weir_plan const*, char const* path, char const* const* names, void const* types);

/// Throws the error of a call of the two-phase library.
void check(weir_error const&);

/// Writes or reads a plan's arrays at these offsets of a file, one offset and size of swapped numbers per array.
/// Collective.
void transfer(weir_plan*, Use, char const* path, std::vector<std::int64_t> const& offsets,
              std::vector<int> const& numbers, void* const* buffers);

/// Returns when a file's written data is on the device. Local.
void sync_to_device(char const* path);

}  // namespace weir::formats
