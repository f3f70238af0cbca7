#include "apps/cloud/dump/header.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/join.hpp"
#include "core/own_file.hpp"

namespace weir::cloud {
namespace {

constexpr std::uint64_t restart = 0, aside = 1, analysis = 2, first_picture = 3;  // files
constexpr std::uint64_t of_rank0 = 1;                                             // per file: the header

using Shape = std::vector<std::uint64_t>;

/// In file order: the slowest dimension, z, first.
Shape slowest_first(Triple const& n) {
    return {static_cast<std::uint64_t>(n[2]), static_cast<std::uint64_t>(n[1]), static_cast<std::uint64_t>(n[0])};
}

File with_fields(std::string name, Shape const& cells) {
    File file{.name = std::move(name)};
    file.arrays = {header_array()};
    for (auto const& field : enum_names(Variable{})) {
        auto const& last = file.arrays.back();
        file.arrays.push_back(
            {std::string(field), {Element::Kind::real, sizeof(float)}, cells, *last.offset + bytes_of(last)});
    }
    return file;
}

File with_picture(std::string_view name, Shape const& cells) {
    File file{.name = std::string(name)};
    file.arrays = {header_array(), {std::string(name), {Element::Kind::natural, 1}, cells, header_bytes}};
    return file;
}

}  // namespace

Array header_array() { return {"header", {Element::Kind::real, sizeof(float)}, {header_bytes / sizeof(float)}, 0}; }

std::uint64_t restart_bytes(Triple const& cells) {
    return header_bytes + enum_names(Variable{}).size() * sizeof(float) * static_cast<std::uint64_t>(volume(cells));
}

DumpPlan files_of(Triple const& cells, Triple const& ranks) {
    auto const shape = slowest_first(cells);
    DumpPlan plan;
    plan.shape.name = "cloud";
    plan.shape.ranks = static_cast<std::uint64_t>(volume(ranks));
    plan.shape.scales = Scaling::strong;
    plan.shape.partitions = {Partition{}, Partition{.grid = slowest_first(ranks)}};
    plan.shape.files = {with_fields(std::string(restart_name), shape),
                        with_fields(std::string(restart_name) + ".weir-part", shape), with_fields("analysis", shape)};
    for (auto const& picture : enum_names(Picture{})) {
        plan.shape.files.push_back(with_picture(picture, shape));
    }
    plan.lasting.assign(plan.shape.files.size(), false);
    plan.lasting[restart] = plan.lasting[aside] = true;
    auto const whole = [&](std::uint64_t file) {
        append(plan.dump, all_of(plan.shape, file, OpenMode::create, of_rank0));
        append(plan.dump, {Close{file}});
    };
    whole(analysis);
    append(plan.dump, all_of(plan.shape, aside, OpenMode::create, of_rank0));
    append(plan.dump, {Sync{aside}, Close{aside}, Rename{aside, restart, {}, {}}});
    for (auto file = first_picture; file < plan.shape.files.size(); ++file) {
        whole(file);
    }
    plan.restart = all_of(plan.shape, restart, OpenMode::read, of_rank0);
    append(plan.restart, {Close{restart}});
    return plan;
}

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

bool has_header(std::filesystem::path const& path, DumpStrategy const& strategy) {
    try {
        static_cast<void>(header_of({path, strategy}));
        return true;
    } catch (Error const&) {
        return false;
    }
}

}  // namespace

void check_place_of_dump(std::filesystem::path const& path, DumpStrategy const& strategy) {
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
