#include "storage/grouped/grouping.hpp"

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "storage/grouped/grouped_file.hpp"

namespace weir {

Group group_of(Communicator const& ranks, std::uint64_t size, GroupBy by) {
    expect(size >= 1, "a group has a rank at least");
    auto members = by == GroupBy::node ? ranks.node() : ranks.split(ranks.rank() / size);
    auto roots = ranks.split(members.is_root() ? 0 : 1);
    auto const largest = ranks.max(members.size());
    auto numbers = members.all_gather(ranks.rank());
    return {std::move(members), std::move(roots), largest, std::move(numbers)};
}

void GroupedBackend::check_files(Pattern const& files) const {
    auto const all = std::ranges::all_of(files.files, [](File const& file) { return !file.arrays.empty(); });
    validate(all, "groups of ranks contradict files without arrays", "groups share out the parts of arrays",
             "Leave the groups out, or take a pattern with arrays.");
    inner_->check_files(files);
}

/// On average: the root has the data of all members, and maybe the same in the file's order.
std::uint64_t GroupedBackend::memory_bytes(std::uint64_t buffer_bytes) const {
    return inner_->memory_bytes(buffer_bytes) + 2 * buffer_bytes;
}

Group& GroupedBackend::group_for(Communicator const& ranks, std::uint64_t size) {
    for (auto const& known : known_) {
        if (known->size == size && known->ranks.handle() == ranks.handle()) {
            return known->group;
        }
    }
    known_.push_back(std::make_unique<KnownGroup>(KnownGroup{ranks, size, group_of(ranks, size, grouping_.by)}));
    return known_.back()->group;
}

std::unique_ptr<OpenFile> GroupedBackend::open(OpenRequest const& request) {
    auto const size = request.mode == OpenMode::read ? grouping_.read : grouping_.write;
    auto const alone = request.comm.size() == 1 || (grouping_.by == GroupBy::count && size == 1);
    if (alone) {
        return inner_->open(request);
    }
    return std::make_unique<GroupedFile>(*inner_, request, group_for(request.comm, size), grouping_.requests);
}

}  // namespace weir
