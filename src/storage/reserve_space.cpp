#include "storage/reserve_space.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/own_file.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {
namespace {

char const* advice_for(int error_number) {
    return error_number == EOPNOTSUPP ? "This file system cannot reserve space: leave preallocate out."
                                      : advice_on_file(error_number);
}

}  // namespace

void reserve_space(int fd, std::string const& path, std::uint64_t bytes) {
    // fallocate, not posix_fallocate: if the file system cannot reserve, the latter writes zeros over data of other
    // ranks.
    while (::fallocate(fd, 0, 0, static_cast<off_t>(bytes)) != 0) {
        if (errno != EINTR) {
            auto const error_number = errno;
            throw system_error(fmt::format("cannot reserve {} bytes for '{}'", bytes, path), error_number,
                               advice_for(error_number));
        }
        throw_if_interrupted();
    }
}

void reserve_space(std::string const& path, std::uint64_t bytes) {
    Descriptor const file(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (file.get() < 0) {
        throw system_error(fmt::format("cannot open '{}' to reserve its space", path), errno, "Leave preallocate out.");
    }
    reserve_space(file.get(), path, bytes);
}

}  // namespace weir
