#include "bench/metadata/open_descriptors.hpp"

#include <sys/stat.h>

namespace weir {

std::optional<bool> holds_descriptor_of(std::filesystem::path const& file) {
    struct stat wanted {};
    std::error_code error;
    std::filesystem::directory_iterator const descriptors("/proc/self/fd", error);
    if (error || ::stat(file.c_str(), &wanted) != 0) {
        return {};
    }
    for (auto const& entry : descriptors) {
        struct stat status {};
        if (::stat(entry.path().c_str(), &status) == 0 && status.st_dev == wanted.st_dev &&
            status.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}

}  // namespace weir
