#include "pattern/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace weir {
namespace {

/// Adds up steps, each done by `all` ranks, and accesses, of which `volume_of` says how much they are.
template <class VolumeOf>
Totals sum_of_steps(Pattern const& pattern, std::uint64_t all, VolumeOf volume_of) {
    Totals sum;
    auto const add_access = [&](Phase const& phase, Access const& access) {
        auto const one = volume_of(phase, access);
        sum.bytes_written += one.bytes - one.read_bytes;
        sum.bytes_read += one.read_bytes;
        sum.operations += one.requests;
        sum.syncs += access.sync_each ? one.requests : 0;
    };
    for (auto const& phase : pattern.phases) {
        for (auto const& step : phase.steps) {
            sum.opens += std::holds_alternative<Open>(step) ? all : 0;
            sum.syncs += std::holds_alternative<Sync>(step) ? all : 0;
            sum.closes += std::holds_alternative<Close>(step) ? all : 0;
            if (auto const* access = std::get_if<Access>(&step)) {
                add_access(phase, *access);
            }
        }
    }
    return sum;
}

void add_files(Totals& sum, Pattern const& pattern, std::uint64_t ranks) {
    auto const sizes = file_sizes(pattern);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        auto const copies = pattern.files[i].per_rank ? ranks : 1;
        sum.files += copies;
        sum.bytes_on_disk += copies * sizes[i];
    }
}

}  // namespace

std::string file_name(File const& file, Rank rank) {
    return file.per_rank ? fmt::format("{}.{:08}", file.name, rank.value) : file.name;
}

std::vector<std::uint64_t> file_sizes(Pattern const& pattern) {
    std::vector<std::uint64_t> sizes(pattern.files.size(), 0);
    for (auto const& phase : pattern.phases) {
        for (auto const& step : phase.steps) {
            if (auto const* access = std::get_if<Access>(&step)) {
                sizes[access->file] = std::max(sizes[access->file], end_of(*access));
            } else if (auto const* reserved = std::get_if<Preallocate>(&step)) {
                sizes[reserved->file] = std::max(sizes[reserved->file], reserved->bytes);
            }
        }
    }
    return sizes;
}

Totals totals(Pattern const& pattern) {
    auto sum = sum_of_steps(pattern, pattern.ranks, [](Phase const&, Access const& access) { return volume(access); });
    add_files(sum, pattern, pattern.ranks);
    return sum;
}

Totals totals(Pattern const& pattern, Rank rank) {
    auto sum = sum_of_steps(pattern, 1, [&](Phase const& phase, Access const& access) {
        return volume(access, acting_rank(phase.reorder, rank, pattern.ranks));
    });
    add_files(sum, pattern, 1);
    return sum;
}

std::optional<Seconds> time_bound(Pattern const& pattern) {
    std::map<std::string, double> limits;
    Seconds sum{};
    for (auto const& phase : pattern.phases) {
        auto const own = phase.time_limit.value > 0 && (!phase.wear_out || phase.tail_limit.value > 0);
        auto const earlier = limits.find(phase.limited_by);
        if (!own && earlier == limits.end()) {
            return {};
        }
        auto const limit = own ? phase.time_limit.value + phase.tail_limit.value : earlier->second;
        limits[phase.name] = limit;
        sum.value += limit;
    }
    return sum;
}

bool checks_words(Pattern const& pattern) {
    auto const checks = [](Step const& step) {
        auto const* access = std::get_if<Access>(&step);
        return access != nullptr && access->verb == Verb::check;
    };
    return std::any_of(pattern.phases.begin(), pattern.phases.end(),
                       [&](Phase const& phase) { return std::any_of(phase.steps.begin(), phase.steps.end(), checks); });
}

std::uint64_t largest_request(Pattern const& pattern) {
    std::uint64_t largest = 0;
    for (auto const& phase : pattern.phases) {
        for (auto const& step : phase.steps) {
            if (auto const* access = std::get_if<Access>(&step)) {
                largest = std::max(largest, largest_request(*access));
            }
        }
    }
    return largest;
}

}  // namespace weir
