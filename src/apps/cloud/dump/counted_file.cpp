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
#include "core/posix_io.hpp"

namespace weir::cloud {
namespace {

constexpr std::array flags{O_RDONLY, O_WRONLY | O_NOFOLLOW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW};

/// Its descriptor; negative where the system refuses.
int empty_old_dump(std::filesystem::path const& path) {
    auto old = open_old_dump(path);
    return ::ftruncate(old.get(), 0) == 0 ? old.release() : -1;
}

}  // namespace

CountedFile::CountedFile(std::filesystem::path path, Access access, Tally& log, Clock& clock)
    : path_(std::move(path)), log_(log), clock_(clock) {
    descriptor_ = counted(log_, IoCall::open, clock_, [&] {
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
    ++log_[IoCall::seek].count;
    pointer_ = offset;
}

/// Makes a request where the pointer stands.
template <class Request>
Moved CountedFile::request(IoCall call, Request request) {
    auto const began = clock_.now_s();
    auto const moved = request();
    log_[call].time_s += clock_.now_s() - began;
    log_[call].count += moved.calls;
    log_[call].bytes += moved.bytes;
    if (moved.bytes > 0) {
        ++(call == IoCall::read ? log_.read_sizes : log_.write_sizes)[moved.bytes];
    }
    pointer_ += moved.bytes;
    return moved;
}

void CountedFile::write(std::uint64_t offset, std::span<std::byte const> data) {
    stand_at(offset);
    auto const moved = request(IoCall::write, [&] { return write_at(descriptor_, offset, data); });
    if (moved.failed()) {
        throw system_error(fmt::format("{} cannot be written from byte {} on", path_.string(), pointer_),
                           moved.error_number, "Is there room in its file system?");
    }
}

void CountedFile::read(std::uint64_t offset, std::span<std::byte> data) {
    stand_at(offset);
    auto const moved = request(IoCall::read, [&] { return read_at(descriptor_, offset, data); });
    if (moved.failed()) {
        throw system_error(fmt::format("{} cannot be read from byte {} on", path_.string(), pointer_),
                           moved.error_number, "Is it a file on a healthy file system?");
    }
    validate(moved.bytes == data.size(), path_.string() + " is cut off", fmt::format("it ends at byte {}", pointer_),
             "Name a restart file that is whole.");
}

std::uint64_t CountedFile::size() const {
    struct stat facts {};
    bool const known = ::fstat(descriptor_, &facts) == 0;
    validate(known && S_ISREG(facts.st_mode), path_.string() + " cannot be read", "it is no file",
             "Name a restart file.");
    return static_cast<std::uint64_t>(facts.st_size);
}

void CountedFile::sync() {
    if (auto const error = counted(log_, IoCall::sync, clock_, [&] { return sync_file(descriptor_); }); error != 0) {
        throw system_error(path_.string() + " cannot be brought to the device", error, "What was written may be lost.");
    }
}

void CountedFile::close() {
    auto const descriptor = std::exchange(descriptor_, -1);
    if (auto const error = counted(log_, IoCall::close, clock_, [&] { return close_file(descriptor); }); error != 0) {
        throw system_error(path_.string() + " cannot be closed", error, "What was written may be lost.");
    }
}

}  // namespace weir::cloud
