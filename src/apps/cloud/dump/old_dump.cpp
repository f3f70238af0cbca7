#include "apps/cloud/dump/old_dump.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "apps/cloud/dump/header.hpp"
#include "apps/cloud/dump/header_in.hpp"
#include "apps/cloud/dump/layout.hpp"
#include "core/error.hpp"

namespace weir::cloud {
namespace {

/// A header, and no more than its cells take; or nothing at all.
bool looks_like_dump(Descriptor const& file, std::filesystem::path const& path) {
    auto const bytes = file.identity().bytes;
    if (bytes == 0) {
        return true;
    }
    std::array<float, 6> reals{};
    if (::pread(file.get(), reals.data(), sizeof reals, 0) != sizeof reals) {
        return false;
    }
    try {
        return bytes <= DumpFile{}.bytes(header_from(reals, path.string()).cells);
    } catch (Error const&) {
        return false;
    }
}

bool has_header(std::filesystem::path const& path, Backend& format) {
    try {
        static_cast<void>(header_from(header_in(path, format), path.string()));
        return true;
    } catch (Error const&) {
        return false;
    }
}

}  // namespace

Descriptor open_old_dump(std::filesystem::path const& path, Backend* format) {
    auto file = open_own_file(path, O_RDWR);
    if (!looks_like_dump(file, path) && (format == nullptr || !has_header(path, *format))) {
        throw Error({fmt::format("'{}' is there already, and is not touched", path.string()),
                     format == nullptr ? "it is no dump of a gas cloud"
                                       : "it is no dump of a gas cloud that this back-end reads",
                     "Move it away, or name another directory with dir.", ExitCode::cannot_run});
    }
    return file;
}

void check_place_of_dump(std::filesystem::path const& path, Backend* format) {
    if (is_there(path)) {
        static_cast<void>(open_old_dump(path, format));
    }
}

}  // namespace weir::cloud
