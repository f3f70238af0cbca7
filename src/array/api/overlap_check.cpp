#include "array/api/overlap_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "array/exchange/sparse_exchange.hpp"
#include "array/layout/file_domain.hpp"
#include "core/join.hpp"

namespace weir::array {
namespace {

/// Contiguous bytes that one rank contributes.
struct Held {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::uint64_t rank = 0;
};

[[noreturn]] void fail_overlap(Arrays const& arrays, std::uint64_t position, std::uint64_t a, std::uint64_t b) {
    fail(WEIR_OVERLAP, fmt::format("{} would be written twice", element_name(arrays, position)),
         a == b ? fmt::format("rank {} holds it twice", a) : fmt::format("ranks {} and {} both hold it", a, b),
         "Describe each element on one rank only; ghost elements are named by weir_array_ghosts().");
}

[[noreturn]] void fail_hole(Arrays const& arrays, std::uint64_t position) {
    fail(WEIR_HOLES, fmt::format("{} would not be written", element_name(arrays, position)), "no rank holds it",
         "Describe every element on some rank, or the array as a part of a larger one by weir_array_within().");
}

/// A regular section of a rank, and the range of the space that it spans.
struct Reach {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t rank = 0;
    Section const* section = nullptr;
};

/// Throws if two sections overlap. A sweep in the order of their first bytes compares each section only with those that
/// have not ended before it.
void check_apart(Arrays const& arrays, std::vector<Reach> sections) {
    std::ranges::sort(sections, {}, &Reach::begin);
    std::vector<Reach> open;
    for (auto const& next : sections) {
        std::erase_if(open, [&](Reach const& held) { return held.end <= next.begin; });
        for (auto const& held : open) {
            std::uint64_t position = 0;
            if (meet(*held.section, *next.section, position)) {
                fail_overlap(arrays, position, std::min(held.rank, next.rank), std::max(held.rank, next.rank));
            }
        }
        open.push_back(next);
    }
}

/// Do the shares fill it without overlap of regular sections? Then no byte-by-byte check is needed.
bool surely_covered(Arrays const& arrays, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const& shares) {
    std::uint64_t sum = 0;
    std::vector<Reach> sections;
    for (auto const& one : shares) {
        sum += bytes_within(one.share, from, to);
        for (auto const& part : one.share) {
            if (part.count_before(to) == part.count_before(from)) {
                continue;
            }
            if (part.section() == nullptr) {
                return false;
            }
            sections.push_back({part.begin(), part.end(), one.rank, part.section()});
        }
    }
    check_apart(arrays, std::move(sections));
    return sum == to - from;
}

/// Walks all shares of a contiguous piece, in order.
void walk(Arrays const& arrays, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const& shares) {
    std::vector<Held> held;
    for (auto const& one : shares) {
        for (auto const& part : one.share) {
            part.each_at(from, to, [&](Rows const& rows) {
                for (std::uint64_t i = 0; i < rows.rows; ++i) {
                    held.push_back({rows.position + i * rows.position_step, rows.length, one.rank});
                }
            });
        }
    }
    std::ranges::sort(held, {}, &Held::position);
    auto reached = from;
    std::uint64_t before = 0;
    for (auto const& h : held) {
        if (h.position > reached) {
            fail_hole(arrays, reached);
        }
        if (h.position < reached) {
            fail_overlap(arrays, h.position, before, h.rank);
        }
        reached = h.position + h.length;
        before = h.rank;
    }
    if (reached < to) {
        fail_hole(arrays, reached);
    }
}

}  // namespace

void check_cover(Arrays const& arrays, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const& shares) {
    constexpr std::uint64_t at_once = 16 << 20;
    if (from >= to || surely_covered(arrays, from, to, shares)) {
        return;
    }
    for (; from < to; from += std::min(at_once, to - from)) {
        walk(arrays, from, std::min(to, from + at_once), shares);
    }
}

void check_cover_on_all_ranks(Communicator const& comm, Arrays const& arrays, FirstFailure& failure) {
    constexpr int cover_tag = 3;
    auto const domain = [&](std::uint64_t rank) { return file_domain(arrays.bytes(), comm.size(), rank, 1, 1, 0); };
    // Blocks on a grid, and arrays that rank 0 writes for all, cover their arrays by construction.
    auto const doubtful = [&](std::uint64_t array) {
        auto const distribution = arrays.descriptions[array].distribution;
        return distribution == Distribution::boxes || distribution == Distribution::pieces;
    };
    std::vector<Message> messages;
    failure.attempt([&] {
        auto share = arrays.share({comm.rank(), comm.size()}, Use::write);
        std::erase_if(share, [&](Part const& part) { return !doubtful(part.array()); });
        for (std::uint64_t rank = 0; rank < comm.size(); ++rank) {
            auto const [from, to] = std::pair(domain(rank).begin, domain(rank).end);
            if (bytes_within(share, from, to) > 0) {
                messages.push_back({rank, packed(share, from, to)});
            }
        }
    });
    std::vector<RankShare> shares;
    auto const arrived = sparse_exchange(comm, std::move(messages), cover_tag, failure);
    failure.attempt([&] {
        for (auto const& message : arrived) {
            shares.push_back({message.rank, unpacked(message.bytes)});
        }
    });
    auto const mine = domain(comm.rank());
    for (std::size_t i = 0; i < arrays.descriptions.size(); ++i) {
        if (doubtful(i)) {
            failure.attempt([&] {
                check_cover(arrays, std::max(mine.begin, arrays.origins[i]), std::min(mine.end, arrays.origins[i + 1]),
                            shares);
            });
        }
    }
}

std::string element_name(Arrays const& arrays, std::uint64_t position) {
    auto const next = std::ranges::upper_bound(arrays.origins, position);
    auto const array = static_cast<std::size_t>(next - arrays.origins.begin()) - 1;
    auto const& d = arrays.descriptions[array];
    auto element = (position - arrays.origins[array]) / d.element_bytes;
    Indices index(d.shape.size());
    for (std::size_t k = 0; k < index.size(); ++k) {
        auto const i = d.order == WEIR_C_ORDER ? index.size() - 1 - k : k;
        index[i] = static_cast<std::int64_t>(element % static_cast<std::uint64_t>(d.shape[i]));
        element /= static_cast<std::uint64_t>(d.shape[i]);
    }
    return fmt::format("element ({}) of array {}", join(index, ", "), array);
}

}  // namespace weir::array
