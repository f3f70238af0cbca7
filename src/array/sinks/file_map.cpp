#include "array/sinks/file_map.hpp"

namespace weir::array {

FileMap::FileMap(Arrays const& arrays, std::vector<std::int64_t> const& offsets) {
    for (std::size_t i = 0; i < arrays.descriptions.size(); ++i) {
        Entry entry{arrays.origins[i], arrays.origins[i + 1], static_cast<std::uint64_t>(offsets[i])};
        auto const file_bytes = arrays.descriptions[i].file_bytes();
        if (file_bytes == 0) {
            continue;
        }
        if (auto const place = place_in_larger(arrays.descriptions[i])) {
            entry.in_larger = true;
            entry.section = *place;
            end_of_larger_ = std::max(end_of_larger_, entry.offset + file_bytes);
        }
        if (entry.begin == entry.end) {
            continue;  // without elements it is nowhere in the file, but there is room for the larger array
        }
        bool const goes_on = !entries_.empty() && !entry.in_larger && !entries_.back().in_larger &&
                             entries_.back().offset + (entries_.back().end - entries_.back().begin) == entry.offset;
        if (goes_on) {
            entries_.back().end = entry.end;
        } else {
            entries_.push_back(entry);
        }
    }
}

std::vector<std::int64_t> FileMap::packed_offsets(Arrays const& arrays, std::int64_t offset) {
    std::vector<std::int64_t> offsets;
    auto next = static_cast<std::uint64_t>(offset);  // can exceed 2^63; check_place() refuses that
    for (auto const& d : arrays.descriptions) {
        offsets.push_back(static_cast<std::int64_t>(next));
        next += d.file_bytes();
    }
    return offsets;
}

std::uint64_t FileMap::begin() const {
    auto begin = end();
    for (auto const& entry : entries_) {
        begin = std::min(begin, entry.offset + (entry.in_larger ? entry.section.begin() : 0));
    }
    return begin;
}

std::uint64_t FileMap::end() const {
    std::uint64_t end = 0;
    for (auto const& entry : entries_) {
        end = std::max(end, entry.offset + (entry.in_larger ? entry.section.end() : entry.end - entry.begin));
    }
    return end;
}

std::vector<FileRange> FileMap::outside_arrays(std::uint64_t file_bytes) const {
    std::vector<FileRange> arrays;
    for (auto const& entry : entries_) {
        if (!entry.in_larger) {
            arrays.push_back({entry.offset, entry.offset + (entry.end - entry.begin)});
        }
    }
    arrays.push_back({file_bytes, file_bytes});
    std::ranges::sort(arrays, {}, &FileRange::from);
    std::vector<FileRange> ranges;
    std::uint64_t at = 0;
    for (auto const& array : arrays) {
        if (auto const to = std::min(array.from, file_bytes); at < to) {
            ranges.push_back({at, to});
        }
        at = std::max(at, array.to);
    }
    return ranges;
}

}  // namespace weir::array
