#include "apps/cloud/dump/restart_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"

namespace weir::cloud {

Header restart_header(CountedFile& file, Triple const& cells, std::string const& path) {
    auto const bytes = file.size();
    validate(bytes >= header_bytes, path + " is no restart file",
             fmt::format("it has {} bytes, fewer than its header of {}", bytes, header_bytes),
             "Name a file that a dump has left: restart, or one of analysis.");
    std::array<float, 6> reals{};
    file.read(0, std::as_writable_bytes(std::span(reals)));
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
