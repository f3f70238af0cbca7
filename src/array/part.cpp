#include "array/part.hpp"

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

/// What stands before each part in a packed share.
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
            append(bytes, cut.data(), cut.size() * sizeof(Placed));
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
            std::vector<Placed> pieces(head.pieces);
            bytes = take(bytes, pieces.data(), pieces.size());
            share.emplace_back(PieceList(std::move(pieces), head.array));
        }
    }
    return share;
}

}  // namespace weir::array
