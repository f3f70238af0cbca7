#include "array/layout/share.hpp"

#include <algorithm>
#include <cstring>

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
    return part.section() == nullptr ? part.pieces()->pieces().size() : count_runs(*part.section());
}

std::uint64_t bytes_within(Share const& share, std::uint64_t from, std::uint64_t to) {
    std::uint64_t sum = 0;
    for (auto const& part : share) {
        sum += part.count_within(from, to);
    }
    return sum;
}

std::uint64_t memory_of(Share const& share) {
    auto sum = share.capacity() * sizeof(Part);
    for (auto const& part : share) {
        sum += part.pieces() != nullptr ? part.pieces()->memory_bytes() : 0;
    }
    return sum;
}

std::uint64_t memory_of_lists(Share const& share) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < share.size(); ++i) {
        sum += share[i].pieces() != nullptr ? share[i].pieces()->memory_bytes() : 0;
        bool const another_box = i > 0 && share[i].array() == share[i - 1].array();
        sum += another_box ? sizeof(Part) : 0;
    }
    return sum;
}

namespace {

/// The header of each part in a packed share.
struct Head {
    std::uint64_t pieces = 0;  ///< that follow; `a_section`: a section follows
    std::uint64_t array = 0;
};
constexpr auto a_section = ~std::uint64_t{0};

void append(std::vector<std::byte>& bytes, void const* from, std::size_t length) {
    auto const* first = static_cast<std::byte const*>(from);
    bytes.insert(bytes.end(), first, first + length);
}

template <class T>
std::span<std::byte const> take(std::span<std::byte const> bytes, T* to, std::size_t count = 1) {
    if (count > 0) {
        std::memcpy(static_cast<void*>(to), bytes.data(), count * sizeof(T));
    }
    return bytes.subspan(count * sizeof(T));
}

}  // namespace

std::vector<std::byte> packed(Share const& share, std::uint64_t from, std::uint64_t to) {
    std::vector<std::byte> bytes;
    for (auto const& part : share) {
        if (part.count_within(from, to) == 0) {
            continue;
        }
        if (auto const* section = part.section()) {
            Head const head{a_section, section->array};
            append(bytes, &head, sizeof head);
            append(bytes, section, sizeof *section);
        } else {
            auto const cut = part.pieces()->within(from, to);
            Head const head{cut.size(), part.array()};
            append(bytes, &head, sizeof head);
            append(bytes, cut.data(), cut.size() * sizeof(LocalPiece));
        }
    }
    return bytes;
}

Share unpacked(std::span<std::byte const> bytes) {
    Share share;
    while (!bytes.empty()) {
        Head head;
        bytes = take(bytes, &head);
        if (head.pieces == a_section) {
            Section section;
            bytes = take(bytes, &section);
            share.emplace_back(section);
        } else {
            std::vector<LocalPiece> pieces(head.pieces);
            bytes = take(bytes, pieces.data(), pieces.size());
            share.emplace_back(PieceList(std::move(pieces), head.array));
        }
    }
    return share;
}

namespace {

bool goes_on(LocalPiece const& before, LocalPiece const& after) {
    return before.position + before.length == after.position &&
           before.memory + static_cast<std::int64_t>(before.length) == after.memory;
}

}  // namespace

PieceList::PieceList(std::vector<LocalPiece> pieces, std::uint64_t array) : array_(array) {
    auto const earlier = [](LocalPiece const& a, LocalPiece const& b) { return a.position < b.position; };
    if (!std::ranges::is_sorted(pieces, earlier)) {
        std::ranges::stable_sort(pieces, earlier);
    }
    for (auto const& piece : pieces) {
        if (piece.length == 0) {
            continue;
        }
        if (!pieces_.empty() && goes_on(pieces_.back(), piece)) {
            pieces_.back().length += piece.length;
        } else {
            pieces_.push_back(piece);
        }
    }
    pieces_.shrink_to_fit();
    starts_.reserve(pieces_.size() + 1);
    starts_.push_back(0);
    for (auto const& piece : pieces_) {
        starts_.push_back(starts_.back() + piece.length);
    }
}

std::uint64_t PieceList::end() const { return pieces_.empty() ? 0 : pieces_.back().position + pieces_.back().length; }

std::uint64_t PieceList::count_before(std::uint64_t position) const {
    auto const it = std::ranges::lower_bound(pieces_, position, {}, &LocalPiece::position);
    auto const i = static_cast<std::size_t>(it - pieces_.begin());
    if (i == 0) {
        return 0;
    }
    auto const& last = pieces_[i - 1];
    return starts_[i - 1] + std::min(last.length, position - last.position);
}

std::size_t PieceList::piece_of(std::uint64_t ordinal) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts_, ordinal) - starts_.begin()) - 1;
}

std::vector<LocalPiece> PieceList::within(std::uint64_t from, std::uint64_t to) const {
    std::vector<LocalPiece> cut;
    each(count_before(from), count_before(to), [&](Rows const& r) { cut.push_back({r.position, r.length, r.memory}); });
    return cut;
}

std::uint64_t PieceList::memory_bytes() const {
    return pieces_.capacity() * sizeof(LocalPiece) + starts_.capacity() * sizeof(std::uint64_t);
}

}  // namespace weir::array
