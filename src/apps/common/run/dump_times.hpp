#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

/// The dumps of a run: after each step that is a multiple of `every`, counted from `first`; maybe one before the first
/// step too.
struct DumpTimes {
    std::uint64_t first = 0;  ///< step of the initial state, or of the restart
    std::uint64_t steps = 0;
    std::uint64_t every = 0;                  ///< 0: never
    std::optional<std::uint64_t> numbered{};  ///< dumps of the runs that it continues; none: as if all were like it
    bool initial = false;                     ///< of the initial state too

    [[nodiscard]] bool is_due(std::uint64_t step) const { return every > 0 && step % every == 0; }
    [[nodiscard]] bool has_initial() const { return initial && every > 0; }
    [[nodiscard]] std::uint64_t count() const {
        return every > 0 ? (first + steps) / every - first / every + (initial ? 1 : 0) : 0;
    }

    /// The step after which dump 0, 1, ... is made.
    [[nodiscard]] std::uint64_t step_of(std::uint64_t dump) const {
        return initial && dump == 0 ? first : (first / every + dump + (initial ? 0 : 1)) * every;
    }

    /// The number of dumps before its first one, also those of the runs that it continues.
    [[nodiscard]] std::uint64_t before() const { return numbered ? *numbered : every > 0 ? first / every : 0; }
};

/// A dump's place among all dumps.
struct DumpNumber {
    std::uint64_t step = 0;
    std::uint64_t number = 0;  ///< counted from 0, also over the runs that it continues
};

/// The name of a file that each dump creates anew: with "####" in the dump's number, "flash_hdf5_chk_0000", with as
/// many digits as signs, or more; without, by its step, "field-000005".
std::string name_after(std::string const& file, DumpNumber const&);

}  // namespace weir
