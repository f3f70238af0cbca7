#include "apps/cloud/program/run_shape.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "apps/cloud/dump/header.hpp"
#include "apps/cloud/dump/header_in.hpp"
#include "core/error.hpp"

namespace weir::cloud {
namespace {

Index step_of_restart(CloudOptions const& options) {
    auto const& path = options.restart;
    std::array<float, 6> reals{};
    if (auto const other = options.other_backend(); other && !other->bytes) {
        return header_from(header_in(path, *other->object), path).step;
    }
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(reals.data()), sizeof reals);
    validate(file.good(), fmt::format("cannot read the header of the restart '{}'", path),
             file.eof() ? "it is too short" : std::strerror(errno), "Name a restart file of a run.");
    return header_from(reals, path).step;
}

}  // namespace

RunShape shape_of(CloudOptions const& options, std::optional<std::uint64_t> ranks) {
    auto const asked = options.ranks();
    auto const first_step = options.restart.empty() ? 0 : step_of_restart(options);
    if (options.dump_every > 0) {
        check_step(first_step + static_cast<Index>(options.steps));
    }
    auto const size = ranks ? static_cast<Index>(*ranks) : volume(asked.value_or(Triple{1, 1, 1}));
    options.check_fit(size);
    auto const other = options.other_backend();
    return {options.grid().cells,
            ranks_along(options.grid(), size, asked),
            first_step,
            static_cast<Index>(options.steps),
            static_cast<Index>(options.dump_every),
            options.reads(),
            options.method,
            !other,
            !other || other->collective};
}

std::uint64_t bytes_left(RunShape const& run) {
    auto const dumps = dumps_of(run);
    std::uint64_t restart = 0;
    std::uint64_t others = 0;
    for (auto const& file : files_of_dump(0)) {
        (file.purpose == Purpose::restart ? restart : others) += file.bytes(run.cells);
    }
    return (run.restarted || dumps > 0 ? restart : 0) + static_cast<std::uint64_t>(dumps) * others;
}

}  // namespace weir::cloud
