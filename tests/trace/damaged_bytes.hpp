#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "trace/reader/reader.hpp"

namespace weir::trace::test {

using File = std::vector<std::byte>;

inline void append(File& file, void const* data, std::size_t bytes) {
    auto const* begin = static_cast<std::byte const*>(data);
    file.insert(file.end(), begin, begin + bytes);
}

inline StreamHead head(std::uint32_t head_bytes) {
    StreamHead head{};
    std::memcpy(head.magic, magic, sizeof magic);
    head.head_bytes = head_bytes;
    head.record_bytes = sizeof(Record);
    return head;
}

inline Record record(std::uint64_t i) {
    Record record{};
    record.offset = static_cast<std::int64_t>(i);
    record.call = 7;
    record.file = 1;
    return record;
}

inline File ended_stream(std::uint64_t records) {
    File file;
    auto begin = head(sizeof(StreamHead));
    begin.flushed = records;
    append(file, &begin, sizeof begin);
    for (std::uint64_t i = 0; i < records; ++i) {
        auto const one = record(i);
        append(file, &one, sizeof one);
    }
    return file;
}

/// As a killed program leaves it: whole windows behind the head, the rest in a window, older records in the other one.
inline File growing_stream(std::uint64_t records) {
    constexpr std::uint64_t window_bytes = 4096;
    constexpr auto in_window = window_bytes / sizeof(Record);
    auto begin = head(head_page + 2 * window_bytes);
    begin.window_bytes = window_bytes;
    begin.flushed = records / in_window * in_window;
    File file(begin.head_bytes);
    std::memcpy(file.data(), &begin, sizeof begin);
    for (std::uint64_t i = 0; i < records; ++i) {
        auto const one = record(i);
        auto const odd = i / in_window % 2;
        if (i < begin.flushed) {
            append(file, &one, sizeof one);
        }
        if (i + in_window >= begin.flushed) {
            std::memcpy(file.data() + head_page + odd * window_bytes + i % in_window * sizeof one, &one, sizeof one);
        }
    }
    return file;
}

struct NameEntry {
    std::uint32_t kind;
    std::uint32_t id;
    std::string text;
};

inline File names(std::vector<NameEntry> const& entries) {
    File file;
    for (auto const& entry : entries) {
        NameHead const begin{entry.kind, entry.id, static_cast<std::uint32_t>(entry.text.size()), 0};
        append(file, &begin, sizeof begin);
        append(file, entry.text.data(), entry.text.size());
        file.resize((file.size() + 7) / 8 * 8);
    }
    return file;
}

/// Reads these bytes as all that a trace consists of, and touches every record: no bytes may do harm.
inline void read_as_anything(Bytes bytes) {
    try {
        auto const stream = parse_stream(bytes);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < stream.size(); ++i) {
            sum += stream[i].length;
        }
        static_cast<void>(sum);
        ensure(stream.size() <= bytes.size() / sizeof(Record), "there are no more records than bytes for them");
    } catch (Error const&) {
        // refused, which is fine
    }
    auto const table = parse_names(bytes);
    ensure(table.calls.size() + table.others.size() <= bytes.size() / sizeof(NameHead), "no more names than bytes");
    static_cast<void>(parse_facts(bytes));
}

}  // namespace weir::trace::test
