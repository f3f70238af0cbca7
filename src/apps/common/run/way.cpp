#include "apps/common/run/way.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::string_view library_name = "twophase";

}  // namespace

Way library_way(Method method, Pattern const& files) {
    return {std::string(library_name), backend_for(method, files), true, true, method};
}

Way other_way(std::string name, std::shared_ptr<Backend> backend, bool collective) {
    auto const* kind = Backends::instance().find(name);
    expect(kind != nullptr, "it is a registered back-end");
    auto const features = kind->features();
    return {std::move(name), std::move(backend), features.collective && collective, features.raw, {}};
}

void WayChoice::declare(OptionSet& options) {
    options.add("method", method_,
                "how arrays get into files: two-phase (Thakur et al. 1996), by rank 0 alone, each rank its own pieces");
    backend_.declare(options,
                     "the way to storage; all but twophase make of arrays what they can, together or each alone");
}

void WayChoice::declare_own(OptionSet& options) { backend_.declare_own(options); }

void WayChoice::validate_choice(bool reads) const {
    backend_.validate_choice();
    validate(library() || method_ != Method::rank0, fmt::format("method = rank0 contradicts backend = {}", name()),
             "it is the two-phase library that brings arrays to rank 0", "Leave one of them out.");
    validate(!reads || backend_.kind().features().stores, fmt::format("a restart contradicts backend = {}", name()),
             "it stores nothing", "Choose another back-end, or begin without a restart.");
}

void WayChoice::check_files(Pattern const& files) const {
    if (!library()) {
        backend_.object().check_files(files);
    }
}

std::optional<Method> WayChoice::library() const {
    return name() == library_name ? std::optional(method_) : std::nullopt;
}

bool WayChoice::collective() const {
    return library() || (backend_.kind().features().collective && method_ != Method::independent);
}

Way WayChoice::way(Pattern const& files) const {
    if (library()) {
        return library_way(method_, files);
    }
    return other_way(name(), backend_.shared(), collective());
}

}  // namespace weir
