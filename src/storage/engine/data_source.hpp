#pragma once

#include <span>

#include "pattern/loops.hpp"
#include "pattern/operations.hpp"

namespace weir {

/// An access of a phase that is being run, at these turns of the repeats around it.
struct CurrentAccess {
    Access const& access;
    std::uint64_t file = 0;  ///< where it is at
    Turns const& turns;
};

/// Has what an application writes, and takes what it reads. All members are local, and called in the order of the
/// requests; the time that they take is no part of the transfer's. What they throw ends the phase on all ranks.
class DataSource {
  public:
    virtual ~DataSource() = default;

    /// Makes the bytes of one request, `operation.length` of them, at least one: of an array, the rank's part, packed
    /// as in the file.
    virtual void fill(CurrentAccess const&, Operation const& operation, std::span<std::byte>) = 0;

    /// Takes those that were read.
    virtual void take(CurrentAccess const&, Operation const& operation, std::span<std::byte const>) = 0;

    /// What a broadcast carries: the same memory on every rank, which the root has filled. None: bytes without meaning.
    virtual std::span<std::byte> message(Broadcast const&) { return {}; }

    /// Computes, where the phase has a step for it; false: it does not, and the processor is kept busy so long.
    virtual bool compute(Compute const&) { return false; }
};

}  // namespace weir
