#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/clock.hpp"
#include "core/option.hpp"

namespace weir {

/// One repetition, or the warm-up.
struct Turn {
    std::optional<std::uint64_t> repetition;  ///< counted from 0; nothing in the warm-up, which is not reported
    bool is_last = false;
};

/// The number of repetitions of a case within a launch: the options, and the loop.
class Repetitions {
  public:
    /// Adds `warm_up`, `repetitions` and `interval` to the group that is being declared.
    void declare(OptionSet&);

    /// With the warm-up.
    [[nodiscard]] std::uint64_t passes() const { return warm_up + repetitions; }

    /// Warm-up first, then the repetitions, with a pause between consecutive ones. Local, unless `turn` is collective.
    void each(Clock&, std::function<void(Turn const&)> const& turn) const;

    std::uint64_t warm_up = 0;
    std::uint64_t repetitions = 1;
    Seconds interval{};
};

}  // namespace weir
