#include "core/own_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/posix_io.hpp"

namespace weir {
namespace {

/// Opening must not block on a FIFO, nor follow a symbolic link.
constexpr int careful = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

Error not_ours(std::filesystem::path const& path, std::string const& why) {
    return Error({fmt::format("'{}' is not touched", path.string()), why,
                  "Move it away, or name another directory with dir.", ExitCode::cannot_run});
}

struct stat facts_of(int fd) {
    struct stat facts {};
    if (::fstat(fd, &facts) != 0) {
        facts.st_mode = 0;
    }
    return facts;
}

FileIdentity identity_from(struct stat const& facts) {
    constexpr std::int64_t second = 1'000'000'000;
    return {facts.st_ino, static_cast<std::uint64_t>(facts.st_size),
            facts.st_mtim.tv_sec * second + facts.st_mtim.tv_nsec};
}

}  // namespace

Descriptor::~Descriptor() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}

int Descriptor::release() { return std::exchange(fd_, -1); }

FileIdentity Descriptor::identity() const { return identity_from(facts_of(fd_)); }

std::optional<FileIdentity> identity_of(std::filesystem::path const& path) {
    struct stat facts {};
    return ::lstat(path.c_str(), &facts) == 0 ? std::optional(identity_from(facts)) : std::nullopt;
}

bool is_there(std::filesystem::path const& path) {
    struct stat facts {};
    return ::lstat(path.c_str(), &facts) == 0 || errno != ENOENT;
}

Descriptor make_new_file(std::filesystem::path const& path) {
    auto const fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | careful, 0666);
    if (fd < 0) {
        throw file_error("make", path, errno);
    }
    return Descriptor(fd);
}

Descriptor open_own_file(std::filesystem::path const& path, int access) {
    Descriptor file(::open(path.c_str(), access | careful));
    if (file.get() < 0) {
        if (errno == ELOOP) {
            throw not_ours(path, "it is a link");
        }
        if (errno == EISDIR) {
            throw not_ours(path, "it is a directory");
        }
        throw file_error("open", path, errno);
    }
    refuse_unless_own(file.get(), path);
    return file;
}

void refuse_what_is_no_file(std::filesystem::path const& path) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
        throw not_ours(path, S_ISLNK(facts.st_mode)   ? "it is a link"
                             : S_ISDIR(facts.st_mode) ? "it is a directory"
                                                      : "it is no file");
    }
}

std::string why_not_own(int fd) {
    auto const facts = facts_of(fd);
    if (!S_ISREG(facts.st_mode)) {
        return "it is no file";
    }
    if (facts.st_uid != ::geteuid()) {
        return fmt::format("it belongs to user {}", facts.st_uid);
    }
    return facts.st_nlink == 1 ? "" : "it has a second name (a hard link)";
}

void refuse_unless_own(int fd, std::filesystem::path const& path) {
    if (auto const why = why_not_own(fd); !why.empty()) {
        throw not_ours(path, why);
    }
}

std::optional<std::string> read_short_file(std::filesystem::path const& path, std::size_t most_bytes) {
    Descriptor const file(::open(path.c_str(), O_RDONLY | careful));
    if (file.get() < 0 || !S_ISREG(facts_of(file.get()).st_mode)) {
        return {};
    }
    std::string text(most_bytes + 1, '\0');
    auto const moved = read_at(file.get(), 0, std::as_writable_bytes(std::span(text)));
    if (moved.failed() || moved.bytes == text.size()) {
        return {};
    }
    text.resize(moved.bytes);
    return text;
}

void write_new_file(std::filesystem::path const& path, std::string const& text) {
    auto file = make_new_file(path);
    if (auto const moved = write_at(file.get(), 0, std::as_bytes(std::span(text))); moved.failed()) {
        throw file_error("write", path, moved.error_number);
    }
    if (auto const error_number = close_file(file.release()); error_number != 0) {
        throw file_error("write", path, error_number);
    }
}

bool rename_to_new(std::filesystem::path const& from, std::filesystem::path const& to) {
    auto status = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    if (status != 0 && (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)) {
        // This file system lacks the atomic operation.
        if (is_there(to)) {
            return false;
        }
        status = ::rename(from.c_str(), to.c_str());
    }
    if (status != 0 && errno != EEXIST) {
        throw file_error("rename to", to, errno);
    }
    return status == 0;
}

}  // namespace weir
