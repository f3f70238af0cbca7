#pragma once

#include "pattern/pattern.hpp"

namespace weir {

/// The pattern without the computation between requests.
Pattern without_gaps(Pattern);

/// The pattern preceded by a phase that writes the files that it opens without creating them; unchanged if there are
/// none. The phase is named `prepare`, with a number appended if the pattern has such a phase.
Pattern with_files_made(Pattern);

}  // namespace weir
