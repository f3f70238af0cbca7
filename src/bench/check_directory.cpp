#include "bench/check_directory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace weir {

void check_directory(std::filesystem::path const& directory) {
    auto const refuse = [&](char const* reason, char const* suggestion, ExitCode code) {
        throw Error({fmt::format("cannot measure '{}'", directory.string()), reason, suggestion, code});
    };
    std::error_code error;
    if (!std::filesystem::exists(directory, error)) {
        refuse("there is no such directory", "Make it, or name another with dir.", ExitCode::usage);
    }
    if (!std::filesystem::is_directory(directory, error)) {
        refuse("it is a file", "Name a directory with dir.", ExitCode::usage);
    }
    if (::access(directory.c_str(), W_OK | X_OK) != 0) {
        refuse(errno == EROFS ? "its file system is mounted read-only" : "you may not write to it",
               "Name another directory with dir.", ExitCode::cannot_run);
    }
}

void check_whose(std::filesystem::path const& directory, ForeignFolder others) {
    struct stat facts {};
    if (::geteuid() != 0 || others == ForeignFolder::permitted || ::stat(directory.c_str(), &facts) != 0 ||
        facts.st_uid == 0) {
        return;
    }
    auto const shared = (facts.st_mode & S_ISVTX) != 0 && (facts.st_mode & S_IWOTH) != 0;
    if (!shared) {
        throw Error({fmt::format("root puts no files into '{}'", directory.string()),
                     fmt::format("it belongs to user {}, who could neither change nor trust them", facts.st_uid),
                     "Run it as that user, name another directory with dir, or give foreign_folder.",
                     ExitCode::cannot_run});
    }
}

}  // namespace weir
