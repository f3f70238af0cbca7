#pragma once

#include <filesystem>
#include <vector>

#include "apps/common/run/strategy.hpp"

namespace weir {

/// Where a file is that a person names: a link is followed. Local, as the next.
std::filesystem::path real_path(std::filesystem::path const&);

std::filesystem::path directory_of(std::filesystem::path const& file);

/// A file from which a run is to go on, as one rank alone looks into it before. Its members are local.
class RestartFile {
  public:
    /// Error (usage), naming it, where there is none, or something else than a file. The strategy outlives this.
    RestartFile(std::filesystem::path path, Strategy const&);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Is it of a format of its own, so that its bytes tell nothing?
    [[nodiscard]] bool has_format() const { return strategy_.format() != nullptr; }

    /// The bytes of this array of the file. Error (usage) where it has none such.
    [[nodiscard]] std::vector<std::byte> array(Array const&) const;

    /// Error (usage) unless it has all these arrays, where that is to be seen: in a format.
    void check_arrays(std::vector<Array> const&) const;

  private:
    template <class Work>
    auto as_usage(Work) const;

    std::filesystem::path path_;
    Strategy const& strategy_;
    std::uint64_t bytes_ = 0;
};

}  // namespace weir
