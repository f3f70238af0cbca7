#include "apps/cloud/dump/restart_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace weir::cloud {

std::uint64_t restart_bytes(std::filesystem::path const& path) {
    struct stat status {};
    auto const found = ::stat(path.c_str(), &status) == 0 && ::access(path.c_str(), R_OK) == 0;
    validate(found, path.string() + " cannot be opened", std::strerror(errno), "Name a restart file that may be read.");
    validate(S_ISREG(status.st_mode), path.string() + " cannot be read", "it is no file",
             "Name a file that a dump has left: restart, or one of analysis.");
    auto const bytes = static_cast<std::uint64_t>(status.st_size);
    validate(bytes >= header_bytes, path.string() + " is no restart file",
             fmt::format("it has {} bytes, fewer than its header of {}", bytes, header_bytes),
             "Name a file that a dump has left: restart, or one of analysis.");
    return bytes;
}

Header restart_header(std::array<float, 6> const& reals, std::uint64_t bytes, Triple const& cells,
                      std::string const& path) {
    auto const header = header_from(reals, path);
    validate(header.cells == cells, fmt::format("{} is of a grid of {} cells", path, fmt::join(header.cells, " x ")),
             fmt::format("this run has {}", fmt::join(cells, " x ")), "Give the file's cells, or name another file.");
    auto const whole = DumpFile{}.bytes(cells);
    validate(bytes == whole, fmt::format("{} has {} bytes", path, bytes),
             fmt::format("a restart file of {} cells has {}", fmt::join(cells, " x "), whole),
             bytes < whole ? "Was it cut off? Name one that is whole." : "Is it a restart file? Name one that is.");
    return header;
}

}  // namespace weir::cloud
