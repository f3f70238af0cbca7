#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/clock.hpp"

namespace weir {

/// The size of pages that memory is asked for with: large ones, of 2 MiB, are a wish that the kernel may not grant.
enum class Pages { usual, large };

/// Page-aligned memory, touched, so that neither the kernel nor a hypervisor has to provide it later.
class Buffer {
  public:
    /// Throws Error if there is not so much memory, or a signal asks to stop.
    explicit Buffer(std::uint64_t bytes, Pages = Pages::usual);

    [[nodiscard]] std::span<std::byte> bytes() { return {data_.get(), size_}; }

  private:
    struct Unmap {
        std::uint64_t bytes;
        void operator()(std::byte* place) const;
    };

    std::unique_ptr<std::byte, Unmap> data_;
    std::size_t size_;
};

/// The duration of the first touch of memory.
struct TouchTime {
    std::uint64_t bytes = 0;
    double elapsed_s = 0;
};

/// Maps fresh memory, writes to each page of it, and unmaps it. If a hypervisor has not yet backed this machine's
/// memory, this makes it do so now rather than inside a measurement. If so much memory is not available, nothing is
/// touched; a signal that asks to stop ends it early.
TouchTime touch_memory(std::uint64_t bytes, Clock const&, Pages = Pages::usual);

/// Within a limit of address space (ulimit -v), lets all threads allocate from one arena. By itself, the GNU C library
/// reserves 64 MiB for each thread of an MPI library that meets another one in an allocation, so that launches alike
/// have different room. Before other threads start.
void keep_to_address_space();

}  // namespace weir
