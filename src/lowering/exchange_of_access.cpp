#include "lowering/exchange_of_access.hpp"

#include <algorithm>
#include <tuple>

#include "array/layout/aggregator_placement.hpp"
#include "array/layout/io_group.hpp"
#include "array/layout/window.hpp"

namespace weir {
namespace {

using array::Use;

/// Ranks that exchange among themselves, with their aggregators and file domains.
struct ExchangeGroup {
    std::vector<std::uint64_t> ranks;
    array::Region region;
    array::Aggregation by;
};

array::Description description_of(Access const& access) {
    auto const& [what, by] = std::tie(access.part->what, access.part->by);
    array::Description description;
    description.element_bytes = what.element.bytes;
    description.shape = {what.shape.begin(), what.shape.end()};
    description.grid = {by.grid.begin(), by.grid.end()};
    description.block = {by.block.begin(), by.block.end()};
    description.block.resize(what.shape.size());
    return description;
}

class AccessLowering {
  public:
    AccessLowering(Access const& access, Lowering const& how)
        : access_(access),
          how_(how),
          use_(access.verb == Verb::write ? Use::write : Use::read),
          strategy_(use_ == Use::write ? how.choice.write : how.choice.read),
          arrays_({description_of(access)}) {}

    Exchanged run() {
        for (auto const& group : groups()) {
            exchange(group);
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] std::uint64_t ranks() const { return access_.ranks.count; }
    [[nodiscard]] std::uint64_t node_of(std::uint64_t rank) const {
        return how_.node.empty() ? rank : how_.node.at(rank);
    }

    /// In the plan's space, where the array begins at 0.
    [[nodiscard]] array::Share share_of(std::uint64_t rank) const {
        auto section = part_of(access_.part->what, access_.part->by, rank, ranks());
        section.origin = 0;
        return section.bytes() > 0 ? array::Share{section} : array::Share{};
    }

    [[nodiscard]] std::vector<ExchangeGroup> groups() const {
        std::vector<ExchangeGroup> groups;
        if (strategy_.method == array::Method::grouped) {
            for (std::uint64_t first = 0; first < ranks(); first += how_.choice.group) {
                auto& group = groups.emplace_back();
                std::vector<array::Share> shares;
                for (auto rank = first; rank < std::min(ranks(), first + how_.choice.group); ++rank) {
                    group.ranks.push_back(rank);
                    shares.push_back(share_of(rank));
                }
                group.region = array::group_region(arrays_, shares);
            }
        } else if (auto const rows = row_count(); rows > 0) {
            groups.resize(rows);
            for (std::uint64_t rank = 0; rank < ranks(); ++rank) {
                auto const row = *array::row_of(arrays_, {rank, ranks()}, how_.target);
                groups[row.colour].ranks.push_back(rank);
                groups[row.colour].region = array::region_of(arrays_, ranks(), row);
            }
        } else {
            auto& group = groups.emplace_back();
            for (std::uint64_t rank = 0; rank < ranks(); ++rank) {
                group.ranks.push_back(rank);
            }
            group.region = array::Region::whole(arrays_.bytes());
        }
        for (auto& group : groups) {
            aggregate(group, groups.size());
        }
        return groups;
    }

    /// Number of rows of the process grid that exchange separately; 0: all ranks together.
    [[nodiscard]] std::uint64_t row_count() const {
        auto const by_grid = access_.part->by.is_cartesian();
        if (strategy_.method != array::Method::two_phase || !how_.choice.rows || !by_grid) {
            return 0;
        }
        auto const row = array::row_of(arrays_, {0, ranks()}, how_.target);
        return row && strategy_.aggregators % row->rows == 0 ? row->rows : 0;
    }

    void aggregate(ExchangeGroup& group, std::uint64_t groups) const {
        bool const one = strategy_.method == array::Method::grouped || strategy_.method == array::Method::gather;
        std::vector<std::uint64_t> nodes;
        for (auto const rank : group.ranks) {
            nodes.push_back(node_of(rank));
        }
        group.by.aggregators =
            one ? std::vector<std::uint64_t>{0}
                : array::place_aggregators(nodes, std::max<std::uint64_t>(1, strategy_.aggregators / groups));
        group.by.align = how_.choice.align;
        group.by.window = how_.choice.window;
        group.by.phase = groups > 1 ? 0 : access_.part->what.offset.value_or(0) % how_.choice.align;
    }

    void exchange(ExchangeGroup const& group) {
        std::vector<array::Share> shares;
        for (auto const rank : group.ranks) {
            shares.push_back(coalesced(share_of(rank)));
        }
        std::map<std::uint64_t, std::vector<std::size_t>> holders;  // by aggregator, members of the group
        for (std::size_t member = 0; member < shares.size(); ++member) {
            for (auto const& partner : array::partners(group.region, shares[member], group.by)) {
                holders[partner.rank].push_back(member);
                note_messages(group, member, partner, shares[member]);
            }
        }
        for (std::uint64_t i = 0; i < group.by.aggregators.size(); ++i) {
            note_requests(group, i, holders[group.by.aggregators[i]], shares);
        }
    }

    void note_messages(ExchangeGroup const& group, std::size_t member, array::Partner const& partner,
                       array::Share const& share) {
        auto const mine = group.ranks[member];
        auto const other = group.ranks[partner.rank];
        if (mine == other || (!how_.all_by_messages && node_of(mine) == node_of(other))) {
            return;
        }
        auto& lengths = use_ == Use::write ? result_.messages[{mine, other}] : result_.messages[{other, mine}];
        for (std::uint64_t window = 0; window < partner.domain.windows(); ++window) {
            array::Window const one(group.region, partner.domain.window_at(window), share);
            if (auto const bytes = one.bytes(); bytes > 0) {
                lengths.push_back(bytes);
            }
        }
    }

    void note_requests(ExchangeGroup const& group, std::uint64_t index, std::vector<std::size_t> const& holders,
                       std::vector<array::Share> const& shares) {
        constexpr std::uint64_t read_gap = std::uint64_t{64} << 10;
        auto const domain = array::file_domain(group.region, group.by, index);
        auto& requests = result_.requests[group.ranks[group.by.aggregators[index]]];
        for (std::uint64_t w = 0; w < domain.windows(); ++w) {
            auto const ordinals = domain.window_at(w);
            std::vector<array::Window> windows;
            std::uint64_t held = 0;
            for (auto const member : holders) {
                windows.emplace_back(group.region, ordinals, shares[member]);
                held += windows.back().bytes();
            }
            auto const full = held == ordinals.second - ordinals.first;
            auto const gap = use_ == Use::read ? read_gap : 0;
            for (auto const& one :
                 full ? array::all_of(group.region, ordinals) : array::joined(array::extents_filled_by(windows), gap)) {
                requests.push_back({*access_.part->what.offset + one.position, one.length});
            }
        }
        if (requests.empty()) {
            result_.requests.erase(group.ranks[group.by.aggregators[index]]);
        }
    }

    Access const& access_;
    Lowering const& how_;
    Use use_;
    array::Strategy strategy_;
    array::Arrays arrays_;
    Exchanged result_;
};

}  // namespace

Exchanged exchange_of(Access const& access, Lowering const& how) { return AccessLowering(access, how).run(); }

}  // namespace weir
