#include "array/durable.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "array/failure.hpp"
#include "array/part_file.hpp"
#include "core/posix_io.hpp"

namespace weir::array {
std::filesystem::path aside(std::filesystem::path const& path) {
    auto other = path;
    other += ".weir-part";
    return other;
}

void move_into_place(std::filesystem::path const& from, std::filesystem::path const& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        auto const error = errno;
        fail_system(fmt::format("{} cannot be put in the place of {}", from.string(), to.string()), error,
                    "The last one is untouched.");
    }
    if (auto const error = sync_directory_of(to); error != 0) {
        fail_system(fmt::format("the directory of {} cannot be brought to the device", to.string()), error,
                    "The file is complete, but a crash now may bring the older one back.");
    }
}

void replace_file(std::filesystem::path const& path, std::string const& text) {
    PartFile part(path);
    for (std::size_t done = 0; done < text.size();) {
        auto const n = ::pwrite(part.descriptor(), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            auto const error = n == 0 ? ENOSPC : errno;
            fail_system(fmt::format("{} cannot be written", aside(path).string()), error,
                        "Is there room in its directory?");
        }
        done += static_cast<std::size_t>(n);
    }
    part.put_in_place();
}

void make_reach(std::filesystem::path const& path, std::uint64_t end, bool sync) {
    auto const descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat status {};
    bool good = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
    if (good && static_cast<std::uint64_t>(status.st_size) < end) {
        // Not by truncation: another job that writes its own part of the larger array may just have gone beyond.
        auto const error = ::posix_fallocate(descriptor, static_cast<off_t>(end - 1), 1);
        good = error == 0 && (!sync || ::fsync(descriptor) == 0);
        errno = error != 0 ? error : errno;
    }
    auto const error = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!good) {
        fail_system(fmt::format("{} cannot be made {} bytes long", path.string(), end), error,
                    "The larger array reaches so far. Is there room?");
    }
}

}  // namespace weir::array
