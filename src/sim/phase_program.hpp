#pragma once

#include <cstdint>
#include <deque>
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
};

/// The steps of a phase in their order, repeats unrolled, and which of them each rank takes part in.
class PhaseProgram {
  public:
    /// Throws Error (usage) if it would not fit into memory. The phase must outlive this.
    PhaseProgram(Pattern const& pattern, Phase const& phase);

    [[nodiscard]] Instruction const& at(std::uint32_t number) const { return instructions_[number]; }
    [[nodiscard]] std::span<std::uint32_t const> of(std::uint64_t rank) const {
        return std::span(numbers_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
    }
    [[nodiscard]] std::uint32_t exchanges() const { return exchanges_; }

  private:
    void add(Step const& step, Turns const& turns);

    std::vector<Instruction> instructions_;
    std::deque<Access> displaced_;  ///< accesses of later turns
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> numbers_;
    std::uint32_t exchanges_ = 0;
    bool exchanging_ = false;
};

/// A step of messages: Send, Move, or InGroups that is no broadcast.
bool is_exchange(Step const& step);

}  // namespace weir::sim
