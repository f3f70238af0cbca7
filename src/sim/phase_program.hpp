#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "pattern/loops.hpp"
#include "pattern/pattern.hpp"

namespace weir::sim {

/// One turn of one step.
struct Instruction {
    Step const* step = nullptr;
    Access const* access = nullptr;  ///< at this turn, for accesses
    std::uint64_t file = 0;          ///< at this turn, of steps on files
    std::uint64_t to = 0;            ///< for renames, the file that is replaced; for seeks, the offset
    std::uint32_t exchange = 0;      ///< messages of neighbouring steps are under way together
    Ranks const* callers = nullptr;  ///< of a collective access that not all who opened its file take part in: all
};

/// Who opened each file last, by its index.
using Openers = std::map<std::uint64_t, Ranks const*>;

/// The steps of a phase in their order, repeats unrolled, and which of them each rank takes part in.
class PhaseProgram {
  public:
    /// The phase must outlive this. Its opens change `openers`.
    PhaseProgram(Pattern const& pattern, Phase const& phase, Openers& openers);

    /// Lists what each rank takes part in. Throws Error (usage) if that would not fit into memory.
    void list_ranks();

    [[nodiscard]] Instruction const& at(std::uint32_t number) const { return instructions_[number]; }
    /// Of a rank, once they are listed.
    [[nodiscard]] std::span<std::uint32_t const> of(std::uint64_t rank) const {
        return std::span(numbers_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
    }
    [[nodiscard]] std::vector<Instruction> const& all() const { return instructions_; }
    [[nodiscard]] std::uint32_t exchanges() const { return exchanges_; }

  private:
    Pattern const& pattern_;
    Phase const& phase_;
    Openers& openers_;
    void add(Step const& step, Turns const& turns);
    [[nodiscard]] Ranks const* callers_of(Access const& access) const;

    std::vector<Instruction> instructions_;
    std::deque<Access> made_;  ///< accesses of later turns, and those by counts as lists
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> numbers_;
    std::uint32_t exchanges_ = 0;
    bool exchanging_ = false;
};

/// The rows that a list of counts gives the rank at a place.
std::uint64_t rows_by_count(Partition const& by, std::uint64_t place);

/// A step of messages: Send, Move, or InGroups that is no broadcast.
bool is_exchange(Step const& step);

}  // namespace weir::sim
