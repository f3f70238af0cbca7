#include "trace/reader/stream_reader.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace weir::trace {
namespace {

/// What lies between two places of a file, as far as the file goes.
Bytes part(Bytes bytes, std::uint64_t begin, std::uint64_t end) {
    auto const last = std::min<std::uint64_t>(end, bytes.size());
    return begin >= last ? Bytes{} : bytes.subspan(begin, last - begin);
}

StreamHead head_of(Bytes bytes) {
    StreamHead head;
    validate(bytes.size() >= sizeof head, "this is no stream of records",
             "it has " + std::to_string(bytes.size()) + " bytes", "Was the program killed as it began?");
    std::memcpy(&head, bytes.data(), sizeof head);
    bool const known = std::memcmp(head.magic, magic, sizeof magic) == 0 && head.record_bytes == sizeof(Record) &&
                       head.head_bytes >= sizeof head;
    validate(known, "this is no stream of this version", "it begins with other bytes than WEIRTRC1 and their sizes",
             "Read it with the Weir that recorded it.");
    return head;
}

bool has_windows(StreamHead const& head) {
    return head.window_bytes >= sizeof(Record) && head.window_bytes <= head.head_bytes &&
           head.head_bytes == head_page + 2 * head.window_bytes;
}

std::string missing(std::uint64_t told, std::uint64_t found, bool is_cut) {
    if (told > found) {
        return "it was cut off, and at least " + std::to_string(told - found) + " of its records are missing";
    }
    return is_cut ? "it was cut off" : "";
}

}  // namespace

Record Records::operator[](std::size_t i) const {
    Record record;
    std::memcpy(&record, bytes_.data() + i * sizeof record, sizeof record);
    return record;
}

Records Records::first(std::size_t count) const {
    return Records(bytes_.first(std::min(count, size()) * sizeof(Record)));
}

Records Records::valid() const {
    std::size_t low = 0;
    auto high = size();
    while (low < high) {
        auto const middle = low + (high - low) / 2;
        (*this)[middle].call != 0 ? low = middle + 1 : high = middle;
    }
    return first(low);
}

Record Stream::operator[](std::size_t i) const { return i < whole_.size() ? whole_[i] : last_[i - whole_.size()]; }

Stream parse_stream(Bytes bytes) {
    Stream stream;
    stream.head = head_of(bytes);
    auto const& head = stream.head;
    Records const behind(part(bytes, head.head_bytes, bytes.size()));
    if (!has_windows(head)) {
        stream.whole_ = behind.valid();
        bool const is_cut = bytes.size() < head.head_bytes || (stream.whole_.size() == behind.size() &&
                                                               (bytes.size() - head.head_bytes) % sizeof(Record) != 0);
        stream.note = missing(head.flushed, stream.whole_.size(), is_cut);
        return stream;
    }
    auto const odd = head.flushed / (head.window_bytes / sizeof(Record)) % 2;
    auto const window = head_page + odd * head.window_bytes;
    stream.whole_ = behind.first(head.flushed);
    stream.last_ = Records(part(bytes, window, window + head.window_bytes)).valid();
    stream.note = missing(head.flushed, stream.whole_.size(), bytes.size() < head.head_bytes);
    return stream;
}

}  // namespace weir::trace
