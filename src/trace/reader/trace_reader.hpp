#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trace/reader/names_reader.hpp"
#include "trace/reader/stream_reader.hpp"

namespace weir::trace {

/// A file that lies in memory for as long as this lives.
class MappedFile {
  public:
    /// Throws Error where it cannot be read.
    explicit MappedFile(std::filesystem::path const&);
    ~MappedFile();
    MappedFile(MappedFile const&) = delete;
    MappedFile& operator=(MappedFile const&) = delete;

    [[nodiscard]] Bytes bytes() const { return {static_cast<std::byte const*>(place_), size_}; }

  private:
    void* place_ = nullptr;
    std::size_t size_ = 0;
};

/// What one process recorded.
struct Process {
    std::vector<Facts> facts;  ///< by line: what it is, what was added, what was lost, how it ended
    Names names;
    std::vector<Stream> streams;
    std::vector<std::string> notes;                  ///< what is missing or damaged
    std::vector<std::unique_ptr<MappedFile>> files;  ///< that the streams refer to
};

/// A trace's processes, ordered by the names of their files. One damaged stream hides no other: it gives a note. Throws
/// Error where the folder holds no trace. The format is docs/reference/trace.md.
std::vector<Process> read_trace(std::filesystem::path const& folder);

}  // namespace weir::trace
