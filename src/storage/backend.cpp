#include "storage/backend.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace weir {

void Backend::remove(std::filesystem::path const& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
        throw system_error("cannot remove '" + path.string() + "'", errno, "Remove it by hand.");
    }
}

void refuse_short_read(std::string const& file_name, ShortRead const& read) {
    throw Error({fmt::format("only {} of {} bytes could be read from '{}' at offset {}", read.got,
                             read.operation.length, file_name, read.operation.offset),
                 "the file is shorter than this case reads", "Write it first, with the same shape.",
                 ExitCode::cannot_run});
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
