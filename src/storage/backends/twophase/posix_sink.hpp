#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "array/sinks/sink.hpp"
#include "core/error.hpp"
#include "storage/backends/twophase/deferred_file.hpp"

namespace weir {

/// Where an aggregator puts what it has collected for one request, and gets it from: a file, from a byte of it on.
/// It never throws: what failed first is kept, and nothing is done after it.
class PosixSink final : public array::Sink {
  public:
    PosixSink(DeferredFile& file, std::uint64_t base) : file_(file), base_(base) {}

    void write(std::uint64_t position, std::span<std::byte const>) override;

    /// What lies beyond the end of the file reads as zeros; its place is kept.
    void read(std::uint64_t position, std::span<std::byte>) override;

    [[nodiscard]] std::optional<Diagnosis> const& failure() const { return failure_; }

    /// The first byte of the file that was asked for and is not there; none where all are.
    static constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    [[nodiscard]] std::uint64_t missing() const { return missing_; }

  private:
    DeferredFile& file_;
    std::uint64_t base_;
    std::uint64_t missing_ = none;
    std::optional<Diagnosis> failure_;
};

}  // namespace weir
