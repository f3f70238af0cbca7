#include "apps/cloud/dump/method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace weir::cloud {
namespace {

constexpr std::uint64_t largest_window = 1 << 30;

/// Bytes that a rank writes at once: its part of an array of single-precision numbers, or rank 0 all of it.
std::uint64_t window_of(Method method, Triple const& cells, std::uint64_t ranks) {
    auto const array = static_cast<std::uint64_t>(volume(cells)) * sizeof(float);
    return std::clamp<std::uint64_t>(method == Method::rank0 ? array : array / ranks, 1, largest_window);
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

void check_planes(Method method, Triple const& cells, std::uint64_t ranks) {
    validate(method != Method::two_phase || cells[2] % static_cast<Index>(ranks) == 0,
             fmt::format("{} planes of cells cannot be dumped in two phases", cells[2]),
             fmt::format("each of {} ranks writes as many whole planes", ranks),
             "Take cells along z that are a multiple of the ranks, or the method rank0 or independent.");
}

std::unique_ptr<Backend> backend_for(Method method, Triple const& cells, std::uint64_t ranks) {
    check_planes(method, cells, ranks);
    auto const* kind = Backends::instance().find("twophase");
    expect(kind != nullptr, "the two-phase library is part of every build");
    auto backend = kind->make();
    OptionSet options;
    backend->declare(options);
    options.set("method", to_text(library_method(method)));
    options.set("writers", ranks);
    options.set("readers", ranks);
    options.set("exchange", "messages");
    options.set("align", 1);
    // Room for such windows, two, for messages of their size on both sides, and for what a plan keeps of other ranks.
    auto const window = window_of(method, cells, ranks);
    options.set("window", window);
    options.set("memory", 12 * window + 4096 * (8 + ranks));
    return backend;
}

Lowering lowering_for(Method method, Triple const& cells, std::uint64_t ranks) {
    Lowering how;
    how.choice.write = how.choice.read = {library_method(method), method == Method::two_phase ? ranks : 1};
    how.choice.window = window_of(method, cells, ranks);
    how.node.assign(ranks, 0);
    how.all_by_messages = true;
    return how;
}

}  // namespace weir::cloud
