#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/clock.hpp"
#include "core/option.hpp"

namespace weir {

/// One time that it is all done.
struct Turn {
    std::optional<std::uint64_t> repetition;  ///< counted from 0; nothing in warm-up, which is not reported
    bool is_last = false;
};

/// How often a case is carried out within a launch: the options, and the loop over them.
class Repetitions {
  public:
    /// Adds `warm_up`, `repetitions` and `interval` to the group that is being declared.
    void declare(OptionSet&);

    /// Warm-up first, then the repetitions, with the pause between any two. Local, but for what `turn` does.
    void each(Clock&, std::function<void(Turn const&)> const& turn) const;

    std::uint64_t warm_up = 0;
    std::uint64_t repetitions = 1;
    Seconds interval{};
};

}  // namespace weir
