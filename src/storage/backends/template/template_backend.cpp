// A complete small back-end to copy: C's buffered streams (fopen, fread, fwrite).
//
// To add a back-end `mine`:
// 1. copy this folder to src/storage/backends/mine, rename the source file, and write weir_backend(mine) in its
// CMakeLists.txt (with LIBRARIES some::library if it needs one; see mpiio/ and CONTRIBUTING.md);
// 2. replace the bodies of the functions below, and the three constants of the class;
// 3. build: CMake finds it, `weir list` shows it, and the contract tests of all back-ends run on it too.
// No other file is edited.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/error.hpp"
#include "storage/backend.hpp"

namespace weir {
namespace {

/// One open file of one rank.
class TemplateFile final : public OpenFile {
  public:
    explicit TemplateFile(OpenRequest const& request) : path_(request.path.string()) {
        // The engine has removed old files. Ranks that share a file must not truncate what another has written, as
        // fopen would; and in a directory that others write to, a symbolic link could lead anywhere.
        auto const reads = request.mode == OpenMode::read;
        auto const how = (reads ? O_RDONLY : O_RDWR) | (request.mode == OpenMode::create ? O_CREAT : 0);
        auto const fd = ::open(path_.c_str(), how | O_NOFOLLOW | O_CLOEXEC, 0666);
        stream_ = fd < 0 ? nullptr : ::fdopen(fd, reads ? "rb" : "r+b");
        if (stream_ == nullptr) {
            throw system_error(fmt::format("cannot open '{}'", path_), errno,
                               "Check the directory and its permissions.");
        }
    }

    ~TemplateFile() override { close_stream(std::exchange(stream_, nullptr)); }

    void write(Operation const& operation, std::span<std::byte const> data) override {
        seek(operation.offset);
        check(std::fwrite(data.data(), 1, data.size(), stream_) == data.size(), "write");
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        seek(operation.offset);
        auto const got = std::fread(data.data(), 1, data.size(), stream_);
        check(std::ferror(stream_) == 0, "read");
        return got;
    }

    void preallocate(std::uint64_t bytes) override {
        check(::fallocate(fileno(stream_), 0, 0, static_cast<off_t>(bytes)) == 0, "reserve the space of");
    }

    void sync() override { check(std::fflush(stream_) == 0 && ::fsync(fileno(stream_)) == 0, "sync"); }

    void close() override {
        auto* stream = std::exchange(stream_, nullptr);
        check(stream == nullptr || std::fclose(stream) == 0, "close");
    }

  private:
    static void close_stream(std::FILE* stream) {
        if (stream != nullptr) {
            std::fclose(stream);
        }
    }

    void seek(std::uint64_t offset) { check(::fseeko(stream_, static_cast<off_t>(offset), SEEK_SET) == 0, "seek in"); }

    /// Throws on failure: the engine reports it to all ranks and records it.
    void check(bool ok, char const* what) const {
        if (!ok) {
            throw system_error(fmt::format("cannot {} '{}'", what, path_), errno,
                               "Check free space, quota and permissions.");
        }
    }

    std::string path_;
    std::FILE* stream_ = nullptr;
};

class TemplateBackend final : public Backend {
  public:
    static constexpr std::string_view name = "template";
    static constexpr std::string_view words = "C streams";
    static constexpr std::string_view summary = "buffered C streams; an example to copy for a new back-end";
    static constexpr Features features{.stores = true, .collective = false, .hints = false};

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        return std::make_unique<TemplateFile>(request);
    }
};

RegisterBackend<TemplateBackend> const registration;

}  // namespace
}  // namespace weir
