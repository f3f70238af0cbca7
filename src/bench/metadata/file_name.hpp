#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace weir {

/// The names of one rank's files in one directory, made in place: numbering costs no allocation.
class FileName {
  public:
    /// Names `KIND-RANK-NUMBER` for numbers below `files`.
    FileName(std::filesystem::path const& directory, std::string const& kind, std::uint64_t rank, std::uint64_t files);

    void number(std::uint64_t index) {
        for (auto place = path_.size(); place-- > digits_at_; index /= 10) {
            path_[place] = static_cast<char>('0' + index % 10);
        }
    }

    [[nodiscard]] char const* path() const { return path_.c_str(); }
    [[nodiscard]] char const* name() const { return path_.c_str() + name_at_; }

  private:
    std::string path_;
    std::size_t name_at_ = 0;
    std::size_t digits_at_ = 0;
};

}  // namespace weir
