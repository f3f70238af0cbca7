#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trace/format.hpp"

namespace weir::trace {

using Bytes = std::span<std::byte const>;

/// Consecutive records in memory, at any alignment.
class Records {
  public:
    Records() = default;

    /// The complete records in these bytes; a partial one at their end is ignored.
    explicit Records(Bytes bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(Record); }
    [[nodiscard]] Record operator[](std::size_t) const;

    /// The first `count` of them, or all.
    [[nodiscard]] Records first(std::size_t count) const;

    /// The records before the first empty one. Only a tail can be empty, so bisection finds it.
    [[nodiscard]] Records valid() const;

  private:
    Bytes bytes_;
};

/// The records of one thread, in the order in which its calls ended. Refers to the bytes that it was parsed from.
class Stream {
  public:
    StreamHead head{};
    std::string note;  ///< what is missing or damaged; empty: nothing

    [[nodiscard]] std::size_t size() const { return whole_.size() + last_.size(); }
    [[nodiscard]] Record operator[](std::size_t) const;

  private:
    friend Stream parse_stream(Bytes);
    Records whole_;
    Records last_;  ///< from the window in use when the program was killed
};

/// Parses a stream from arbitrary bytes of a file: copies nothing, takes little time. Throws Error unless they begin as
/// a stream of this version.
Stream parse_stream(Bytes);

/// A recorded function.
struct CallName {
    std::string interface;
    std::string name;
    std::string kind;
};

/// A file, or a dataset in one; a communicator or a mark.
struct Name {
    std::uint32_t kind;  ///< a NameKind
    std::string text;
    std::uint32_t parent;
};

/// The names for the numbers in records.
struct Names {
    std::map<std::uint32_t, CallName> calls;
    std::map<std::uint32_t, Name> others;
};

/// Parses a table from arbitrary bytes of a file; a truncated entry and everything after it is left out.
Names parse_names(Bytes);

/// A line of facts: its keys, and its values as JSON text.
using Facts = std::map<std::string, std::string>;

/// The facts of a process, one map per line. A line that is not a JSON object, and everything after it, is left out: it
/// was truncated.
std::vector<Facts> parse_facts(Bytes);

/// A memory-mapped file, for the lifetime of this object.
class MappedFile {
  public:
    /// Throws Error if it cannot be read.
    explicit MappedFile(std::filesystem::path const&);
    ~MappedFile();
    MappedFile(MappedFile const&) = delete;
    MappedFile& operator=(MappedFile const&) = delete;

    [[nodiscard]] Bytes bytes() const { return {static_cast<std::byte const*>(place_), size_}; }

  private:
    void* place_ = nullptr;
    std::size_t size_ = 0;
};

/// The recording of one process.
struct Process {
    std::vector<Facts> facts;  ///< by line: identity, later facts, losses, end
    Names names;
    std::vector<Stream> streams;
    std::vector<std::string> notes;                  ///< what is missing or damaged
    std::vector<std::unique_ptr<MappedFile>> files;  ///< that the streams refer to
};

/// A trace's processes, ordered by file name. A damaged stream does not affect others: it yields a note. Throws Error
/// if the folder contains no trace. The format is docs/reference/trace.md.
std::vector<Process> read_trace(std::filesystem::path const& folder);

}  // namespace weir::trace
