#pragma once

#include <filesystem>

#include "core/json_fwd.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// Version of the format below; a reader refuses others. The format is in docs/reference/pattern.md.
inline constexpr std::uint64_t pattern_version = 1;

Json to_json(Pattern const&);

/// As in the totals of a job's description: bytes_written, bytes_read, operations, files, bytes_on_disk.
Json to_json(Totals const&);

/// Reads strictly: an unknown or missing key, or a pattern that cannot be carried out, is refused with its place
/// (Error, usage). `folder` contains the list files that it names.
Pattern pattern_from_json(Json const&, std::filesystem::path const& folder = ".");

}  // namespace weir
