#pragma once

#include "array/layout/arrays.hpp"
#include "array/sinks/sink.hpp"
#include "weir/array.h"

namespace weir::array {

/// A sink that calls the application's functions instead of writing a file; see weir_target.
class TargetSink final : public Sink {
  public:
    TargetSink(Arrays const& arrays, weir_target const& target) : arrays_(arrays), target_(target) {}
    void write(std::uint64_t position, std::span<std::byte const>) override;
    void read(std::uint64_t position, std::span<std::byte>) override;

  private:
    Arrays const& arrays_;
    weir_target target_;
};

/// A range of the plan's space in memory, starting at a position.
class MemorySink final : public Sink {
  public:
    MemorySink(std::uint64_t first, std::uint64_t bytes) : first_(first), bytes_(bytes) {}
    void write(std::uint64_t position, std::span<std::byte const>) override;
    void read(std::uint64_t position, std::span<std::byte>) override;

  private:
    std::uint64_t first_;
    std::vector<std::byte> bytes_;
};

}  // namespace weir::array
