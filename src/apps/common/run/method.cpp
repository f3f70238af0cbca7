#include "apps/common/run/method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::uint64_t largest_window = 1 << 30;

Array largest_array(Pattern const& files) {
    Array largest;
    largest.element.bytes = 1;
    for (auto const& file : files.files) {
        for (auto const& array : file.arrays) {
            largest = bytes_of(array) > bytes_of(largest) ? array : largest;
        }
    }
    return largest;
}

/// Bytes that a rank writes at once: its part of the largest array, or rank 0 all of it.
std::uint64_t window_of(Method method, Pattern const& files) {
    auto const array = bytes_of(largest_array(files));
    return std::clamp<std::uint64_t>(method == Method::rank0 ? array : array / files.ranks, 1, largest_window);
}

array::Method library_method(Method method) {
    switch (method) {
        case Method::two_phase:
            return array::Method::two_phase;
        case Method::rank0:
            return array::Method::gather;
        case Method::independent:
            break;
    }
    return array::Method::independent;
}

}  // namespace

void check_planes(Method method, Pattern const& files) {
    auto const largest = largest_array(files);
    auto const planes = largest.shape.empty() ? 0 : largest.shape.front();
    validate(method != Method::two_phase || planes % files.ranks == 0,
             fmt::format("{} planes of cells cannot be dumped in two phases", planes),
             fmt::format("each of {} ranks writes as many whole planes", files.ranks),
             "Take cells along z that are a multiple of the ranks, or the method rank0 or independent.");
}

std::unique_ptr<Backend> backend_for(Method method, Pattern const& files) {
    check_planes(method, files);
    auto const* kind = Backends::instance().find("twophase");
    expect(kind != nullptr, "the two-phase library is part of every build");
    auto backend = kind->make();
    OptionSet options;
    backend->declare(options);
    options.set("method", to_text(library_method(method)));
    options.set("writers", files.ranks);
    options.set("readers", files.ranks);
    options.set("exchange", "messages");
    options.set("align", 1);
    // Room for such windows, two, for messages of their size on both sides, and for what a plan keeps of other ranks.
    auto const window = window_of(method, files);
    options.set("window", window);
    options.set("memory", 12 * window + 4096 * (8 + files.ranks));
    return backend;
}

Lowering lowering_for(Method method, Pattern const& files) {
    Lowering how;
    how.choice.write = how.choice.read = {library_method(method), method == Method::two_phase ? files.ranks : 1};
    how.choice.window = window_of(method, files);
    how.node.assign(files.ranks, 0);
    how.all_by_messages = true;
    return how;
}

}  // namespace weir
