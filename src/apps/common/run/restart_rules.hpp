#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "apps/common/run/restart_reader.hpp"

namespace weir {

/// How an application begins with a restart, or an input file. One that only writes needs none of it. Local.
class RestartRules {
  public:
    virtual ~RestartRules() = default;

    /// Does every run begin by reading an input file, which is the restart of its plan? The option `input` then names
    /// it, in place of `restart`; a run without one makes it first, which is not counted.
    [[nodiscard]] virtual bool reads_input() const { return false; }

    /// What ranks have to know of a restart before its plan and its programs are made: read by rank 0. Error (usage)
    /// as step_of().
    [[nodiscard]] virtual std::vector<std::byte> outline_of(RestartFile const&) const { return {}; }

    /// Called with it on every rank, before plan(), step_of() and start(). Error (usage) if a run with these options
    /// cannot continue from it.
    virtual void know(std::vector<std::byte> const& /*outline*/) {}

    /// The step of a restart, after know(). Error (usage), naming the file, unless a run can continue from it.
    /// By default that of an input file, 0.
    [[nodiscard]] virtual std::uint64_t step_of(RestartFile const&) const;

    /// The number of dumps up to that restart, if it says so: the next one has this number.
    [[nodiscard]] virtual std::optional<std::uint64_t> dumps_before() const { return {}; }
};

}  // namespace weir
