#pragma once

#include "pattern/pattern.hpp"

namespace weir {

/// The pattern without the time that its program computes between requests.
Pattern without_gaps(Pattern);

/// The pattern with a phase in front that writes the files that it opens without having made them; the same where there
/// are none. The phase is named `prepare`, or so with a number where the pattern has such a phase.
Pattern with_files_made(Pattern);

}  // namespace weir
