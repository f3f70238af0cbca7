#pragma once

#include <string>

namespace weir {

/// What a verb of weir-core reads.
enum class Door { cases, pattern };

/// Refuses a path that is something else that Weir knows (a run, a trace, a study, a pattern, a program): says what it
/// is, and what takes it. What it does not know, and what does not exist, passes. Throws Error.
void refuse_wrong_door(std::string const& path, Door);

}  // namespace weir
