#pragma once

#include <cstdint>
#include <vector>

#include "comm/first_failure.hpp"
#include "weir/array.h"

namespace weir::formats {

enum class Use { write, read };

/// What a call of a format's library begins and ends with; all throw Failure.

/// The ranks of a plan. Throws where there is none. Collective.
Communicator ranks_of(weir_plan const*);

/// Throws where a file, names or types are missing, or the plan is one of safe dumps. Local.
void check_arguments(weir_plan const*, char const* path, char const* const* names, void const* types);

/// Throws the error of a call of the two-phase library.
void check(weir_error const&);

/// Writes or reads a plan's arrays at these places of a file, one offset and size of swapped numbers an array.
/// Collective.
void transfer(weir_plan*, Use, char const* path, std::vector<std::int64_t> const& offsets,
              std::vector<int> const& numbers, void* const* buffers);

/// Returns when what was written to a file is on the device. Local.
void sync_to_device(char const* path);

}  // namespace weir::formats
