#include "bench/enough_room.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <set>

#include "core/error.hpp"

namespace weir {
namespace {

double in_mib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

std::optional<std::uint64_t> room_in(std::vector<std::filesystem::path> const& directories, RoomOf what) {
    std::uint64_t sum = 0;
    std::set<unsigned long> seen;
    for (auto const& directory : directories) {
        struct statvfs facts {};
        if (::statvfs(directory.c_str(), &facts) != 0 || facts.f_blocks == 0) {
            return {};
        }
        if (facts.f_fsid != 0 && !seen.insert(facts.f_fsid).second) {
            continue;  // two directories of one file system
        }
        auto const free = ::geteuid() == 0 ? facts.f_bfree : facts.f_bavail;
        sum += (what == RoomOf::free ? free : facts.f_blocks) * facts.f_frsize;
    }
    return sum;
}

void refuse_more_room(std::vector<std::filesystem::path> const& directories, std::uint64_t bytes, RoomOf what) {
    auto const room = room_in(directories, what);
    if (!room || bytes <= *room) {
        return;
    }
    auto const where = directories.size() == 1 ? fmt::format("'{}'", directories.front().string())
                                               : fmt::format("the {} directories", directories.size());
    throw Error({fmt::format("not enough space in {}", where),
                 fmt::format("the files need {:.1f} MiB, and {:.1f} MiB are {}", in_mib(bytes), in_mib(*room),
                             what == RoomOf::free ? "free" : "all that its file system has"),
                 "Free some, choose less data, or name another directory with dir. If the file system packs data, give "
                 "--no-check-space.",
                 ExitCode::cannot_run});
}

}  // namespace weir
