#pragma once

#include <optional>
#include <string>

#include "core/json_fwd.hpp"

namespace weir {

/// The hardware within which a rank runs, by the kernel's names: the hardware threads of its core, those that share its
/// last-level cache, the number of its package. Nothing where its CPUs lie in several, or the kernel does not know.
struct LinkPlace {
    std::optional<std::string> core;
    std::optional<std::string> cache;
    std::optional<std::string> package;
};

/// That of a rank on these CPUs ("0-3,8", the kernel's format), from /sys; `root` is the folder that contains it.
/// Local.
LinkPlace link_place(std::string const& cpus, std::string const& root = "");

/// Keys core, cache, package; null if unknown.
Json to_json(LinkPlace const&);

}  // namespace weir
