#include "apps/common/run/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"
#include "storage/grouped/grouping.hpp"

namespace weir {
namespace {

constexpr std::string_view library_name = "twophase";
constexpr std::uint64_t largest_window = 1 << 30;

/// Of equal ones that with most dimensions.
Array largest_array(Pattern const& files) {
    Array largest;
    largest.element.bytes = 1;
    auto const size = [](Array const& array) { return std::pair(bytes_of(array), array.shape.size()); };
    for (auto const& file : files.files) {
        for (auto const& array : file.arrays) {
            largest = size(array) > size(largest) ? array : largest;
        }
    }
    return largest;
}

/// Bytes of a rank's request: its part of the largest array, or rank 0 all of it.
std::uint64_t window_of(DumpMethod method, Pattern const& files) {
    auto const array = bytes_of(largest_array(files));
    return std::clamp<std::uint64_t>(method == DumpMethod::rank0 ? array : array / files.ranks, 1, largest_window);
}

array::Method library_method(DumpMethod method) {
    switch (method) {
        case DumpMethod::two_phase:
            return array::Method::two_phase;
        case DumpMethod::rank0:
            return array::Method::gather;
        case DumpMethod::automatic:
            return array::Method::automatic;
        case DumpMethod::independent:
            break;
    }
    return array::Method::independent;
}

}  // namespace

void check_planes(DumpMethod method, Pattern const& files) {
    auto const largest = largest_array(files);
    auto const planes = largest.shape.empty() ? 0 : largest.shape.front();
    validate(method != DumpMethod::two_phase || planes % files.ranks == 0,
             fmt::format("{} planes of cells cannot be dumped in two phases", planes),
             fmt::format("each of {} ranks writes as many complete planes", files.ranks),
             "Take cells along z that are a multiple of the ranks, or the method rank0 or independent.");
}

std::unique_ptr<Backend> backend_for(DumpMethod method, Pattern const& files) {
    check_planes(method, files);
    auto const* kind = Backends::instance().find(library_name);
    expect(kind != nullptr, "the two-phase library is part of every build");
    auto backend = kind->make();
    OptionSet options;
    backend->declare(options);
    if (method == DumpMethod::automatic) {
        return backend;
    }
    options.set("method", to_text(library_method(method)));
    options.set("writers", files.ranks);
    options.set("readers", files.ranks);
    options.set("exchange", "messages");
    options.set("align", 1);
    // Memory for two such windows, for messages of that size on both sides, and for the plan's data on other ranks.
    auto const window = window_of(method, files);
    options.set("window", window);
    options.set("memory", 12 * window + 4096 * (8 + files.ranks));
    return backend;
}

Lowering lowering_for(DumpMethod method, Pattern const& files) {
    Lowering how;
    how.choice.write = how.choice.read = {library_method(method), method == DumpMethod::two_phase ? files.ranks : 1};
    how.choice.window = window_of(method, files);
    how.node.assign(files.ranks, 0);
    how.all_by_messages = true;
    return how;
}

DumpStrategy library_strategy(DumpMethod method, Pattern const& files) {
    return {std::string(library_name), backend_for(method, files), true, true, method};
}

DumpStrategy other_strategy(std::string name, std::shared_ptr<Backend> backend, bool collective) {
    auto const* kind = Backends::instance().find(name);
    expect(kind != nullptr, "it is a registered back-end");
    auto const features = kind->features();
    return {std::move(name), std::move(backend), features.collective && collective, features.raw, {}};
}

StrategyChoice::StrategyChoice(DumpMethod method, std::string const& backend)
    : method_(method), backend_(backend, {std::string(library_name)}) {}

void StrategyChoice::declare(OptionSet& options) {
    options.add("method", method_,
                "how arrays get into files: two-phase (Thakur et al. 1996), through rank 0, independently, or as the "
                "two-phase library chooses");
    backend_.declare(options,
                     "the storage back-end; twophase uses the method above, the others their own calls for arrays, "
                     "collective or independent");
    groups_.declare(options);
    hints_.declare(options);
}

void StrategyChoice::declare_own(OptionSet& options) { backend_.declare_own(options); }

void StrategyChoice::validate_choice(std::uint64_t ranks, bool reads) const {
    backend_.validate_choice();
    groups_.validate_choice(ranks, name());
    hints_.validate_choice(backend_.kind());
    validate(library() || method_ != DumpMethod::rank0, fmt::format("method = rank0 contradicts backend = {}", name()),
             "it is the two-phase library that brings arrays to rank 0", "Leave one of them out.");
    validate(!reads || backend_.kind().features().stores,
             fmt::format("a run that begins with a file contradicts backend = {}", name()), "it stores nothing",
             "Choose another back-end.");
}

void StrategyChoice::check_files(Pattern const& files) const {
    if (!library()) {
        backend_.object().check_files(files);
    }
}

std::optional<DumpMethod> StrategyChoice::library() const {
    return name() == library_name && method_ != DumpMethod::automatic ? std::optional(method_) : std::nullopt;
}

bool StrategyChoice::collective() const {
    return library() || (backend_.kind().features().collective && method_ != DumpMethod::independent);
}

std::optional<Grouping> StrategyChoice::grouping(Pattern const& asked) const {
    return groups_.is_set() ? std::optional(groups_.grouping(asked, kind().features())) : std::nullopt;
}

DumpStrategy StrategyChoice::strategy(Pattern const& asked) const {
    if (name() == library_name) {
        auto strategy = library_strategy(method_, asked);
        strategy.library = library();
        return strategy;
    }
    auto strategy = other_strategy(name(), backend_.shared(), collective());
    strategy.grouping = grouping(asked);
    if (strategy.grouping) {
        strategy.backend = std::make_shared<GroupedBackend>(strategy.backend, *strategy.grouping);
    }
    return strategy;
}

DumpStrategy StrategyChoice::strategy(Pattern const& asked, Communicator const& comm) const {
    auto strategy = this->strategy(asked);
    strategy.hints = hints_.read(comm);
    return strategy;
}

}  // namespace weir
