#include "bench/check_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace weir {

void check_directory(std::filesystem::path const& directory) {
    auto const refuse = [&](char const* reason, char const* suggestion) {
        throw Error(
            {fmt::format("cannot measure '{}'", directory.string()), reason, suggestion, ExitCode::cannot_run, {}, {}});
    };
    std::error_code error;
    if (!std::filesystem::exists(directory, error)) {
        refuse("there is no such directory", "Make it, or name another with dir.");
    }
    if (!std::filesystem::is_directory(directory, error)) {
        refuse("it is a file", "Name a directory with dir.");
    }
    if (::access(directory.c_str(), W_OK | X_OK) != 0) {
        refuse(errno == EROFS ? "its file system is mounted read-only" : "you may not write to it",
               "Name another directory with dir.");
    }
}

}  // namespace weir
