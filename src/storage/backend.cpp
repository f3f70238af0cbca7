#include "storage/backend.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/error.hpp"
#include "core/posix_io.hpp"

namespace weir {

void Backend::remove(std::filesystem::path const& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
        throw system_error("cannot remove '" + path.string() + "'", errno, "Remove it by hand.");
    }
}

void Backend::rename(std::filesystem::path const& from, std::filesystem::path const& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw system_error(from.string() + " cannot be put in the place of " + to.string(), errno,
                           "The old file is unchanged; does another program work in this directory?");
    }
    if (auto const error_number = sync_directory_of(to); error_number != 0) {
        throw system_error("the directory of " + to.string() + " cannot be brought to the device", error_number,
                           "The file is complete, but a crash now may bring the older one back.");
    }
}

void refuse_short_read(std::string const& file_name, ShortRead const& read) {
    throw Error({fmt::format("only {} of {} bytes could be read from '{}' at offset {}", read.got,
                             read.operation.length, file_name, read.operation.offset),
                 "the file is shorter than this case reads", "Write it first, with the same shape.",
                 ExitCode::cannot_run});
}

bool has_arrays(Pattern const& files) {
    return std::ranges::any_of(files.files, [](File const& file) { return !file.arrays.empty(); });
}

void refuse_direct_arrays(Pattern const& files) {
    constexpr std::uint64_t block = 512;  // no device has a smaller one
    for (auto const& file : files.files) {
        for (auto const& array : file.arrays) {
            validate(array.offset.value_or(0) % block == 0 && bytes_of(array) % block == 0,
                     fmt::format("direct contradicts array '{}' of '{}'", array.name, file.name),
                     fmt::format("it has {} bytes at offset {}, and O_DIRECT needs multiples of the device's block",
                                 bytes_of(array), array.offset.value_or(0)),
                     "Leave direct out.");
        }
    }
}

void refuse_bytes(std::string const& file_name, char const* format) {
    throw Error({fmt::format("'{}' holds arrays, and a request is for bytes of it", file_name),
                 fmt::format("in {} there are none outside its arrays", format),
                 "Ask for arrays, or choose a back-end of plain files.", ExitCode::usage});
}

std::map<std::string, std::string>& left_out_backends() {
    static std::map<std::string, std::string> reasons;
    return reasons;
}

}  // namespace weir
