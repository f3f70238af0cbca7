#pragma once

#include <filesystem>
#include <vector>

#include "apps/common/run/strategy.hpp"

namespace weir {

/// The file that a user names, symbolic links resolved. Local, as the next.
std::filesystem::path real_path(std::filesystem::path const&);

std::filesystem::path directory_of(std::filesystem::path const& file);

/// The file of a restart, read by one rank alone before the run. Its members are local.
class RestartFile {
  public:
    /// Error (usage), naming it, if it does not exist or is not a file. The strategy outlives this.
    RestartFile(std::filesystem::path path, DumpStrategy const&);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Is its format other than plain bytes, so that its bytes show nothing?
    [[nodiscard]] bool has_format() const { return strategy_.format() != nullptr; }

    /// The bytes of this array of the file. Error (usage) if it has no such array.
    [[nodiscard]] std::vector<std::byte> array(Array const&) const;

    /// Error (usage) unless it has all these arrays, if its format allows the check.
    void check_arrays(std::vector<Array> const&) const;

  private:
    template <class Work>
    auto as_usage(Work) const;

    std::filesystem::path path_;
    DumpStrategy const& strategy_;
    std::uint64_t bytes_ = 0;
};

}  // namespace weir
