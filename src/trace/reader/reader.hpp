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

/// A row of records in memory, at any alignment.
class Records {
  public:
    Records() = default;

    /// Those that these bytes hold; a part of one at their end is none.
    explicit Records(Bytes bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(Record); }
    [[nodiscard]] Record operator[](std::size_t) const;

    /// The first `count` of them, or all.
    [[nodiscard]] Records first(std::size_t count) const;

    /// Those before the first that is empty. Only the last part of a row can be empty: found by halving.
    [[nodiscard]] Records valid() const;

  private:
    Bytes bytes_;
};

/// The records of one thread, in the order in which its calls ended. Refers to the bytes that it was read from.
class Stream {
  public:
    StreamHead head{};
    std::string note;  ///< what is missing or damaged; empty: nothing

    [[nodiscard]] std::size_t size() const { return whole_.size() + last_.size(); }
    [[nodiscard]] Record operator[](std::size_t) const;

  private:
    friend Stream parse_stream(Bytes);
    Records whole_;
    Records last_;  ///< from the window that was being filled when the program was killed
};

/// A stream from the bytes of its file, whatever they are: takes no memory for them and little time. Throws Error where
/// they do not begin as a stream of this version does.
Stream parse_stream(Bytes);

/// A function that was recorded.
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

/// What the numbers in records stand for.
struct Names {
    std::map<std::uint32_t, CallName> calls;
    std::map<std::uint32_t, Name> others;
};

/// A table from the bytes of its file, whatever they are; an entry that is cut off, and all behind it, is left out.
Names parse_names(Bytes);

/// A line of facts: its keys, and its values as JSON text.
using Facts = std::map<std::string, std::string>;

/// The facts of a process, a map a line. What is no JSON object, and all behind it, is left out: it was cut off.
std::vector<Facts> parse_facts(Bytes);

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
