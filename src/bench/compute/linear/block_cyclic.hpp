#pragma once

#include <cstdint>

namespace weir {

/// One dimension of a block-cyclic distribution: block b of `block` elements lies on process b mod `processes`, as in
/// ScaLAPACK and HPL with source process 0. All functions are local.
struct BlockCyclic {
    std::uint64_t size = 0;
    std::uint64_t block = 1;
    std::uint64_t processes = 1;

    [[nodiscard]] std::uint64_t blocks() const { return (size + block - 1) / block; }
    [[nodiscard]] std::uint64_t owner(std::uint64_t element) const { return element / block % processes; }

    /// How many of the elements below `end` a process has.
    [[nodiscard]] std::uint64_t count_below(std::uint64_t end, std::uint64_t process) const {
        auto const whole = end / block;
        auto const mine = whole / processes * block;
        auto const rounds = whole % processes;
        auto const extra = process < rounds ? block : process == rounds ? end % block : 0;
        return mine + extra;
    }

    [[nodiscard]] std::uint64_t count(std::uint64_t process) const { return count_below(size, process); }

    /// The place of an element among those of its owner.
    [[nodiscard]] std::uint64_t local(std::uint64_t element) const {
        return element / block / processes * block + element % block;
    }

    /// The element at a place of a process.
    [[nodiscard]] std::uint64_t global(std::uint64_t place, std::uint64_t process) const {
        return (place / block * processes + process) * block + place % block;
    }
};

}  // namespace weir
