#pragma once

#include <span>

#include "bench/network/network_function.hpp"

namespace weir {

/// What ranks send, and whether what arrives is that. Every byte depends on its rank, its place and the call, so that
/// data of an earlier call are noticed too; floats are whole numbers from 0 to 7, whose sums over a million ranks are
/// exact.
class DataCheck {
  public:
    /// `floats`: the function adds.
    DataCheck(std::uint64_t rank, bool floats) : rank_(rank), floats_(floats) {}

    /// The data of this call from now on.
    void begin(std::uint64_t call);

    void fill(std::span<std::byte> send) const;

    /// Makes the bytes that a call is expected to write wrong, so that what it does not write is noticed.
    void spoil(std::span<std::byte> receive) const;

    struct WrongBytes {
        std::uint64_t bytes = 0;  ///< compared
        std::uint64_t wrong = 0;
        std::uint64_t first = 0;  ///< place of the first wrong byte in the receive buffer
    };

    /// Compares the receive buffer with what the call leaves there, on `ranks` ranks.
    [[nodiscard]] WrongBytes compare(NetworkCall const&, int root, std::uint64_t ranks,
                                     std::span<std::byte const> receive) const;

  private:
    std::uint64_t rank_;
    bool floats_;
    std::uint64_t seed_ = 0;  ///< of the call
};

}  // namespace weir
