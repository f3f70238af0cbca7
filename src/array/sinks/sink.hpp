#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::array {

/// Where aggregators write contiguous pieces of the plan's space to, or read them from. Local; throws failures.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void write(std::uint64_t position, std::span<std::byte const>) = 0;
    virtual void read(std::uint64_t position, std::span<std::byte>) = 0;
};

}  // namespace weir::array
