#include "storage/datasets.hpp"

#include <fmt/format.h>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// Does the request length divide the dataset size and all offsets, so that no request can cross a boundary? Then none
/// needs a check.
bool divides(Extent const& extent, std::uint64_t each) {
    auto const fits = [&](std::uint64_t n) { return n % extent.length == 0; };
    return extent.length > 0 && fits(each) && fits(extent.start) &&
           std::all_of(extent.levels.begin(), extent.levels.end(),
                       [&](Level const& level) { return fits(static_cast<std::uint64_t>(std::abs(level.stride))); });
}

}  // namespace

std::uint64_t Datasets::bytes_of(std::uint64_t dataset) const { return std::min(each_, file_bytes_ - dataset * each_); }

void Datasets::refuse_crossing(Access const& access, Rank acting) const {
    auto const plain = !access.list_io && access.ranks.contains(acting);
    if (!plain || count() <= 1 || (access.lists.empty() && divides(extent_of(access, acting), each_))) {
        return;
    }
    // Lists, and nested strides that may cross a boundary, are checked request by request, within the timed
    // transfer.
    Operations operations(access, acting);
    for (Operation operation; operations.next(operation);) {
        validate(
            within(operation.offset) + operation.length <= each_,
            fmt::format("a request of {} bytes at offset {} lies in two datasets", operation.length, operation.offset),
            fmt::format("the file consists of datasets of {} bytes, and a request is for one of them", each_),
            "Choose datasets (dataset_bytes) that are a multiple of the requests, or a back-end of plain files.");
    }
}

std::uint64_t Datasets::go_through(Communicator const& comm, OutOfTime const& out_of_time,
                                   std::function<bool(std::uint64_t)> const& visit) const {
    // Often enough to stop soon, seldom enough not to affect the measurement.
    constexpr std::uint64_t between_questions = 64;
    auto stops = false;
    for (std::uint64_t dataset = 0; dataset < count(); ++dataset) {
        if (dataset % between_questions == 0 && dataset > 0) {
            stops = stops || stop_requested || (out_of_time && out_of_time());
            if (any(comm, stops)) {
                return dataset;
            }
        }
        stops = !visit(dataset) || stops;
    }
    return count();
}

void Datasets::refuse_late(std::uint64_t reached) const {
    if (reached == count()) {
        return;
    }
    throw_if_interrupted();
    throw Error({"the time limit was over before the first request",
                 fmt::format("{} of the file's {} datasets were made by then", reached, count()),
                 "Raise time_limit, lower segments, or choose datasets = one.", ExitCode::cannot_run});
}

std::string Datasets::name_of(std::uint64_t dataset) const {
    return count() == 1 ? "data" : fmt::format("segment-{:06}", dataset);
}

}  // namespace weir
