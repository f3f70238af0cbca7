#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/reader/stream_reader.hpp"

namespace weir::trace {

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

}  // namespace weir::trace
