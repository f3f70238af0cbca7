#include "apps/cloud/dump/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "apps/cloud/dump/layout.hpp"
#include "core/error.hpp"
#include "core/join.hpp"

namespace weir::cloud {
namespace {

using Reals = std::array<float, 6>;

bool is_whole(float x, float least) {
    return x >= least && x <= static_cast<float>(greatest_in_header) && x == std::floor(x);
}

bool is_header(Reals const& r) {
    return is_whole(r[0], 1) && is_whole(r[1], 1) && is_whole(r[2], 1) && is_whole(r[3], 0) && std::isfinite(r[4]) &&
           std::isfinite(r[5]) && r[5] > 0;
}

Reals swapped(Reals reals) {
    for (auto& x : reals) {
        auto bytes = std::bit_cast<std::array<std::byte, sizeof x>>(x);
        std::ranges::reverse(bytes);
        x = std::bit_cast<float>(bytes);
    }
    return reals;
}

}  // namespace

void check_step(Index step) {
    validate(step <= greatest_in_header, fmt::format("no dump can represent step {}", step),
             fmt::format("it is a 4-byte real in the header, and whole numbers are exact up to {} there",
                         greatest_in_header),
             "Take fewer steps, or no dumps (dump_every = 0).");
}

std::array<float, 6> to_reals(Header const& h) {
    check_step(h.step);
    return {static_cast<float>(h.cells[0]),
            static_cast<float>(h.cells[1]),
            static_cast<float>(h.cells[2]),
            static_cast<float>(h.step),
            h.time,
            h.gamma};
}

Header header_from(std::array<float, 6> const& r, std::string const& path) {
    validate(is_header(r) || !is_header(swapped(r)), path + " is of a machine of the other byte order",
             "the numbers of its header make sense only if their bytes are reversed",
             "Reverse the bytes of its 4-byte numbers, all of them.");
    validate(is_header(r), path + " is no restart file",
             fmt::format("it begins with the numbers {}, and not with cells along x, y and z, step, time and gamma",
                         join(r, ", ")),
             "Name a file that a dump has left: restart, or one of analysis.");
    auto const whole = [&](std::size_t i) { return static_cast<Index>(r[i]); };
    return {{whole(0), whole(1), whole(2)}, whole(3), r[4], r[5]};
}

Header header_of(RestartFile const& file) {
    auto const bytes = file.array(header_array());
    std::array<float, 6> reals{};
    std::memcpy(reals.data(), bytes.data(), sizeof reals);
    return header_from(reals, file.path().string());
}

Header restart_header(RestartFile const& file, Triple const& cells, double gamma) {
    auto const path = file.path().string();
    auto const header = header_of(file);
    validate(header.cells == cells, fmt::format("{} is of a grid of {} cells", path, join(header.cells, " x ")),
             fmt::format("this run has {}", join(cells, " x ")), "Give the file's cells, or name another file.");
    auto const whole = restart_bytes(cells);
    validate(file.has_format() || file.bytes() == whole, fmt::format("{} has {} bytes", path, file.bytes()),
             fmt::format("a restart file of {} cells has {}", join(cells, " x "), whole),
             file.bytes() < whole ? "Was it cut off? Name a complete one." : "Is it a restart file? Name one that is.");
    file.check_arrays(files_of(cells, {1, 1, 1}).shape.files.front().arrays);
    validate(header.gamma == static_cast<float>(gamma), fmt::format("the restart '{}' is of another gas", path),
             fmt::format("its gamma is {:.6g}, that of this run {:.6g}", header.gamma, gamma),
             "Give the problem, and gamma, of the run that wrote it.");
    return header;
}

}  // namespace weir::cloud
