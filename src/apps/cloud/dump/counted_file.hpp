#pragma once

#include <filesystem>
#include <span>

#include "core/clock.hpp"
#include "core/posix_io.hpp"
#include "storage/tally.hpp"

namespace weir::cloud {

/// Calls it, and counts and times the call.
template <class Work>
auto counted(Tally& log, IoCall call, Clock& clock, Work work) {
    auto const began = clock.now_s();
    auto const result = work();
    log[call].time_s += clock.now_s() - began;
    ++log[call].count;
    return result;
}

enum class Access {
    read,   ///< of what is there
    write,  ///< of what is there
    create  ///< anew, or in place of an older dump, and empty
};

/// A file that one rank has open; its calls go into a log. Each request carries its offset; the place of the file
/// pointer is kept to count the seeks that the paper's routine would make. All local. Error if the system refuses:
/// cannot_run, or in opening to read usage.
class CountedFile {
  public:
    CountedFile(std::filesystem::path, Access, Tally&, Clock&);
    ~CountedFile();
    CountedFile(CountedFile const&) = delete;
    CountedFile& operator=(CountedFile const&) = delete;

    void write(std::uint64_t offset, std::span<std::byte const>);
    void read(std::uint64_t offset, std::span<std::byte>);

    /// Counts a seek, wherever the pointer stands.
    void seek(std::uint64_t offset);

    /// Its bytes; Error (usage) if it is something else than a file.
    [[nodiscard]] std::uint64_t size() const;

    /// What is written is then on the device.
    void sync();
    void close();

  private:
    void stand_at(std::uint64_t offset);
    template <class Request>
    Moved request(IoCall, Request);

    std::filesystem::path path_;
    Tally& log_;
    Clock& clock_;
    int descriptor_;
    std::uint64_t pointer_ = 0;
};

}  // namespace weir::cloud
