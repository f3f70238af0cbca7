// POSIX: one system call per operation, relative to the directory's descriptor, so that the kernel looks up one name.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bench/metadata/file_calls.hpp"
#include "core/posix_io.hpp"

namespace weir {
namespace {

class PosixCalls final : public FileCalls {
  public:
    ~PosixCalls() override {
        close_quietly(file_);
        close_quietly(directory_);
    }

    void enter(std::filesystem::path const& directory) override {
        close_quietly(directory_);
        directory_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        check(directory_, "open", directory.c_str());
    }

    void create(FileName const& file) override {
        current_ = file.path();
        file_ = ::openat(directory_, file.name(), O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);
        check(file_, "create", file.path());
    }

    void open(FileName const& file) override {
        current_ = file.path();
        file_ = ::openat(directory_, file.name(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        check(file_, "open", file.path());
    }

    void close() override {
        // Linux closes the descriptor even on EINTR.
        auto const status = ::close(std::exchange(file_, -1));
        check(status != 0 && errno == EINTR ? 0 : status, "close", current_);
    }

    void sync() override { check(::fsync(file_), "sync", current_); }

    [[nodiscard]] std::int64_t size() override {
        struct stat status {};
        check(::fstat(file_, &status), "ask the size of", current_);
        return status.st_size;
    }

    void write(std::uint64_t offset, std::span<std::byte const> data) override {
        auto const moved = write_at(file_, offset, data);
        check(moved.failed() ? -1 : 0, "write", current_, moved.error_number);
    }

    void read(std::uint64_t offset, std::span<std::byte> data) override {
        auto const moved = read_at(file_, offset, data);
        auto const error_number = moved.failed() ? moved.error_number : EIO;  // the file was truncated meanwhile
        check(moved.bytes < data.size() ? -1 : 0, "read", current_, error_number);
    }

    void stat(FileName const& file) override {
        struct stat status {};
        check(::fstatat(directory_, file.name(), &status, 0), "stat", file.path());
    }

    void rename(FileName const& from, FileName const& to) override {
        check(::renameat(directory_, from.name(), directory_, to.name()), "rename", from.path());
    }

    void unlink(FileName const& file) override { check(::unlinkat(directory_, file.name(), 0), "remove", file.path()); }

  private:
    static void check(int status, char const* what, char const* path, int error_number = errno) {
        if (status < 0) [[unlikely]] {
            throw file_error(what, path, error_number);
        }
    }

    static void close_quietly(int& descriptor) {
        if (descriptor >= 0) {
            ::close(std::exchange(descriptor, -1));
        }
    }

    int directory_ = -1;
    int file_ = -1;
    char const* current_ = "";  ///< path of the open file; its FileName must outlive it
};

}  // namespace

std::unique_ptr<FileCalls> posix_calls() { return std::make_unique<PosixCalls>(); }

}  // namespace weir
