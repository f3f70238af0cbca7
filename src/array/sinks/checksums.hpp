#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace weir::array {

/// CRC-32C (Castagnoli) of some bytes, as iSCSI (RFC 3720) defines it. By the processor's instruction where it has one.
std::uint32_t crc32c(std::span<std::byte const>);

/// What a piece with this checksum adds to that of a longer one, in which `bytes` bytes follow it: the checksum of the
/// whole is the exclusive or of what its pieces add, in any order.
std::uint32_t crc32c_followed_by(std::uint32_t crc, std::uint64_t bytes);

/// Checksums of the blocks of a file, from pieces in any order, on any rank. What is not among the pieces counts for
/// nothing; how much is, is kept too.
class Checksums {
  public:
    static constexpr std::uint64_t block_bytes = 1 << 20;

    /// Of bytes [begin, end) of a file.
    Checksums(std::uint64_t begin, std::uint64_t end);

    /// A piece from this byte of the file on. Local.
    void add(std::uint64_t offset, std::span<std::byte const>);

    /// Reduces the checksums of all ranks to rank 0. Collective.
    void gather(Communicator const&);

    /// What came of comparing blocks of which the same bytes were written and read.
    struct Comparison {
        std::uint64_t blocks = 0;                         ///< that could be compared
        std::optional<std::uint64_t> first_difference{};  ///< the block's first byte
    };
    [[nodiscard]] Comparison compared_with(Checksums const& read) const;

    /// Are some bytes of the file in both ranges?
    [[nodiscard]] bool touches(Checksums const& other) const { return begin_ < other.end_ && other.begin_ < end_; }

    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }

    /// As kept in a file.
    [[nodiscard]] std::string text() const;
    static Checksums from_text(std::string const&);

  private:
    [[nodiscard]] std::size_t block_of(std::uint64_t offset) const {
        return offset / block_bytes - begin_ / block_bytes;
    }

    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
    std::vector<std::uint32_t> crc_;
    std::vector<std::uint32_t> covered_;  ///< bytes of each block
};

/// The checksums of a file, in PATH.weirsum: of the file as it is, and for as long as a dump replaces
/// it also of what it was before, so that whichever of the two an interruption leaves can be verified. Local.
class ChecksumFile {
  public:
    explicit ChecksumFile(std::filesystem::path const& dump);

    /// Adds this version before the ones that are there.
    void announce(Checksums const&) const;

    /// Now this is the only version of these bytes.
    void settle(Checksums const&) const;

    /// Throws Failure (WEIR_CHECKSUM) where no version is what was read, or none of these bytes is kept.
    void verify(Checksums const& read) const;

  private:
    [[nodiscard]] std::vector<Checksums> versions() const;
    [[nodiscard]] std::vector<Checksums> readable_versions() const;
    void keep(std::vector<Checksums> const&) const;

    std::filesystem::path dump_;
    std::filesystem::path path_;
};

}  // namespace weir::array
