#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "array/layout/arrays.hpp"
#include "weir/array.h"

namespace weir::array {

/// Where aggregators write contiguous pieces of the plan's space to, or read them from. Local; throws failures.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void write(std::uint64_t position, std::span<std::byte const>) = 0;
    virtual void read(std::uint64_t position, std::span<std::byte>) = 0;

    /// Can be asked what it holds while it is written; and what that is: zeros where it holds nothing yet.
    [[nodiscard]] virtual bool keeps() const { return false; }
    virtual void read_old(std::uint64_t position, std::span<std::byte> data) { read(position, data); }
};

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

/// A sink that reverses the byte order of numbers. Pieces may begin and end within numbers. Local.
class SwappedSink final : public Sink {
  public:
    /// `numbers`: bytes of each number of an array, a divisor of its element size; 1: not reversed.
    SwappedSink(Sink& sink, Arrays const& arrays, std::vector<std::int64_t> numbers)
        : sink_(sink), arrays_(arrays), numbers_(std::move(numbers)) {}

    void write(std::uint64_t position, std::span<std::byte const>) override;
    void read(std::uint64_t position, std::span<std::byte>) override;
    [[nodiscard]] bool keeps() const override { return sink_.keeps(); }
    void read_old(std::uint64_t position, std::span<std::byte>) override;

  private:
    template <class Read>
    void read_reversed(std::uint64_t position, std::span<std::byte>, Read) const;
    template <class Visit>
    void each_piece(std::uint64_t position, std::uint64_t bytes, Visit visit) const;

    Sink& sink_;
    Arrays const& arrays_;
    std::vector<std::int64_t> numbers_;
    std::vector<std::byte> reversed_{};
};

/// Copies bytes, reversing each number of `number` bytes; a part of a number is reversed as a unit. Source and target
/// may be the same memory.
void copy_reversed(std::byte* target, std::byte const* source, std::uint64_t bytes, std::uint64_t number);

}  // namespace weir::array
