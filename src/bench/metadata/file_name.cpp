#include "bench/metadata/file_name.hpp"

#include <fmt/format.h>

namespace weir {

FileName::FileName(std::filesystem::path const& directory, std::string const& kind, std::uint64_t rank,
                   std::uint64_t files)
    : path_(directory.string() + "/"), name_at_(path_.size()) {
    path_ += fmt::format("{}-{}-", kind, rank);
    digits_at_ = path_.size();
    path_ += std::string(fmt::formatted_size("{}", files - 1), '0');
}

}  // namespace weir
