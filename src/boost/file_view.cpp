#include "boost/file_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::boost {

FileView::FileView(std::int64_t displacement, std::uint64_t etype_bytes, Datatype filetype)
    : displacement_(displacement),
      etype_bytes_(etype_bytes),
      filetype_(std::move(filetype)),
      solid_(filetype_.dense()),
      increases_(filetype_.map.increases() && filetype_.map.begin() >= 0),
      apart_(filetype_.map.size() > 0 && filetype_.extent >= filetype_.map.end() - filetype_.map.begin()) {}

std::int64_t FileView::offset_of(std::uint64_t byte) const {
    auto const size = filetype_.map.size();
    auto const tile = static_cast<std::int64_t>(byte / size);
    return displacement_ + tile * filetype_.extent + filetype_.map.displacement_of(byte % size);
}

std::uint64_t FileView::bytes_before(std::int64_t offset) const {
    if (!apart_) {
        return filetype_.map.bytes_before(offset - displacement_);
    }
    auto const within = offset - displacement_ - filetype_.map.begin();
    if (within <= 0) {
        return 0;
    }
    auto const tile = within / filetype_.extent;
    auto const in_tile = within % filetype_.extent + filetype_.map.begin();
    return static_cast<std::uint64_t>(tile) * filetype_.map.size() + filetype_.map.bytes_before(in_tile);
}

std::uint64_t FileView::pieces(std::uint64_t from, std::uint64_t bytes) const {
    if (bytes == 0 || solid_) {
        return bytes > 0 ? 1 : 0;
    }
    auto const size = filetype_.map.size();
    auto const tiles = (from + bytes - 1) / size - from / size + 1;
    auto const share = static_cast<double>(bytes) / static_cast<double>(size);
    auto const within = share * static_cast<double>(filetype_.map.pieces());
    return std::max(tiles, static_cast<std::uint64_t>(std::ceil(within)));
}

}  // namespace weir::boost
