#include "apps/cloud/dump/old_dump.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "apps/cloud/dump/header.hpp"
#include "core/error.hpp"
#include "core/own_file.hpp"

namespace weir::cloud {
namespace {

/// A header and at most its cells' bytes; or an empty file.
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
        return bytes <= restart_bytes(header_from(reals, path.string()).cells);
    } catch (Error const&) {
        return false;
    }
}

bool has_header(std::filesystem::path const& path, Strategy const& strategy) {
    try {
        static_cast<void>(header_of({path, strategy}));
        return true;
    } catch (Error const&) {
        return false;
    }
}

}  // namespace

void check_place_of_dump(std::filesystem::path const& path, Strategy const& strategy) {
    if (!is_there(path)) {
        return;
    }
    auto const file = open_own_file(path, O_RDWR);
    auto const has_format = strategy.format() != nullptr;
    if (!looks_like_dump(file, path) && !(has_format && has_header(path, strategy))) {
        throw Error(
            {fmt::format("'{}' already exists, and is not touched", path.string()),
             has_format ? "it is no dump of a gas cloud that this back-end reads" : "it is no dump of a gas cloud",
             "Move it away, or name another directory with dir.", ExitCode::cannot_run});
    }
}

}  // namespace weir::cloud
