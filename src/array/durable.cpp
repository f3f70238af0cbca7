#include "array/durable.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "array/failure.hpp"

namespace weir::array {
namespace {

/// Renames are on the device when their directory is. Some file systems cannot sync directories, and need not.
void sync_directory(std::filesystem::path const& file) {
    auto const directory = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    auto const descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    auto const failed = descriptor < 0 || (::fsync(descriptor) != 0 && errno != EINVAL && errno != EBADF);
    auto const error = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (failed) {
        fail_system(fmt::format("the directory {} cannot be brought to the device", directory.string()), error,
                    "The file is complete, but a crash now may bring the older one back.");
    }
}

}  // namespace

std::filesystem::path aside(std::filesystem::path const& path) {
    auto other = path;
    other += ".weir-part";
    return other;
}

void move_into_place(std::filesystem::path const& from, std::filesystem::path const& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        auto const error = errno;
        fail_system(fmt::format("{} cannot be put in the place of {}", from.string(), to.string()), error,
                    "The last dump is untouched; the new one is complete beside it.");
    }
    sync_directory(to);
}

void replace_file(std::filesystem::path const& path, std::string const& text) {
    auto const other = aside(path);
    auto* const file = std::fopen(other.c_str(), "w");
    bool ok = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
              std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
    auto const error = errno;
    ok = (file == nullptr || std::fclose(file) == 0) && ok;
    if (!ok) {
        fail_system(fmt::format("{} cannot be written", other.string()), error, "Is there room in its directory?");
    }
    move_into_place(other, path);
}

}  // namespace weir::array
