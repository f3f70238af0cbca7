#pragma once

#include <filesystem>

#include "array/sinks/checksums.hpp"
#include "array/sinks/file_map.hpp"
#include "array/sinks/sink.hpp"

namespace weir::array {

/// `part`: for writing, already created by rank 0 as a PartFile.
enum class OpenAs { output, part, input };

/// A POSIX file. Writeback to the device starts at once, in steps for long pieces.
class FileSink final : public Sink {
  public:
    /// `checksums`: of all bytes written or read, if not null. `syncs`: the file will be synced.
    FileSink(std::filesystem::path path, OpenAs, FileMap map, Checksums* checksums = nullptr, bool syncs = false);
    ~FileSink() override;
    FileSink(FileSink const&) = delete;
    FileSink& operator=(FileSink const&) = delete;

    void write(std::uint64_t position, std::span<std::byte const>) override;
    void read(std::uint64_t position, std::span<std::byte>) override;
    [[nodiscard]] bool keeps() const override { return true; }
    void read_old(std::uint64_t position, std::span<std::byte> data) override;

    /// Returns when all bytes that processes of this node wrote to the file are on the device.
    void sync();

    /// Closes the file; throws on an error of close(). The destructor closes it too, without a report.
    void close();

  private:
    [[nodiscard]] std::uint64_t end_before(std::uint64_t known) const;

    /// How many bytes it got: less at the end of the file.
    std::uint64_t read_some(std::uint64_t offset, std::span<std::byte> data) const;

    /// Starts writeback of what has been written, while ranks exchange the next window.
    void start_device(std::uint64_t from, std::uint64_t to);

    std::filesystem::path path_;
    FileMap map_;
    Checksums* checksums_;
    bool syncs_;
    struct Fresh {
        std::uint64_t from = 0;   ///< the first byte
        std::uint64_t to = 0;     ///< one past the last
        std::uint64_t bytes = 0;  ///< between them
        std::uint64_t end = 0;    ///< end of the last write
    };
    Fresh fresh_;  ///< written, but writeback not yet started
    int descriptor_ = -1;
};

}  // namespace weir::array
