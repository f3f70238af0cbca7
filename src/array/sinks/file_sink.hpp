#pragma once

#include <filesystem>

#include "array/sinks/checksums.hpp"
#include "array/sinks/file_map.hpp"
#include "array/sinks/sink.hpp"

namespace weir::array {

/// `part`: to be written, and there already as a PartFile of rank 0.
enum class OpenAs { output, part, input };

/// A file through POSIX. What is written goes to the device at once, long pieces in steps.
class FileSink final : public Sink {
  public:
    /// `checksums`: of all that is written or read, where it is not null. `syncs`: what is written will be synced.
    FileSink(std::filesystem::path path, OpenAs, FileMap map, Checksums* checksums = nullptr, bool syncs = false);
    ~FileSink() override;
    FileSink(FileSink const&) = delete;
    FileSink& operator=(FileSink const&) = delete;

    void write(std::uint64_t position, std::span<std::byte const>) override;
    void read(std::uint64_t position, std::span<std::byte>) override;

    /// Returns when what any process of this node has written to the file is on the device.
    void sync();

    /// Throws what close() says. Without it the file is closed all the same.
    void close();

  private:
    /// The device begins with what has been written, while ranks exchange the next window.
    void start_device(std::uint64_t from, std::uint64_t to);

    std::filesystem::path path_;
    FileMap map_;
    Checksums* checksums_;
    bool syncs_;
    struct Fresh {
        std::uint64_t from = 0;   ///< the first byte
        std::uint64_t to = 0;     ///< one past the last
        std::uint64_t bytes = 0;  ///< between them
        std::uint64_t end = 0;    ///< of what was written last
    };
    Fresh fresh_;  ///< written, and the device does not know yet
    int descriptor_ = -1;
};

}  // namespace weir::array
