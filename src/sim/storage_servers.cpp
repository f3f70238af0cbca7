#include "sim/storage_servers.hpp"

#include <algorithm>
#include <utility>

namespace weir::sim {

StorageServers::StorageServers(Storage const& storage)
    : storage_(storage),
      targets_(storage.targets.count),
      in_(storage.servers, ServiceQueue(storage.server_at_once)),
      out_(storage.servers, ServiceQueue(storage.server_at_once)),
      caches_(storage.targets.count),
      positions_(storage.targets.count) {
    if (auto const blocks = static_cast<std::uint64_t>(storage.targets.read_cache) / storage.stripe; blocks > 0) {
        blocks_.assign(storage.targets.count, BlockCache(blocks));
    }
}

double StorageServers::moved(double bytes, double requests) const {
    return storage_.server_request * requests + bytes / storage_.server_link;
}

std::uint64_t StorageServers::missing(std::uint64_t file, Chunk const& chunk) {
    if (blocks_.empty()) {
        return 1;
    }
    return blocks_[chunk.target].use(file, chunk.object_offset, chunk.bytes, storage_.stripe);
}

double StorageServers::positioning(std::uint64_t file, Chunk const& chunk) {
    auto& last = positions_[chunk.target];
    bool const follows = last.file == file && last.offset == chunk.object_offset;
    last = {file, chunk.object_offset + chunk.bytes};
    return follows ? 0 : storage_.targets.positioning;
}

double StorageServers::write(double now, std::uint64_t file, Chunk const& chunk) {
    auto const& rules = storage_.targets;
    auto const bytes = static_cast<double>(chunk.bytes);
    auto const here = in_[server_of(chunk.target)].serve(now, moved(bytes));
    if (rules.drains_at_sync) {
        return hold(here, file, chunk);
    }
    auto service = bytes / rules.write;
    if (auto const stripes = missing(file, chunk); stripes > 0) {
        service += rules.request + positioning(file, chunk);
        if (rules.reads_partial_stripes) {
            auto const reads = static_cast<double>(blocks_.empty() ? chunk.partial : std::min(chunk.partial, stripes));
            service += reads * (rules.positioning + static_cast<double>(storage_.array_stripe) / rules.read);
        }
    }
    auto const end = targets_[chunk.target].serve(here, service);
    return rules.cache > 0 ? accept(here, end, chunk) : end;
}

/// When there is room for a write in its server's memory: when all but so many bytes, with these, are written.
double StorageServers::accept(double here, double end, Chunk const& chunk) {
    auto& cache = caches_[chunk.target];
    cache.bytes += chunk.bytes;
    cache.accepted.push_back({end, cache.bytes});
    auto const needed = static_cast<double>(cache.bytes) - storage_.targets.cache;
    while (static_cast<double>(cache.accepted.front().before) < needed) {
        cache.accepted.pop_front();
    }
    return needed <= 0 ? here : std::max(here, cache.accepted.front().written);
}

/// The same where it is written at a sync, or all when there is no more room.
double StorageServers::hold(double here, std::uint64_t file, Chunk const& chunk) {
    auto& cache = caches_[chunk.target];
    auto const bytes = static_cast<double>(chunk.bytes);
    cache.owed[file] += bytes;
    cache.all_owed += bytes;
    if (cache.all_owed <= storage_.targets.cache) {
        return here;
    }
    cache.owed.clear();
    return drain(chunk.target, std::exchange(cache.all_owed, 0.0), here);
}

double StorageServers::drain(std::uint64_t target, double bytes, double now) {
    auto const& rules = storage_.targets;
    auto const service = bytes > 0 ? rules.request + rules.positioning + bytes / rules.write : 0;
    return targets_[target].serve(now, service);
}

double StorageServers::read(double now, std::uint64_t file, Chunk const& chunk, bool kept) {
    if (missing(file, chunk) == 0 || kept) {
        return now;
    }
    auto const& rules = storage_.targets;
    auto const service = rules.request_read + positioning(file, chunk) + static_cast<double>(chunk.bytes) / rules.read;
    return targets_[chunk.target].serve(now, service);
}

Span StorageServers::read_many(Span arrive, std::uint64_t many, Chunk const& all, std::uint64_t requests,
                               std::uint64_t places, bool kept) {
    auto const& rules = storage_.targets;
    auto const bytes = static_cast<double>(all.bytes);
    auto const count = static_cast<double>(requests);
    auto const service =
        rules.request_read * count + rules.positioning * static_cast<double>(places) + bytes / rules.read;
    auto const from = kept ? arrive : targets_[all.target].serve_many(arrive, many, service);
    return out_[server_of(all.target)].serve_many(from, many, moved(bytes, count));
}

double StorageServers::send(double now, Chunk const& chunk) {
    return out_[server_of(chunk.target)].serve(now, moved(static_cast<double>(chunk.bytes)));
}

double StorageServers::written(std::uint64_t file, Striping const& striping, double now) {
    double last = now;
    for (std::uint64_t i = 0; i < striping.stripes; ++i) {
        auto const target = striping.target_of(i);
        auto& cache = caches_[target];
        auto const held = cache.owed.extract(file);
        auto const bytes = held.empty() ? 0.0 : held.mapped();
        cache.all_owed -= bytes;
        last = std::max(last, drain(target, bytes, now));
    }
    return last;
}

void StorageServers::forget(std::uint64_t file) {
    for (auto& cache : caches_) {
        if (auto const held = cache.owed.extract(file); !held.empty()) {
            cache.all_owed -= held.mapped();
        }
    }
}

double StorageServers::owed(std::uint64_t file) const {
    double bytes = 0;
    for (auto const& cache : caches_) {
        auto const found = cache.owed.find(file);
        bytes += found == cache.owed.end() ? 0 : found->second;
    }
    return bytes;
}

}  // namespace weir::sim
