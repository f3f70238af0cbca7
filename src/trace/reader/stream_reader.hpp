#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

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

}  // namespace weir::trace
