#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/array_section.hpp"
#include "pattern/piece_lists.hpp"

namespace weir {

/// The parts of several ranks as one request: its bytes are in the file's order, and the ranks' data, each packed,
/// follow one another. Local and pure.
class CombinedParts {
  public:
    explicit CombinedParts(std::vector<Section> parts);

    [[nodiscard]] std::span<Section const> parts() const { return parts_; }

    /// The same bytes in as few sections as are found: one if they are a box, else the parts.
    [[nodiscard]] std::span<Section const> boxes() const { return box_ ? std::span(&*box_, 1) : parts(); }

    /// The contiguous pieces of the file.
    [[nodiscard]] std::span<Piece const> pieces() const { return pieces_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// From the ranks' data to the request's, and back.
    void pack(std::span<std::byte const> of_ranks, std::span<std::byte> of_request) const;
    void unpack(std::span<std::byte const> of_request, std::span<std::byte> of_ranks) const;

  private:
    /// A contiguous piece of one rank's part.
    struct PartRun {
        std::uint64_t position = 0;
        std::uint64_t length = 0;
        std::uint64_t from = 0;  ///< in the ranks' data
    };
    std::vector<Section> parts_;
    std::optional<Section> box_;
    std::vector<PartRun> runs_;  ///< by position
    std::vector<Piece> pieces_;
    std::uint64_t bytes_ = 0;
};

}  // namespace weir
