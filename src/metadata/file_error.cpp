#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <filesystem>

#include "metadata/file_calls.hpp"

namespace weir {
namespace {

bool no_inodes_left(std::filesystem::path const& directory) {
    struct statvfs status {};
    return statvfs(directory.c_str(), &status) == 0 && status.f_files > 0 && status.f_favail == 0;
}

char const* advice_for(int error_number, char const* path) {
    switch (error_number) {
        case ENOSPC:
            return no_inodes_left(std::filesystem::path(path).parent_path())
                       ? "The file system has no inode left: remove files, or ask for fewer with files."
                       : "Free space, or ask for fewer or smaller files (files, file_bytes).";
        case EDQUOT:
            return "Your quota of files or bytes is used up: remove files, or ask for fewer with files.";
        case EMFILE:
        case ENFILE:
            return "Raise the limit on open files (ulimit -n), or use fewer ranks a node.";
        case EACCES:
        case EPERM:
        case EROFS:
            return "Name a directory that you may write to with dir.";
        case ENOENT:
        case ENOTDIR:
            return "Name a directory that is there with dir, and let nothing else remove files in it.";
        case EMLINK:
            return "The file system allows no more entries in one directory: ask for fewer with files.";
        default:
            return "Look into the system's log: the file system failed.";
    }
}

}  // namespace

Error file_error(char const* what, char const* path, int error_number) {
    return system_error(fmt::format("cannot {} '{}'", what, path), error_number, advice_for(error_number, path));
}

}  // namespace weir
