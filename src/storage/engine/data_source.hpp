#pragma once

#include <optional>
#include <span>

#include "pattern/loops.hpp"
#include "pattern/operations.hpp"
#include "storage/strided_memory.hpp"

namespace weir {

/// The current access of a phase, at these iterations of its enclosing repeats.
struct CurrentAccess {
    Access const& access;
    std::uint64_t file = 0;  ///< index of its file now
    Turns const& turns;
};

/// Provides the data that an application writes, and takes what it reads. All members are local, and called in the
/// order of the requests; their time does not count as transfer time. An exception ends the phase on all ranks.
class DataSource {
  public:
    virtual ~DataSource() = default;

    /// Makes the data of one request, `operation.length` bytes, at least one: for an array, the rank's part, packed in
    /// file order.
    virtual void fill(CurrentAccess const&, Operation const& operation, std::span<std::byte>) = 0;

    /// Where the rank's part of an array is in memory, for files that take it from there; it is not filled then, and
    /// unchanged until the request is complete. None: it is filled.
    virtual std::optional<StridedMemory> strided(CurrentAccess const&) { return {}; }

    /// Takes the data that was read.
    virtual void take(CurrentAccess const&, Operation const& operation, std::span<std::byte const>) = 0;

    /// The buffer of a broadcast: the same size on every rank, filled by the root. Empty: bytes without meaning.
    virtual std::span<std::byte> message(Broadcast const&) { return {}; }

    /// Computes, if the phase has a step for it; false: it does not, and the engine keeps the processor busy that long.
    virtual bool compute(Compute const&) { return false; }

    /// Does compute() need all ranks? Then none computes any more once one has failed.
    [[nodiscard]] virtual bool computes_together() const { return false; }
};

}  // namespace weir
