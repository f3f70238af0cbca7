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

std::map<std::string, std::string>& left_out_backends() {
    static std::map<std::string, std::string> reasons;
    return reasons;
}

}  // namespace weir
