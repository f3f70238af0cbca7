#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "array/sinks/sink.hpp"
#include "core/error.hpp"
#include "storage/backends/twophase/deferred_file.hpp"

namespace weir {

/// Where an aggregator writes the data of one request to, or reads it from: a file, from this offset on. Never throws:
/// keeps the first failure, and does nothing after it.
class PosixSink final : public array::Sink {
  public:
    PosixSink(DeferredFile& file, std::uint64_t base) : file_(file), base_(base) {}

    void write(std::uint64_t position, std::span<std::byte const>) override;

    /// Bytes beyond end of file read as zeros; the offset of the first is kept.
    void read(std::uint64_t position, std::span<std::byte>) override;

    [[nodiscard]] std::optional<Diagnosis> const& failure() const { return failure_; }

    /// The first requested byte of the file that does not exist; `none` if all do.
    static constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    [[nodiscard]] std::uint64_t missing() const { return missing_; }

  private:
    DeferredFile& file_;
    std::uint64_t base_;
    std::uint64_t missing_ = none;
    std::optional<Diagnosis> failure_;
};

}  // namespace weir
