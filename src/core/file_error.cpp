#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "core/error.hpp"

namespace weir {
namespace {

/// If the file does not exist, its directory is queried.
bool no_inodes_left(std::filesystem::path const& path) {
    struct statvfs status {};
    bool const known = ::statvfs(path.c_str(), &status) == 0 || ::statvfs(path.parent_path().c_str(), &status) == 0;
    return known && status.f_files > 0 && status.f_favail == 0;
}

char const* advice_for(int error_number, std::filesystem::path const& path) {
    switch (error_number) {
        case ENOSPC:
            return no_inodes_left(path) ? "The file system has no inode left: remove files, or ask for fewer."
                                        : "Free space, or ask for fewer or smaller files.";
        case EDQUOT:
            return "Your quota of files or bytes is used up: remove files, or ask for fewer.";
        case EMFILE:
        case ENFILE:
            return "Raise the limit on open files (ulimit -n), or use fewer ranks per node.";
        case EACCES:
        case EPERM:
        case EROFS:
            return "Name a directory that you may write to with dir.";
        case ENOENT:
        case ENOTDIR:
            return "Name an existing directory with dir, and let nothing else remove files in it.";
        case EMLINK:
            return "The file system allows no more entries in one directory: ask for fewer.";
        default:
            return "Look into the system's log: the file system failed.";
    }
}

}  // namespace

Error file_error(char const* what, std::filesystem::path const& path, int error_number) {
    return system_error(fmt::format("cannot {} '{}'", what, path.string()), error_number,
                        advice_for(error_number, path));
}

}  // namespace weir
