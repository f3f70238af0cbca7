#include "array/sinks/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include "comm/collective_error_c.hpp"
#include "core/own_file.hpp"
#include "core/posix_io.hpp"

namespace weir::array {

namespace {

constexpr int most_links = 40;  // the kernel's limit
constexpr mode_t permissions = 0777;

[[noreturn]] void refuse(std::filesystem::path const& part, std::string const& reason) {
    fail(WEIR_IO, fmt::format("{} cannot be written", part.string()), reason,
         "Move it away, or write to another directory.");
}

int open_for_sure(std::filesystem::path const& part, int flags) {
    int descriptor = -1;
    do {
        descriptor = ::open(part.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0666);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

void copy_through_memory(int from, int to, std::uint64_t at, std::uint64_t end, std::filesystem::path const& part) {
    std::vector<std::byte> buffer(std::min<std::uint64_t>(end - at, 1 << 20));
    while (at < end) {
        auto const piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), end - at));
        auto const read = read_at(from, at, piece);
        auto const written = read.failed() ? read : write_at(to, at, piece.first(read.bytes));
        if (written.failed()) {
            fail_system(written.error_number, "The last dump is untouched.",
                        "what the file holds outside the arrays cannot be copied to {}", part.native());
        }
        if (read.bytes < piece.size()) {
            return;  // the file was truncated meanwhile
        }
        at += read.bytes;
    }
}

void copy(int from, int to, FileRange const& range, std::filesystem::path const& part) {
    auto at = range.from;
#ifdef __linux__
    // Shares blocks between the files if the file system can; otherwise copies through memory.
    while (at < range.to) {
        auto source = static_cast<loff_t>(at);
        auto target = static_cast<loff_t>(at);
        auto const n = ::copy_file_range(from, &source, to, &target, range.to - at, 0);
        if (n <= 0) {
            break;
        }
        at += static_cast<std::uint64_t>(n);
    }
#endif
    copy_through_memory(from, to, at, range.to, part);
}

}  // namespace

std::filesystem::path resolved(std::filesystem::path const& path) {
    auto real = path;
    for (int links = 0; links < most_links; ++links) {
        std::error_code none;
        if (!std::filesystem::is_symlink(std::filesystem::symlink_status(real, none))) {
            return real;
        }
        auto const target = std::filesystem::read_symlink(real, none);
        if (none) {
            break;
        }
        real = real.parent_path() / target;  // an absolute target replaces the path
    }
    fail_system(ELOOP, "Does the link lead to itself?", "{} cannot be followed", path.native());
}

PartFile::PartFile(std::filesystem::path const& path) : path_(resolved(path)), part_(part_path(path_)) {
    try {
        look_at_old();
        descriptor_ = open_for_sure(part_, O_CREAT | O_EXCL);
        if (descriptor_ < 0 && errno == EEXIST) {
            take_over();
        } else if (descriptor_ < 0) {
            fail_system(errno, "Does its directory exist, and may you write there?", "{} cannot be made",
                        part_.native());
        } else {
            static_cast<void>(::flock(descriptor_, LOCK_EX | LOCK_NB));  // some file systems have no locks
        }
        if (old_) {
            static_cast<void>(::fchmod(descriptor_, S_IRUSR | S_IWUSR));  // until it gets the old file's mode
        }
    } catch (...) {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        throw;
    }
}

PartFile::~PartFile() {
    if (!placed_ && still_there()) {
        static_cast<void>(::unlink(part_.c_str()));
    }
    ::close(descriptor_);
}

void PartFile::look_at_old() {
    struct stat status {};
    if (::lstat(path_.c_str(), &status) == 0) {
        old_ = status;
    } else if (errno != ENOENT) {
        fail_system(errno, "May you look into its directory?", "{} cannot be replaced", path_.native());
    }
    if (old_ && !S_ISREG(status.st_mode)) {
        refuse(path_, "it is no plain file, which a safe dump could replace");
    }
}

void PartFile::take_over() {
    descriptor_ = open_for_sure(part_, 0);
    if (descriptor_ < 0) {
        auto const error = errno;
        refuse(part_,
               error == ELOOP ? "it is a symbolic link" : std::string(fmt::format("{} is there", part_.string())));
    }
    if (auto const reason = why_not_own(descriptor_); !reason.empty()) {
        refuse(part_, reason);
    }
    bool const busy = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (busy || !still_there()) {
        refuse(part_, "another program is just writing it");
    }
    if (::ftruncate(descriptor_, 0) != 0) {
        refuse(part_, "it cannot be emptied");
    }
}

bool PartFile::still_there() const {
    struct stat mine {};
    struct stat named {};
    return ::fstat(descriptor_, &mine) == 0 && ::lstat(part_.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
}

int PartFile::opened(std::filesystem::path const& part) {
    // O_CREAT makes the client ask the server: its cache may say for a while that the name does not exist.
    auto const descriptor = open_for_sure(part, O_CREAT);
    if (descriptor < 0) {
        fail_system(errno, "Does its directory exist, and may you write there?", "{} cannot be opened", part.native());
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        refuse(part, "it is no plain file");
    }
    return descriptor;
}

void PartFile::keep(std::vector<FileRange> const& ranges) const {
    if (!old_ || ranges.empty()) {
        return;
    }
    auto const old = ::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (old < 0) {
        fail_system(errno, "A safe dump copies what the file holds outside the arrays.", "{} cannot be read",
                    path_.native());
    }
    try {
        for (auto const& range : ranges) {
            copy(old, descriptor_, range, part_);
        }
    } catch (...) {
        ::close(old);
        throw;
    }
    ::close(old);
}

void PartFile::put_in_place() {
    if (old_) {
        // With write access to a directory, a user can replace another user's file; only root can keep its owner.
        if (::fchown(descriptor_, old_->st_uid, old_->st_gid) != 0) {
            static_cast<void>(!::fchown(descriptor_, static_cast<uid_t>(-1), old_->st_gid));
        }
        static_cast<void>(::fchmod(descriptor_, old_->st_mode & permissions));
    }
    if (::fsync(descriptor_) != 0) {
        fail_system(errno, "The last dump is untouched.", "{} cannot be brought to the device", part_.native());
    }
    if (!still_there()) {
        fail(WEIR_IO, fmt::format("{} cannot be put in the place of {}", part_.string(), path_.string()),
             "another program has replaced it",
             "The last dump is untouched. Write to one file by one program at a time.");
    }
    move_into_place(part_, path_);
    placed_ = true;
}

std::filesystem::path part_path(std::filesystem::path const& path) {
    auto other = path;
    other += ".weir-part";
    return other;
}

void move_into_place(std::filesystem::path const& from, std::filesystem::path const& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        fail_system(errno, "The last one is untouched.", "{} cannot be put in the place of {}", from.native(),
                    to.native());
    }
    if (auto const error = sync_directory_of(to); error != 0) {
        fail_system(error, "The file is complete, but a crash now may bring the older one back.",
                    "the directory of {} cannot be brought to the device", to.native());
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
            fail_system(error, "Is there room in its directory?", "{} cannot be written", part_path(path).string());
        }
        done += static_cast<std::size_t>(n);
    }
    part.put_in_place();
}

void extend_file(std::filesystem::path const& path, std::uint64_t end, bool sync) {
    auto const descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat status {};
    bool good = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
    if (good && static_cast<std::uint64_t>(status.st_size) < end) {
        // Not ftruncate: another job that writes its own part of the larger array may just have extended the file.
        auto const error = ::posix_fallocate(descriptor, static_cast<off_t>(end - 1), 1);
        good = error == 0 && (!sync || ::fsync(descriptor) == 0);
        errno = error != 0 ? error : errno;
    }
    auto const error = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!good) {
        fail_system(error, "The larger array reaches so far. Is there room?", "{} cannot be made {} bytes long",
                    path.native(), end);
    }
}

}  // namespace weir::array
