#pragma once

#include <string>

namespace weir {

/// A shared library, by the name that the system looks for or by its path; null where it cannot be loaded, with the
/// reason. A path that is no file is not opened: of a pipe one would wait for ever. Nor is a name that LD_LIBRARY_PATH
/// would have found relative to the current directory, as an empty entry does: it is of whoever may write there. Local.
void* open_shared_library(std::string const& name, std::string& why_not);

}  // namespace weir
