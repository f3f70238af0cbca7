#pragma once

#include <string_view>

#include "core/rank_progress.hpp"

namespace weir {

/// Counts this process's steps in that place, and has a signal `where_signal` to its main thread make it write there
/// where it is, until the next call. Not while other threads count; null: in memory of its own, and signals do nothing.
void show_progress_in(RankProgress*);

/// Its default action is none, so that it does no harm where nobody handles it.
extern int const where_signal;

/// Is that a function that waits for files and never for other ranks?
bool is_file_call(std::string_view function);

}  // namespace weir
