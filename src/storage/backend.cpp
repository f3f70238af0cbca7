#include "storage/backend.hpp"

#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace weir {

void Backend::remove(std::filesystem::path const& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
        throw system_error("cannot remove '" + path.string() + "'", errno, "Remove it by hand.");
    }
}

}  // namespace weir
