#include "array/sinks/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "comm/collective_error_c.hpp"
#include "core/posix_io.hpp"
#include "core/proc.hpp"

namespace weir::array {

namespace {

constexpr int most_links = 40;  // the kernel's limit
constexpr mode_t permissions = 0777;

[[noreturn]] void refuse(std::filesystem::path const& part, std::string const& reason) {
    fail(WEIR_IO, fmt::format("{} cannot be written", part.string()), reason,
         "Move it away, or write to another directory.");
}

Descriptor open_for_sure(std::filesystem::path const& part, int flags) {
    int descriptor = -1;
    do {
        descriptor = open_or_make(part.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags);
    } while (descriptor < 0 && errno == EINTR);
    return Descriptor(descriptor);
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
    look_at_old();
    descriptor_ = open_for_sure(part_, O_CREAT | O_EXCL);
    if (descriptor() < 0 && errno == EEXIST) {
        take_over();
    } else if (descriptor() < 0) {
        fail_system(errno, "Does its directory exist, and may you write there?", "{} cannot be made", part_.native());
    } else {
        static_cast<void>(::flock(descriptor(), LOCK_EX | LOCK_NB));  // some file systems have no locks
    }
    if (old_) {
        static_cast<void>(::fchmod(descriptor(), S_IRUSR | S_IWUSR));  // until it gets the old file's mode
    }
}

PartFile::~PartFile() {
    if (!placed_ && still_there()) {
        static_cast<void>(::unlink(part_.c_str()));  // before close releases the lock
    }
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
    if (descriptor() < 0) {
        auto const error = errno;
        refuse(part_,
               error == ELOOP ? "it is a symbolic link" : std::string(fmt::format("{} is there", part_.string())));
    }
    if (auto const reason = why_not_own(descriptor()); !reason.empty()) {
        refuse(part_, reason);
    }
    bool const busy = ::flock(descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (busy || !still_there()) {
        refuse(part_, "another program is just writing it");
    }
    if (::ftruncate(descriptor(), 0) != 0) {
        refuse(part_, "it cannot be emptied");
    }
}

bool PartFile::still_there() const {
    struct stat mine {};
    struct stat named {};
    return ::fstat(descriptor(), &mine) == 0 && ::lstat(part_.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
}

int PartFile::opened(std::filesystem::path const& part) {
    // O_CREAT makes the client ask the server: its cache may say for a while that the name does not exist.
    auto descriptor = open_for_sure(part, O_CREAT);
    if (descriptor.get() < 0) {
        fail_system(errno, "Does its directory exist, and may you write there?", "{} cannot be opened", part.native());
    }
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        refuse(part, "it is no plain file");
    }
    return descriptor.release();
}

void PartFile::keep(std::vector<FileRange> const& ranges) const {
    if (!old_ || ranges.empty()) {
        return;
    }
    Descriptor const old(::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (old.get() < 0) {
        fail_system(errno, "A safe dump copies what the file holds outside the arrays.", "{} cannot be read",
                    path_.native());
    }
    for (auto const& range : ranges) {
        copy(old.get(), descriptor(), range, part_);
    }
}

void PartFile::put_in_place() {
    if (old_) {
        // With write access to a directory, a user can replace another user's file; only root can keep its owner.
        if (::fchown(descriptor(), old_->st_uid, old_->st_gid) != 0) {
            static_cast<void>(!::fchown(descriptor(), static_cast<uid_t>(-1), old_->st_gid));
        }
        static_cast<void>(::fchmod(descriptor(), old_->st_mode & permissions));
    }
    if (::fsync(descriptor()) != 0) {
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

SeenFile::SeenFile(std::filesystem::path path) : path_(std::move(path)) {
    // The server is asked in any case: a client's cache may say for a while that the name exists, or does not.
    constexpr mode_t mine = S_IRUSR | S_IWUSR;
    Descriptor const made(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mine));
    made_ = made.get() >= 0;
}

SeenFile::~SeenFile() {
    if (made_) {
        static_cast<void>(::unlink(path_.c_str()));
    }
}

void SeenFile::check() const {
    if (made_) {
        fail(WEIR_IO, fmt::format("{} is not one file for all nodes", path_.string()),
             fmt::format("{} does not see what rank 0 makes there", host_name()),
             "Write to a directory of a file system that all nodes have mounted.");
    }
}

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)) {
    constexpr mode_t permissions = 0666;
    Descriptor const made(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions));
    made_ = made.get() >= 0;
    Descriptor const found(made_ ? -1 : open_or_make(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC));
    if (!made_ && found.get() < 0) {
        fail_system(errno, "Does its directory exist, and may you write there?", "{} cannot be opened", path_.native());
    }
}

NewFile::~NewFile() {
    if (made_) {
        static_cast<void>(::unlink(path_.c_str()));
    }
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
    if (auto const moved = write_at(part.descriptor(), 0, std::as_bytes(std::span(text))); moved.failed()) {
        fail_system(moved.error_number, "Is there room in its directory?", "{} cannot be written",
                    part_path(path).string());
    }
    part.put_in_place();
}

void extend_file(std::filesystem::path const& path, std::uint64_t end, bool sync) {
    Descriptor const file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    struct stat status {};
    bool good = file.get() >= 0 && ::fstat(file.get(), &status) == 0;
    if (good && static_cast<std::uint64_t>(status.st_size) < end) {
        // Not ftruncate: another job that writes its own part of the larger array may just have extended the file.
        auto const error = ::posix_fallocate(file.get(), static_cast<off_t>(end - 1), 1);
        good = error == 0 && (!sync || ::fsync(file.get()) == 0);
        errno = error != 0 ? error : errno;
    }
    if (!good) {
        fail_system(errno, "The larger array reaches so far. Is there room?", "{} cannot be made {} bytes long",
                    path.native(), end);
    }
}

}  // namespace weir::array
