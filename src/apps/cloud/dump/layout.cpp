#include "apps/cloud/dump/layout.hpp"

#include <utility>

#include "apps/common/run/file_steps.hpp"
#include "core/enum_names.hpp"

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

}  // namespace weir::cloud
