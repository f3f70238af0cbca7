#pragma once

#include <cstdint>
#include <span>

#include "array/layout/window.hpp"
#include "array/sinks/sink.hpp"

namespace weir::array {

/// What is written to bytes of the plan's space that no rank holds.
class Holes {
  public:
    virtual ~Holes() = default;

    /// Are all of them written? If not, only those in gaps of at most gap() bytes, to make fewer requests.
    [[nodiscard]] virtual bool all() const = 0;
    [[nodiscard]] virtual std::uint64_t gap() const = 0;

    /// Bytes of memory that supply() needs for a window of this size.
    [[nodiscard]] virtual std::uint64_t scratch_bytes(std::uint64_t window) const = 0;

    /// Puts them into an extent of a window, whose bytes are `bytes`, at its holes. Local.
    virtual void supply(Sink&, SlotExtent const& extent, std::span<std::byte> bytes, std::span<SlotExtent const> holes,
                        std::span<std::byte> scratch) const = 0;
};

/// What the file holds there: they are read, and written again. Right as long as nothing else writes to them: each lies
/// in the domain of one aggregator.
class KeptHoles final : public Holes {
  public:
    [[nodiscard]] bool all() const override { return false; }
    [[nodiscard]] std::uint64_t gap() const override;
    [[nodiscard]] std::uint64_t scratch_bytes(std::uint64_t window) const override { return window; }
    void supply(Sink&, SlotExtent const& extent, std::span<std::byte> bytes, std::span<SlotExtent const> holes,
                std::span<std::byte> scratch) const override;
};

/// Each array's fill value.
class FilledHoles final : public Holes {
  public:
    explicit FilledHoles(Arrays const& arrays) : arrays_(arrays) {}
    [[nodiscard]] bool all() const override { return true; }
    [[nodiscard]] std::uint64_t gap() const override { return 0; }
    [[nodiscard]] std::uint64_t scratch_bytes(std::uint64_t) const override { return 0; }
    void supply(Sink&, SlotExtent const& extent, std::span<std::byte> bytes, std::span<SlotExtent const> holes,
                std::span<std::byte> scratch) const override;

  private:
    Arrays const& arrays_;
};

}  // namespace weir::array
