#include "sim/storage_servers.hpp"

#include <algorithm>

namespace weir::sim {

StorageServers::StorageServers(Storage const& storage)
    : storage_(storage),
      targets_(storage.targets.count),
      in_(storage.servers),
      out_(storage.servers),
      positions_(storage.targets.count) {}

double StorageServers::positioning(std::uint64_t file, Chunk const& chunk) {
    auto& last = positions_[chunk.target];
    bool const follows = last.file == file && last.offset == chunk.object_offset;
    last = {file, chunk.object_offset + chunk.bytes};
    return follows ? 0 : storage_.targets.positioning;
}

double StorageServers::write(double now, std::uint64_t file, Chunk const& chunk) {
    auto const& rules = storage_.targets;
    auto const bytes = static_cast<double>(chunk.bytes);
    auto const here = in_[server_of(chunk.target)].serve(now, bytes / storage_.server_link);
    auto service = rules.request + positioning(file, chunk) + bytes / rules.write;
    if (rules.reads_partial_stripes && chunk.partial) {
        service += rules.positioning + static_cast<double>(storage_.stripe) / rules.read;
    }
    auto const end = targets_[chunk.target].serve(here, service);
    // A cache is full as long as the target needs for its bytes.
    return std::max(here, end - rules.cache / rules.write);
}

double StorageServers::read(double now, std::uint64_t file, Chunk const& chunk) {
    auto const& rules = storage_.targets;
    auto const service = rules.request_read + positioning(file, chunk) + static_cast<double>(chunk.bytes) / rules.read;
    return targets_[chunk.target].serve(now, service);
}

double StorageServers::send(double now, Chunk const& chunk) {
    return out_[server_of(chunk.target)].serve(now, static_cast<double>(chunk.bytes) / storage_.server_link);
}

double StorageServers::written(Striping const& striping) const {
    double last = 0;
    for (std::uint64_t i = 0; i < striping.stripes; ++i) {
        last = std::max(last, targets_[striping.target_of(i)].free_at());
    }
    return last;
}

}  // namespace weir::sim
