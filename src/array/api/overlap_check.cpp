#include "array/api/overlap_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "array/exchange/sparse_exchange.hpp"
#include "array/layout/marks.hpp"
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

/// A regular section of a rank, and the indices that it spans along one dimension.
struct SectionReach {
    std::uint64_t rank = 0;
    Section const* section = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Along a dimension, in the order of their first indices.
void sort_along(std::size_t dimension, std::vector<SectionReach>& sections) {
    for (auto& reach : sections) {
        auto const& dim = reach.section->dim[dimension];
        reach.begin = dim.first;
        reach.end = dim.place(dim.owned - 1) + 1;
    }
    std::ranges::sort(sections, {}, &SectionReach::begin);
}

/// How many pairs a sweep along this dimension compares.
std::uint64_t pairs_along(std::size_t dimension, std::vector<SectionReach>& sections) {
    sort_along(dimension, sections);
    std::vector<std::uint64_t> ends;
    for (auto const& reach : sections) {
        ends.push_back(reach.end);
    }
    std::ranges::sort(ends);
    std::uint64_t pairs = 0;
    std::uint64_t ended = 0;
    for (std::uint64_t begun = 0; begun < sections.size(); ++begun) {
        while (ends[ended] <= sections[begun].begin) {
            ++ended;
        }
        pairs += begun - ended;
    }
    return pairs;
}

/// Throws if two sections of an array overlap. A sweep compares each section only with those that have not ended before
/// it: along the dimension where these are fewest, since columns lie side by side, and begin and end together.
void check_apart(Arrays const& arrays, std::vector<SectionReach> sections) {
    if (sections.size() < 2) {
        return;
    }
    std::size_t best = 0;
    auto least = pairs_along(best, sections);
    for (std::size_t k = 1; k + 1 < sections.front().section->dims && least > sections.size(); ++k) {
        if (auto const pairs = pairs_along(k, sections); pairs < least) {
            best = k;
            least = pairs;
        }
    }
    sort_along(best, sections);
    std::vector<SectionReach> open;
    for (auto const& next : sections) {
        std::erase_if(open, [&](SectionReach const& held) { return held.end <= next.begin; });
        for (auto const& held : open) {
            std::uint64_t position = 0;
            if (meet(*held.section, *next.section, position)) {
                fail_overlap(arrays, position, std::min(held.rank, next.rank), std::max(held.rank, next.rank));
            }
        }
        open.push_back(next);
    }
}

using Lists = std::vector<PieceList const*>;

std::uint64_t pieces_of(Lists const& lists) {
    std::uint64_t pieces = 0;
    for (auto const* list : lists) {
        pieces += list->pieces()->size();
    }
    return pieces;
}

/// Are lists of the same unit and array, no two of which have a unit in common, at positions [from, to) of it?
bool lists_are_apart(Lists const& lists, std::uint64_t from, std::uint64_t to) {
    constexpr std::uint64_t at_once = 1 << 21;  // their marks stay in a core's cache
    Marks marks(std::min(at_once, to - from));
    for (; from < to; from += std::min(at_once, to - from)) {
        auto const end = from + std::min(at_once, to - from);
        bool apart = true;
        for (auto const* list : lists) {
            list->pieces()->each_run(from, end, [&](std::uint64_t position, std::uint64_t length) {
                apart = marks.mark(position - from, length) && apart;
            });
        }
        if (!apart) {
            return false;
        }
        marks.clear();
    }
    return true;
}

/// Are these all lists of pieces with boundaries of units at both positions, and apart? False where that is not easily
/// told: few pieces in a large array are sorted sooner than all of its units are marked.
bool surely_apart(Lists const& lists, std::uint64_t from, std::uint64_t to) {
    constexpr std::uint64_t units_a_piece = 256;
    auto const origin = lists.front()->origin();
    auto const unit = lists.front()->unit();
    bool const alike =
        std::ranges::all_of(lists, [&](auto const* list) { return list->origin() == origin && list->unit() == unit; });
    bool const whole = from >= origin && (from - origin) % unit == 0 && (to - from) % unit == 0;
    bool const dense = (to - from) / unit / units_a_piece <= pieces_of(lists);
    return alike && whole && dense && lists_are_apart(lists, (from - origin) / unit, (to - origin) / unit);
}

/// Do the shares fill it without overlap? Then it need not be walked. If holes are allowed, they may leave some.
bool surely_covered(Arrays const& arrays, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const& shares,
                    bool holes) {
    std::uint64_t sum = 0;
    std::vector<SectionReach> sections;
    Lists lists;
    for (auto const& one : shares) {
        one.index.each(one.share, from, to, [&](Part const& part) {
            auto const bytes = part.count_within(from, to);
            sum += bytes;
            if (bytes > 0 && part.section() != nullptr) {
                sections.push_back({one.rank, part.section()});
            } else if (bytes > 0) {
                lists.push_back(part.pieces());
            }
        });
    }
    if (!lists.empty()) {
        return sections.empty() && (holes || sum == to - from) && surely_apart(lists, from, to);
    }
    check_apart(arrays, std::move(sections));
    return holes || sum == to - from;
}

/// How many bytes to walk at once: more where there are few pieces in them, since each takes memory.
std::uint64_t bytes_at_once(std::uint64_t bytes, std::vector<RankShare> const& shares) {
    constexpr std::uint64_t least = 16 << 20;
    constexpr std::uint64_t pieces_at_once = 1 << 20;
    Lists lists;
    for (auto const& one : shares) {
        for (auto const& part : one.share) {
            if (part.section() != nullptr) {
                return least;
            }
            lists.push_back(part.pieces());
        }
    }
    return std::max(least, bytes / (pieces_of(lists) / pieces_at_once + 1));
}

/// Walks all shares of a contiguous piece, in order.
void walk(Arrays const& arrays, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const& shares,
          bool holes) {
    std::vector<Held> held;
    for (auto const& one : shares) {
        one.index.each(one.share, from, to, [&](Part const& part) {
            part.each_at(from, to, [&](Rows const& rows) {
                for (std::uint64_t i = 0; i < rows.rows; ++i) {
                    held.push_back({rows.position + i * rows.position_step, rows.length, one.rank});
                }
            });
        });
    }
    std::ranges::sort(held, {}, &Held::position);
    auto reached = from;
    std::uint64_t before = 0;
    for (auto const& h : held) {
        if (h.position > reached && !holes) {
            fail_hole(arrays, reached);
        }
        if (h.position < reached) {
            fail_overlap(arrays, h.position, before, h.rank);
        }
        reached = h.position + h.length;
        before = h.rank;
    }
    if (reached < to && !holes) {
        fail_hole(arrays, reached);
    }
}

}  // namespace

void check_cover(Arrays const& arrays, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const& shares,
                 bool holes) {
    if (from >= to || surely_covered(arrays, from, to, shares, holes)) {
        return;
    }
    auto const at_once = bytes_at_once(to - from, shares);
    for (; from < to; from += std::min(at_once, to - from)) {
        walk(arrays, from, std::min(to, from + at_once), shares, holes);
    }
}

namespace {

/// The arrays that have to be checked, and their division among the ranks.
class Checked {
  public:
    /// Collective. Throws the failure of any rank where more than one array has to be compared; else it is kept.
    Checked(Communicator const& comm, Arrays const& arrays, FirstFailure& failure,
            std::function<void(FirstFailure const&)> const& agree)
        : arrays_(arrays) {
        std::vector<std::uint64_t> same;
        failure.attempt([&] { same = lists_of(comm.rank()); });
        if (arrays.descriptions.size() > 1) {
            agree(failure);
            comm.sum(same);
        }
        failure.attempt([&] { choose(same); });
    }

    [[nodiscard]] bool has(std::uint64_t array) const { return std::ranges::binary_search(chosen_, array); }
    [[nodiscard]] std::vector<std::uint64_t> const& arrays() const { return chosen_; }

    /// Where the part of a rank begins: these follow each other, begin with elements, and are equally large.
    [[nodiscard]] std::uint64_t begin(std::uint64_t rank, std::uint64_t ranks) const {
        auto const total = before_.back();
        auto const bytes = total / ranks * rank + total % ranks * rank / ranks;
        if (rank >= ranks || bytes >= total) {
            return arrays_.bytes();
        }
        auto const i = static_cast<std::size_t>(std::ranges::upper_bound(before_, bytes) - before_.begin()) - 1;
        auto const into = bytes - before_[i];
        return arrays_.origins[chosen_[i]] + into - into % arrays_.descriptions[chosen_[i]].element_bytes;
    }

  private:
    /// A number for each array. Arrays with the same lists on all ranks, and hardly ever others, have the same sum.
    [[nodiscard]] std::vector<std::uint64_t> lists_of(std::uint64_t rank) const {
        std::vector<std::uint64_t> numbers;
        for (std::uint64_t i = 0; i < arrays_.descriptions.size(); ++i) {
            auto const& pieces = arrays_.descriptions[i].pieces;
            numbers.push_back((pieces ? pieces->fingerprint() : i) * (2 * rank + 1));
        }
        return numbers;
    }

    /// Blocks on a grid, and arrays that rank 0 writes for all, cover their arrays by construction; and an array with
    /// the lists of another one is covered if that is.
    void choose(std::vector<std::uint64_t> const& same) {
        std::set<std::pair<std::uint64_t, std::int64_t>> known;
        for (std::size_t i = 0; i < same.size(); ++i) {
            auto const& d = arrays_.descriptions[i];
            bool const doubtful = d.distribution == Distribution::boxes || d.distribution == Distribution::pieces;
            if (doubtful && known.emplace(same[i], d.shape[0]).second) {
                chosen_.push_back(i);
                before_.push_back(before_.back() + d.bytes());
            }
        }
    }

    Arrays const& arrays_;
    std::vector<std::uint64_t> chosen_;
    std::vector<std::uint64_t> before_{0};  ///< bytes of those before each, and the total at the end
};

}  // namespace

void check_cover_on_all_ranks(Communicator const& comm, Arrays const& arrays, bool holes, FirstFailure& failure,
                              std::function<void(FirstFailure const&)> const& agree) {
    constexpr int cover_tag = 3;
    Checked const checked(comm, arrays, failure, agree);
    std::vector<Message> messages;
    failure.attempt([&] {
        auto share = arrays.share({comm.rank(), comm.size()}, Use::write);
        std::erase_if(share, [&](Part const& part) { return !checked.has(part.array()); });
        for (std::uint64_t rank = 0; rank < comm.size(); ++rank) {
            auto const from = checked.begin(rank, comm.size());
            auto const to = checked.begin(rank + 1, comm.size());
            if (bytes_within(share, from, to) > 0) {
                messages.push_back({rank, packed(share, from, to)});
            }
        }
    });
    std::vector<RankShare> shares;
    auto const arrived = sparse_exchange(comm, std::move(messages), cover_tag, failure);
    failure.attempt([&] {
        for (auto const& message : arrived) {
            auto& one = shares.emplace_back(RankShare{message.rank, unpacked(message.bytes)});
            one.index = ShareIndex(one.share);
        }
    });
    auto const from = checked.begin(comm.rank(), comm.size());
    auto const to = checked.begin(comm.rank() + 1, comm.size());
    for (auto const i : checked.arrays()) {
        failure.attempt([&] {
            check_cover(arrays, std::max(from, arrays.origins[i]), std::min(to, arrays.origins[i + 1]), shares, holes);
        });
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
