#pragma once

#include <string>

#include "apps/cmb/io/cmb_pattern.hpp"
#include "bench/repetitions.hpp"
#include "bench/storage/cache_use.hpp"
#include "core/option.hpp"
#include "storage/backend_choice.hpp"
#include "storage/hint_choice.hpp"

namespace weir::cmb {

/// The options of a run, those of MADbench2 among them: pixels (NO_PIX), bins (NO_BIN), gangs (NO_GANG), block
/// (SBLOCKSIZE), part_alignment (FBLOCKSIZE), read_turns (RMOD), write_turns (WMOD), exponent (BWEXP), layout
/// (FILETYPE), asynchronous (IOMODE), backend (IOMETHOD).
class CmbOptions {
  public:
    void declare(OptionSet&);

    /// Refuses options that contradict each other, the back-end or this number of ranks (Error: usage; cannot run
    /// without the back-end). Local.
    void validate_choices(std::uint64_t ranks) const;

    /// For this many ranks. Local.
    [[nodiscard]] Shape shape(std::uint64_t ranks) const;
    [[nodiscard]] Course course() const;

    /// Of a rank, at most. Local.
    [[nodiscard]] std::uint64_t memory_bytes(Shape const&, Pattern const&) const;

    BackendChoice backend{"posix"};
    HintChoice hints;
    std::string directory = ".";
    CacheUse cache = CacheUse::keep;
    bool keep_files = false;
    bool check_space = true;
    bool foreign_folder = false;
    bool emit_pattern = false;
    std::uint64_t pattern_ranks = 1;
    Repetitions measuring;

  private:
    static constexpr double natural = -1;

    Shape shape_{.block = 0};
    Bytes part_alignment_{4096};
    Course course_;
    double exponent_ = natural;
};

}  // namespace weir::cmb
