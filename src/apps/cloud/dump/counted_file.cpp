#include "apps/cloud/dump/counted_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "apps/cloud/dump/old_dump.hpp"
#include "core/error.hpp"

namespace weir::cloud {
namespace {

constexpr std::array flags{O_RDONLY, O_WRONLY | O_NOFOLLOW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW};

/// One request, made again where a signal has ended it before it did anything.
template <class Request>
ssize_t uninterrupted(Request request) {
    ssize_t done = -1;
    do {
        done = request();
    } while (done < 0 && errno == EINTR);
    return done;
}

/// Its descriptor; negative where the system refuses.
int empty_old_dump(std::filesystem::path const& path) {
    auto old = open_old_dump(path);
    return ::ftruncate(old.get(), 0) == 0 ? old.release() : -1;
}

}  // namespace

CountedFile::CountedFile(std::filesystem::path path, Access access, IoLog& log, Clock& clock)
    : path_(std::move(path)), log_(log), clock_(clock) {
    descriptor_ = counted(log_, Call::open, clock_, [&] {
        return ::open(path_.c_str(), flags[static_cast<std::size_t>(access)] | O_CLOEXEC, 0666);
    });
    if (descriptor_ < 0 && access == Access::create && errno == EEXIST) {
        descriptor_ = empty_old_dump(path_);
    }
    if (descriptor_ < 0) {
        auto const why = errno;
        validate(access != Access::read, path_.string() + " cannot be opened", std::strerror(why),
                 "Name a restart file that may be read.");
        throw system_error(path_.string() + " cannot be opened for writing", why,
                           "Is its directory there, on all nodes, and may files be made in it?");
    }
}

CountedFile::~CountedFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void CountedFile::stand_at(std::uint64_t offset) {
    if (pointer_ != offset) {
        seek(offset);
    }
}

void CountedFile::seek(std::uint64_t offset) {
    ++log_[Call::seek].count;
    pointer_ = offset;
}

void CountedFile::moved(Call call, std::uint64_t bytes) {
    ++(call == Call::read ? log_.read_sizes : log_.write_sizes)[bytes];
    pointer_ += bytes;
}

void CountedFile::write(std::uint64_t offset, std::span<std::byte const> data) {
    stand_at(offset);
    while (!data.empty()) {
        auto const done = counted(log_, Call::write, clock_, [&] {
            return uninterrupted(
                [&] { return ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(pointer_)); });
        });
        if (done <= 0) {
            throw system_error(fmt::format("{} cannot be written from byte {} on", path_.string(), pointer_),
                               done == 0 ? ENOSPC : errno, "Is there room in its file system?");
        }
        moved(Call::write, static_cast<std::uint64_t>(done));
        data = data.subspan(static_cast<std::size_t>(done));
    }
}

void CountedFile::read(std::uint64_t offset, std::span<std::byte> data) {
    stand_at(offset);
    while (!data.empty()) {
        auto const done = counted(log_, Call::read, clock_, [&] {
            return uninterrupted(
                [&] { return ::pread(descriptor_, data.data(), data.size(), static_cast<off_t>(pointer_)); });
        });
        if (done < 0) {
            throw system_error(fmt::format("{} cannot be read from byte {} on", path_.string(), pointer_), errno,
                               "Is it a file on a healthy file system?");
        }
        validate(done > 0, path_.string() + " is cut off", fmt::format("it ends at byte {}", pointer_),
                 "Name a restart file that is whole.");
        moved(Call::read, static_cast<std::uint64_t>(done));
        data = data.subspan(static_cast<std::size_t>(done));
    }
}

std::uint64_t CountedFile::size() const {
    struct stat facts {};
    bool const known = ::fstat(descriptor_, &facts) == 0;
    validate(known && S_ISREG(facts.st_mode), path_.string() + " cannot be read", "it is no file",
             "Name a restart file.");
    return static_cast<std::uint64_t>(facts.st_size);
}

void CountedFile::sync() {
    if (counted(log_, Call::sync, clock_, [&] { return ::fsync(descriptor_); }) != 0) {
        throw system_error(path_.string() + " cannot be brought to the device", errno, "What was written may be lost.");
    }
}

void CountedFile::close() {
    auto const descriptor = std::exchange(descriptor_, -1);
    if (counted(log_, Call::close, clock_, [&] { return ::close(descriptor); }) != 0) {
        throw system_error(path_.string() + " cannot be closed", errno, "What was written may be lost.");
    }
}

}  // namespace weir::cloud
