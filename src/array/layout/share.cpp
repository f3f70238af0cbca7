#include "array/layout/share.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace weir::array {

Part::Part(Section const& section) : kind_(section), begin_(section.begin()), end_(section.end()) {}

Part::Part(PieceList pieces) : kind_(std::move(pieces)) {
    begin_ = std::get<PieceList>(kind_).begin();
    end_ = std::get<PieceList>(kind_).end();
}

std::uint64_t Part::array() const { return section() != nullptr ? section()->array : pieces()->array(); }

std::uint64_t Part::bytes() const {
    return std::visit([](auto const& kind) { return kind.bytes(); }, kind_);
}

std::uint64_t Part::count_before(std::uint64_t position) const {
    return std::visit([&](auto const& kind) { return kind.count_before(position); }, kind_);
}

std::uint64_t bytes_of(Share const& share) {
    std::uint64_t sum = 0;
    for (auto const& part : share) {
        sum += part.bytes();
    }
    return sum;
}

Share coalesced(Share share) {
    for (auto& part : share) {
        if (part.section() != nullptr) {
            part = coalesced(*part.section());
        }
    }
    return share;
}

std::uint64_t count_runs(Part const& part) {
    return part.section() == nullptr ? part.pieces()->pieces()->size() : count_runs(*part.section());
}

std::uint64_t bytes_within(Share const& share, std::uint64_t from, std::uint64_t to) {
    std::uint64_t sum = 0;
    for (auto const& part : share) {
        sum += part.count_within(from, to);
    }
    return sum;
}

namespace {

std::uint64_t memory_of_list(Part const& part, CountedLists& counted) {
    auto const* list = part.pieces();
    return list != nullptr && counted.insert(list->pieces().get()).second ? list->pieces()->memory_bytes() : 0;
}

}  // namespace

std::uint64_t memory_of(Share const& share, CountedLists& counted) {
    auto sum = share.capacity() * sizeof(Part);
    for (auto const& part : share) {
        sum += memory_of_list(part, counted);
    }
    return sum;
}

std::uint64_t memory_of_lists(Share const& share, CountedLists& counted) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < share.size(); ++i) {
        sum += memory_of_list(share[i], counted);
        bool const another_box = i > 0 && share[i].array() == share[i - 1].array();
        sum += another_box ? sizeof(Part) : 0;
    }
    return sum;
}

std::uint64_t memory_of(Share const& share) {
    CountedLists counted;
    return memory_of(share, counted);
}

std::uint64_t memory_of_lists(Share const& share) {
    CountedLists counted;
    return memory_of_lists(share, counted);
}

namespace {

/// What follows in a packed share.
enum class PackedKind : std::uint64_t {
    section,
    list,   ///< a Place and a list
    listed  ///< a Place, and the number of a list that came before
};
struct Head {
    PackedKind kind = PackedKind::section;
    std::uint64_t array = 0;
};
struct PlaceOfList {
    std::uint64_t unit = 1;
    std::uint64_t origin = 0;
};

template <class Plain>
void append(std::vector<std::byte>& bytes, Plain const& value) {
    auto const* first = reinterpret_cast<std::byte const*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

template <class Plain>
Plain taken(std::span<std::byte const>& bytes) {
    Plain value;
    std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

/// What is sent of a list: all that any of its arrays needs.
struct Cut {
    std::size_t from = ~std::size_t{0};
    std::size_t to = 0;
    std::uint64_t number = 0;
    bool sent = false;
};
using Cuts = std::map<Pieces const*, Cut>;

Cuts cuts_of(Share const& share, std::uint64_t from, std::uint64_t to) {
    Cuts cuts;
    for (auto const& part : share) {
        if (part.pieces() != nullptr && part.count_within(from, to) > 0) {
            auto& cut = cuts[part.pieces()->pieces().get()];
            auto const [first, last] = part.pieces()->within(from, to);
            cut.from = std::min(cut.from, first);
            cut.to = std::max(cut.to, last);
        }
    }
    return cuts;
}

/// Exactly the bytes of a packed share, so that no vector grows to twice the size of a long list.
std::size_t packed_bytes(std::size_t parts, Cuts const& cuts) {
    auto bytes = parts * (sizeof(Head) + std::max(sizeof(Section), sizeof(PlaceOfList) + sizeof(std::uint64_t)));
    for (auto const& [pieces, cut] : cuts) {
        bytes += pieces->sent_bytes(cut.from, cut.to);
    }
    return bytes;
}

void pack_list(std::vector<std::byte>& bytes, PieceList const& list, Cut& cut, std::uint64_t& lists) {
    append(bytes, Head{cut.sent ? PackedKind::listed : PackedKind::list, list.array()});
    append(bytes, PlaceOfList{list.unit(), list.origin()});
    if (cut.sent) {
        append(bytes, cut.number);
        return;
    }
    cut.sent = true;
    cut.number = lists++;
    list.pieces()->append_to(bytes, cut.from, cut.to);
}

}  // namespace

std::vector<std::byte> packed(Share const& share, std::uint64_t from, std::uint64_t to) {
    auto const there = [&](Part const& part) { return part.count_within(from, to) > 0; };
    auto cuts = cuts_of(share, from, to);
    std::uint64_t lists = 0;
    std::vector<std::byte> bytes;
    bytes.reserve(packed_bytes(static_cast<std::size_t>(std::ranges::count_if(share, there)), cuts));
    for (auto const& part : share) {
        if (!there(part)) {
            continue;
        }
        if (auto const* section = part.section()) {
            append(bytes, Head{PackedKind::section, section->array});
            append(bytes, *section);
        } else {
            pack_list(bytes, *part.pieces(), cuts.at(part.pieces()->pieces().get()), lists);
        }
    }
    return bytes;
}

Share unpacked(std::span<std::byte const> bytes) {
    Share share;
    std::vector<SharedPieces> lists;
    while (!bytes.empty()) {
        auto const head = taken<Head>(bytes);
        if (head.kind == PackedKind::section) {
            share.emplace_back(taken<Section>(bytes));
            continue;
        }
        auto const place = taken<PlaceOfList>(bytes);
        if (head.kind == PackedKind::list) {
            lists.push_back(std::make_shared<Pieces const>(Pieces::taken_from(bytes)));
        }
        auto const& list = head.kind == PackedKind::list ? lists.back() : lists.at(taken<std::uint64_t>(bytes));
        share.emplace_back(PieceList(list, place.unit, place.origin, head.array));
    }
    return share;
}

std::uint64_t PieceList::count_before(std::uint64_t position) const {
    if (position <= origin_) {
        return 0;
    }
    auto const bytes = position - origin_;
    auto const i = pieces_->piece_at((bytes + unit_ - 1) / unit_);
    if (i == 0) {
        return 0;
    }
    auto const into = bytes - pieces_->position(i - 1) * unit_;
    return pieces_->start(i - 1) * unit_ + std::min(pieces_->length(i - 1) * unit_, into);
}

std::pair<std::size_t, std::size_t> PieceList::within(std::uint64_t from, std::uint64_t to) const {
    auto const first = count_before(from);
    auto const last = count_before(to);
    if (first >= last) {
        return {0, 0};
    }
    return {pieces_->piece_of(first / unit_), pieces_->piece_of((last - 1) / unit_) + 1};
}

}  // namespace weir::array
