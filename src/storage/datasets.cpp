#include "storage/datasets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace weir {
namespace {

/// Do a length and all that requests are apart divide the datasets, so that none can cross? Then nobody need look.
bool divides(Extent const& extent, std::uint64_t each) {
    auto const fits = [&](std::uint64_t n) { return n % extent.length == 0; };
    return extent.length > 0 && fits(each) && fits(extent.start) &&
           std::all_of(extent.levels.begin(), extent.levels.end(),
                       [&](Level const& level) { return fits(static_cast<std::uint64_t>(std::abs(level.stride))); });
}

}  // namespace

std::uint64_t Datasets::bytes_of(std::uint64_t dataset) const { return std::min(each_, file_bytes_ - dataset * each_); }

void Datasets::refuse_crossing(Access const& access, Rank acting) const {
    auto const plain = !access.together && access.ranks.contains(acting);
    if (!plain || count() <= 1 || (access.lists.empty() && divides(extent_of(access, acting), each_))) {
        return;
    }
    // Lists, and nests that do not divide the datasets, are gone through, and that is in the time of the transfer.
    Operations operations(access, acting);
    for (Operation operation; operations.next(operation);) {
        validate(
            within(operation.offset) + operation.length <= each_,
            fmt::format("a request of {} bytes at offset {} lies in two datasets", operation.length, operation.offset),
            fmt::format("the file consists of datasets of {} bytes, and a request is for one of them", each_),
            "Choose datasets (dataset_bytes) that are a multiple of the requests, or a back-end of plain files.");
    }
}

std::string Datasets::name_of(std::uint64_t dataset) { return fmt::format("segment-{:06}", dataset); }

}  // namespace weir
