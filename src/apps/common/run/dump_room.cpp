#include "apps/common/run/dump_room.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "bench/enough_room.hpp"
#include "core/own_file.hpp"

namespace weir {

namespace {

/// Of existing files with the names that these dumps give.
std::uint64_t bytes_replaced(DumpPlan const& plan, std::filesystem::path const& directory,
                             std::vector<DumpNumber> const& dumps) {
    std::set<std::string> names;
    auto const written = written_by(plan);
    for (std::size_t file = 0; file < plan.lasting.size(); ++file) {
        auto const& name = plan.shape.files[file].name;
        if (!written[file]) {
            continue;
        }
        if (plan.lasting[file]) {
            names.insert(name);
            continue;
        }
        for (auto const& dump : dumps) {
            names.insert(name_after(name, dump));
        }
    }
    std::uint64_t bytes = 0;
    for (auto const& name : names) {
        auto const there = identity_of(directory / name);
        bytes += there ? there->bytes : 0;
    }
    return bytes;
}

}  // namespace

std::uint64_t room_of_dump(DumpPlan const& plan) {
    auto const adds = std::ranges::any_of(plan.dump, [](Step const& step) {
        auto const* open = std::get_if<Open>(&step);
        return open != nullptr && open->mode == OpenMode::update;
    });
    if (adds) {
        return plan.grows_by;
    }
    auto one = plan.shape;
    one.phases = {phase_of("dump", plan.dump)};
    auto const sums = totals(one);
    return std::min(sums.bytes_written, sums.bytes_on_disk);
}

void refuse_dumps_without_room(DumpPlan const& plan, std::uint64_t needed, std::filesystem::path const& directory,
                               std::vector<DumpNumber> const& dumps) {
    auto const room = room_in({directory}, RoomOf::free);
    if (room && needed > *room) {
        auto const replaced = bytes_replaced(plan, directory, dumps);
        refuse_more_room({directory}, needed - std::min(needed, replaced), RoomOf::free);
    }
}

}  // namespace weir
