#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weir {

/// A contiguous piece of a file, in bytes.
struct Piece {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;

    bool operator==(Piece const&) const = default;
};

std::uint64_t sum_of_lengths(std::span<Piece const>);

/// Pieces of a file that nested strides cannot express, one list for each rank that takes part, as in an irregular
/// decomposition of an unstructured mesh. Shared, not copied; lists from a file are mapped, so that the ranks of a node
/// hold them once. Empty: there are none.
class PieceLists {
  public:
    PieceLists() = default;
    explicit PieceLists(std::vector<std::vector<Piece>> const& lists);

    /// The lists of a binary file, little-endian words of 8 bytes: "WEIRLIST", the number of lists, where each list
    /// begins and the last one ends (counted in pieces, from 0), then offset and length of each piece. `name` is the
    /// file's name in the pattern. Throws Error (usage) if it is not such a file.
    static PieceLists map_file(std::filesystem::path const& path, std::string name);

    /// Writes them as such a file. Throws Error.
    void write_file(std::filesystem::path const&) const;

    [[nodiscard]] bool empty() const { return starts_.empty(); }
    [[nodiscard]] std::uint64_t ranks() const { return empty() ? 0 : starts_.size() - 1; }

    /// The list of the rank at this position among the participating ranks, in the order of its requests.
    [[nodiscard]] std::span<Piece const> of(std::uint64_t position) const {
        return pieces_.subspan(starts_[position], starts_[position + 1] - starts_[position]);
    }

    [[nodiscard]] std::span<Piece const> all() const { return pieces_; }

    /// The name of the file that they came from; empty if they are in the pattern itself.
    [[nodiscard]] std::string const& file_name() const { return file_name_; }

    bool operator==(PieceLists const&) const;

  private:
    PieceLists(std::shared_ptr<void const> memory, std::span<std::uint64_t const> words, std::string file_name);

    std::shared_ptr<void const> memory_;  ///< owner of the spans' memory
    std::span<std::uint64_t const> starts_;
    std::span<Piece const> pieces_;
    std::string file_name_;
};

}  // namespace weir
