#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "array_formats/common/failure.hpp"
#include "array_formats/pnetcdf/netcdf_file.hpp"

namespace weir::formats {

/// The number stands after the four bytes "CDF" and version, big-endian, in 4 bytes or, in version 5, in 8.
void set_records(std::string const& path, std::uint64_t records) {
    auto const file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    std::array<char, 4> magic{};
    bool good = file >= 0 && ::pread(file, magic.data(), magic.size(), 0) == 4;
    if (good) {
        auto const bytes = magic[3] == 5 ? std::size_t{8} : std::size_t{4};
        std::array<char, 8> number{};
        for (std::size_t i = 0; i < bytes; ++i) {
            number[i] = static_cast<char>(records >> (8 * (bytes - 1 - i)));
        }
        good = ::pwrite(file, number.data(), bytes, 4) == static_cast<ssize_t>(bytes);
    }
    auto const reason = errno;
    if (file >= 0) {
        good = ::close(file) == 0 && good;
    }
    if (!good) {
        fail(WEIR_IO, fmt::format("the number of records of {} cannot be set", path), std::strerror(reason),
             "The new record is not in the file.");
    }
}

}  // namespace weir::formats
