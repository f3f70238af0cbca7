#include "apps/template/heat_files.hpp"

#include <fmt/format.h>

#include <cstring>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "core/error.hpp"

namespace weir::heat {
namespace {

constexpr std::uint64_t restart = 0, aside = 1, picture = 2;  // files
constexpr std::uint64_t step_array = 0;                       // of the restart; on rank 0

template <class Stored>
void store(Heat& heat, std::span<std::byte> data) {
    heat.each_cell([&](double const u) {
        auto const value = static_cast<Stored>(u);
        std::memcpy(data.data(), &value, sizeof value);
        data = data.subspan(sizeof value);
    });
}

}  // namespace

DumpPlan files_of(Triple const& cells, std::uint64_t ranks) {
    auto const n = [&](std::size_t axis) { return static_cast<std::uint64_t>(cells[axis]); };
    std::vector<std::uint64_t> const shape{n(2), n(1), n(0)};
    auto const along = ranks_along({cells, 1.0}, static_cast<Index>(ranks), {});
    auto const r = [&](std::size_t axis) { return static_cast<std::uint64_t>(along[axis]); };
    std::vector<Array> const state{{"step", {Element::Kind::natural, 8}, {}, 0},
                                   {"temperature", {Element::Kind::real, 8}, shape, 8}};
    DumpPlan plan;
    plan.shape.name = "heat";
    plan.shape.ranks = ranks;
    plan.shape.scales = Scaling::strong;
    plan.shape.files = {{.name = "restart"}, {.name = "restart.part"}, {.name = "temperature"}};
    plan.shape.files[restart].arrays = plan.shape.files[aside].arrays = state;
    plan.shape.files[picture].arrays = {{"temperature", {Element::Kind::real, 4}, shape, 0}};
    plan.shape.partitions = {Partition{}, Partition{.grid = {r(2), r(1), r(0)}}};
    plan.lasting = {true, true, false};
    plan.dump = all_of(plan.shape, aside, OpenMode::create, 1);
    append(plan.dump, {Sync{aside}, Close{aside}, Rename{aside, restart, {}, {}}});
    append(plan.dump, all_of(plan.shape, picture, OpenMode::create, 0));
    append(plan.dump, {Close{picture}});
    plan.restart = all_of(plan.shape, restart, OpenMode::read, 1);
    append(plan.restart, {Close{restart}});
    return plan;
}

std::uint64_t step_in(RestartFile const& file, Triple const& cells) {
    auto const state = files_of(cells, 1).shape.files[restart].arrays;
    auto const whole = *state.back().offset + bytes_of(state.back());
    validate(file.has_format() || file.bytes() == whole, file.path().string() + " is no restart of this box",
             fmt::format("it has {} bytes, one of these cells has {}", file.bytes(), whole),
             "Name one of as many cells.");
    auto const bytes = file.array(state[step_array]);
    std::uint64_t step = 0;
    std::memcpy(&step, bytes.data(), sizeof step);
    return step;
}

std::vector<Metric> HeatProgram::metrics(RunFigures const& run) const {
    return cell_updates(static_cast<double>(volume(heat_.where().grid().cells)) * static_cast<double>(run.steps), run);
}

void HeatProgram::fill(CurrentAccess const& asked, Operation const&, std::span<std::byte> data) {
    if (asked.file != picture && asked.access.part->array == step_array) {
        std::memcpy(data.data(), &step_, sizeof step_);
    } else if (asked.file == picture) {
        store<float>(heat_, data);
    } else {
        store<double>(heat_, data);
    }
}

void HeatProgram::take(CurrentAccess const& asked, Operation const&, std::span<std::byte const> data) {
    if (asked.access.part->array == step_array) {
        std::memcpy(&step_, data.data(), sizeof step_);
        return;
    }
    heat_.each_cell([&](double& u) {
        std::memcpy(&u, data.data(), sizeof u);
        data = data.subspan(sizeof u);
    });
}

}  // namespace weir::heat
