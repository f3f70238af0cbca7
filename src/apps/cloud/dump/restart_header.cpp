#include "apps/cloud/dump/restart_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "apps/cloud/dump/layout.hpp"
#include "core/error.hpp"

namespace weir::cloud {

Header header_of(RestartFile const& file) {
    auto const bytes = file.array(header_array());
    std::array<float, 6> reals{};
    std::memcpy(reals.data(), bytes.data(), sizeof reals);
    return header_from(reals, file.path().string());
}

Header restart_header(RestartFile const& file, Triple const& cells, double gamma) {
    auto const path = file.path().string();
    auto const header = header_of(file);
    validate(header.cells == cells, fmt::format("{} is of a grid of {} cells", path, fmt::join(header.cells, " x ")),
             fmt::format("this run has {}", fmt::join(cells, " x ")), "Give the file's cells, or name another file.");
    auto const whole = restart_bytes(cells);
    validate(
        file.has_format() || file.bytes() == whole, fmt::format("{} has {} bytes", path, file.bytes()),
        fmt::format("a restart file of {} cells has {}", fmt::join(cells, " x "), whole),
        file.bytes() < whole ? "Was it cut off? Name one that is whole." : "Is it a restart file? Name one that is.");
    file.check_arrays(files_of(cells, {1, 1, 1}).shape.files.front().arrays);
    validate(header.gamma == static_cast<float>(gamma), fmt::format("the restart '{}' is of another gas", path),
             fmt::format("its gamma is {:.6g}, that of this run {:.6g}", header.gamma, gamma),
             "Give the problem, and gamma, of the run that wrote it.");
    return header;
}

}  // namespace weir::cloud
