#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace weir::array {

/// CRC-32C (Castagnoli) of some bytes, as iSCSI (RFC 3720) defines it. Uses the processor's instruction if it has one.
std::uint32_t crc32c(std::span<std::byte const>);

/// A piece's contribution to the checksum of a longer one, in which `bytes` bytes follow it: the checksum of the
/// complete one is the exclusive or of all pieces' contributions, in any order.
std::uint32_t crc32c_followed_by(std::uint32_t crc, std::uint64_t bytes);

/// Checksums of a file's blocks, added piece by piece in any order, on any rank. Missing bytes contribute nothing; the
/// number of bytes covered is kept too.
class Checksums {
  public:
    static constexpr std::uint64_t block_bytes = 1 << 20;

    /// Of bytes [begin, end) of a file.
    Checksums(std::uint64_t begin, std::uint64_t end);

    /// Adds a piece at this offset of the file. Local.
    void add(std::uint64_t offset, std::span<std::byte const>);

    /// Combines the checksums of all ranks on rank 0. Collective.
    void gather(Communicator const&);

    /// The result of comparing blocks in which the same bytes were written and read.
    struct Comparison {
        std::uint64_t blocks = 0;                         ///< blocks that were compared
        std::optional<std::uint64_t> first_difference{};  ///< the block's first byte
    };
    [[nodiscard]] Comparison compared_with(Checksums const& read) const;

    /// Do the two byte ranges overlap?
    [[nodiscard]] bool touches(Checksums const& other) const { return begin_ < other.end_ && other.begin_ < end_; }

    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }

    /// The text that is stored in a file.
    [[nodiscard]] std::string text() const;
    static Checksums from_text(std::string const&);

  private:
    [[nodiscard]] std::size_t block_of(std::uint64_t offset) const {
        return offset / block_bytes - begin_ / block_bytes;
    }

    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
    std::vector<std::uint32_t> crc_;
    std::vector<std::uint32_t> covered_;  ///< bytes covered of each block
};

/// A file's checksums, in PATH.weirsum. While a dump replaces the file, they include those of the old version, so that
/// whichever version an interruption leaves can be verified. It begins with its own length and checksum: a damaged one
/// verifies nothing, and says so. Local.
class ChecksumFile {
  public:
    explicit ChecksumFile(std::filesystem::path const& dump);

    /// Adds this version before the stored ones.
    void announce(Checksums const&) const;

    /// Makes this the only version of these bytes.
    void settle(Checksums const&) const;

    /// Throws Failure (WEIR_CHECKSUM) if the bytes read match no stored version, or no checksums are stored for them.
    void verify(Checksums const& read) const;

  private:
    [[nodiscard]] std::vector<Checksums> versions() const;
    [[nodiscard]] std::vector<Checksums> readable_versions() const;
    void keep(std::vector<Checksums> const&) const;

    std::filesystem::path dump_;
    std::filesystem::path path_;
};

}  // namespace weir::array
