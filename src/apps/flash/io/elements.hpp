#pragma once

#include "apps/flash/io/flash_io_files.hpp"

namespace weir::flash {

// The types of numbers and texts in FLASH's files.

inline Element integers() { return {Element::Kind::integer, 4}; }
inline Element text(std::uint64_t characters) { return {Element::Kind::text, characters}; }
inline Element doubles() { return {Element::Kind::real, 8}; }

/// Double precision in checkpoints, single in plot files.
inline Element reals_in(FileKind kind) { return {Element::Kind::real, kind == FileKind::checkpoint ? 8U : 4U}; }

}  // namespace weir::flash
