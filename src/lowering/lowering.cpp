#include "lowering/lowering.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "array/layout/file_domain.hpp"
#include "array/layout/window.hpp"
#include "core/error.hpp"
#include "lowering/exchange_of_access.hpp"
#include "pattern/loops.hpp"
#include "pattern/operations.hpp"

namespace weir {
namespace {

/// Ranks as sets, in ascending order.
Ranks sets_of(std::set<std::uint64_t> const& ranks) {
    Ranks sets;
    for (auto const rank : ranks) {
        if (!sets.empty() && sets.back().first + sets.back().count == rank) {
            ++sets.back().count;
        } else {
            sets.push_back({rank, 1, 1});
        }
    }
    return sets;
}

/// Messages of equal distance and length between equally spaced ranks, as one step.
std::vector<Step> sends_of(Exchanged const& exchanged) {
    std::map<std::tuple<std::size_t, std::uint64_t, std::int64_t>, std::vector<std::uint64_t>> alike;
    for (auto const& [ends, lengths] : exchanged.messages) {
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            auto const way = static_cast<std::int64_t>(ends.second) - static_cast<std::int64_t>(ends.first);
            alike[{i, lengths[i], way}].push_back(ends.first);
        }
    }
    std::vector<Step> sends;
    for (auto const& [what, from] : alike) {
        auto const [turn, bytes, way] = what;
        for (std::size_t i = 0; i < from.size();) {
            auto const step = i + 1 < from.size() ? from[i + 1] - from[i] : 1;
            std::size_t count = 1;
            while (i + count < from.size() && from[i + count] - from[i + count - 1] == step) {
                ++count;
            }
            auto const to = static_cast<std::uint64_t>(static_cast<std::int64_t>(from[i]) + way);
            sends.emplace_back(Send{{from[i], count, count > 1 ? step : 1}, {to, count, count > 1 ? step : 1}, bytes});
            i += count;
        }
    }
    return sends;
}

/// The plain requests of equally spaced ranks: as nested strides if they are as regular; else as lists.
Access plain_access(Access const& asked, RankSet ranks, std::vector<std::vector<Piece>> lists) {
    Access plain;
    plain.verb = asked.verb;
    plain.file = asked.file;
    plain.file_advance = asked.file_advance;
    plain.ranks = ranks;
    auto const& first = lists.front().front();
    auto const stride = lists.size() > 1 ? lists[1].front().offset - first.offset : 0;
    bool regular = true;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        regular = regular && lists[i].size() == 1 && lists[i][0].length == first.length &&
                  lists[i][0].offset == first.offset + i * stride;
    }
    if (!regular) {
        plain.lists = PieceLists(lists);
        return plain;
    }
    plain.extent = {first.offset, {}, first.length};
    plain.rank_levels = merged({{ranks.count, static_cast<std::int64_t>(stride)}});
    return plain;
}

std::vector<Step> requests_of(Access const& asked, Exchanged const& exchanged) {
    std::vector<std::uint64_t> ranks;
    for (auto const& [rank, pieces] : exchanged.requests) {
        ranks.push_back(rank);
    }
    std::vector<Step> steps;
    for (std::size_t i = 0; i < ranks.size();) {
        auto const step = i + 1 < ranks.size() ? ranks[i + 1] - ranks[i] : 1;
        std::vector<std::vector<Piece>> lists;
        auto const from = i;
        do {
            lists.push_back(exchanged.requests.at(ranks[i++]));
        } while (i < ranks.size() && ranks[i] - ranks[i - 1] == step);
        auto const count = lists.size();
        steps.emplace_back(plain_access(asked, {ranks[from], count, count > 1 ? step : 1}, std::move(lists)));
    }
    return steps;
}

/// Equal blocks as nested strides; nothing if they differ.
std::optional<Access> nest_of_blocks(Access const& asked) {
    auto const& [what, by] = std::tie(asked.part->what, asked.part->by);
    auto const grid = grid_of(what, by, asked.ranks.count);
    bool equal = by.block.empty() && by.counts.empty() && !by.same && !what.shape.empty() && bytes_of(what) > 0;
    for (std::size_t k = 0; equal && k < grid.size(); ++k) {
        equal = what.shape[k] % grid[k] == 0;
    }
    if (!equal) {
        return std::nullopt;
    }
    Access nest;
    nest.verb = asked.verb;
    nest.file = asked.file;
    nest.file_advance = asked.file_advance;
    nest.ranks = asked.ranks;
    auto pitch = what.element.bytes;
    nest.extent.length = pitch;
    for (auto k = what.shape.size(); k-- > 0;) {
        auto const block = what.shape[k] / grid[k];
        auto const slowest = by.first_fastest ? nest.rank_levels.end() : nest.rank_levels.begin();
        nest.rank_levels.insert(slowest, {grid[k], static_cast<std::int64_t>(block * pitch)});
        nest.extent.levels.insert(nest.extent.levels.begin(), {block, static_cast<std::int64_t>(pitch)});
        pitch *= what.shape[k];
    }
    nest.extent.start = *what.offset;
    nest.extent = coalesced(nest.extent);
    nest.rank_levels = merged(nest.rank_levels);
    return nest;
}

/// Lowers the steps of a phase, tracking which ranks have actually opened a file.
class PhaseLowering {
  public:
    /// Adds to the pattern the partitions that it redistributes arrays to.
    PhaseLowering(Pattern const& pattern, Phase const& phase, Lowering const& how, std::vector<Partition>& partitions)
        : pattern_(pattern), phase_(phase), how_(how), partitions_(partitions) {}

    std::vector<Step> run(std::vector<Step> const& steps) {
        std::vector<Step> made;
        for (auto const& step : steps) {
            std::visit([&](auto const& one) { lower(one, made); }, step);
        }
        return made;
    }

  private:
    /// A shared file that ranks open for collective accesses.
    struct OpenedFile {
        Open asked;
        std::set<std::uint64_t> ranks;
    };

    [[nodiscard]] bool is_lowered(Access const& access) const {
        return access.part && phase_.is_collective(access) && access.ranks.count > 1;
    }

    /// Does the file have lowered accesses?
    [[nodiscard]] bool has_lowered(std::uint64_t file) const {
        bool found = false;
        each_access(phase_.steps, [&](Access const& access, Loops const&) {
            found = found || (access.file == file && is_lowered(access));
        });
        return found;
    }

    template <class Plain>
    void lower(Plain const& step, std::vector<Step>& made) {
        made.emplace_back(step);
    }

    void lower(Repeat const& repeat, std::vector<Step>& made) {
        made.emplace_back(Repeat{repeat.count, run(repeat.steps)});
    }

    void lower(Open const& open, std::vector<Step>& made) {
        if (!has_lowered(open.file) || size_of(open.ranks, pattern_.ranks) < 2) {
            made.emplace_back(open);
            return;
        }
        opened_[open.file] = {open, {}};
        open_on({0}, open.file, made);  // the first of all ranks that open it
        made.emplace_back(Barrier{open.ranks});
    }

    /// Opens it on those of these ranks that have not opened it.
    std::set<std::uint64_t> open_on(std::set<std::uint64_t> const& wanted, std::uint64_t file,
                                    std::vector<Step>& made) {
        auto& opened = opened_.at(file);
        auto open = opened.asked;
        open.collective = false;
        open.mode = open.mode == OpenMode::create && !opened.ranks.empty() ? OpenMode::update : open.mode;
        std::set<std::uint64_t> later;
        std::ranges::set_difference(wanted, opened.ranks, std::inserter(later, later.end()));
        if (!later.empty()) {
            open.ranks = canonical(sets_of(later), pattern_.ranks);
            opened.ranks.insert(later.begin(), later.end());
            made.emplace_back(open);
        }
        return later;
    }

    void lower(Access const& access, std::vector<Step>& made) {
        if (!opened_.contains(access.file)) {
            made.emplace_back(access);
            return;
        }
        if (!is_lowered(access)) {
            std::set<std::uint64_t> ranks;
            for (std::uint64_t i = 0; i < access.ranks.count; ++i) {
                ranks.insert(access.ranks.first + i * access.ranks.step);
            }
            open_on(ranks, access.file, made);
            made.emplace_back(access);
            return;
        }
        auto const& array = access.part->what;
        auto const& way = access.verb == Verb::write ? how_.choice.write : how_.choice.read;
        auto plain = way.method == array::Method::independent ? alone(access) : exchanged(access);
        auto const later = open_on(plain.movers, access.file, made);
        if (!later.empty()) {
            seek(access, *array.offset, later, made);
        }
        std::ranges::move(plain.steps, std::back_inserter(made));
        auto const& opened = opened_.at(access.file).ranks;
        if (opened.size() > 1) {
            seek(access, *array.offset + bytes_of(array), opened, made);
        }
    }

    /// A lowered access, and the ranks that access the file.
    struct Plain {
        std::vector<Step> steps;
        std::set<std::uint64_t> movers;
    };

    /// Blocks that become slabs, one per rank and each one request, or all on rank 0: in closed form. Otherwise
    /// nothing.
    std::optional<Plain> regular(Access const& access) {
        auto const& [what, by] = std::tie(access.part->what, access.part->by);
        auto const& way = access.verb == Verb::write ? how_.choice.write : how_.choice.read;
        auto const ranks = access.ranks.count;
        auto const gathers = way.method == array::Method::gather;
        auto const slabs = way.method == array::Method::two_phase && way.aggregators == ranks && !how_.choice.rows;
        auto const apart = how_.node.empty() || how_.all_by_messages;
        if (!by.block.empty() || !by.counts.empty() || by.same || ranks != pattern_.ranks || what.shape.empty() ||
            !apart || !(gathers || slabs) || bytes_of(what) == 0) {
            return std::nullopt;
        }
        Partition slab{.grid = std::vector<std::uint64_t>(what.shape.size(), 1)};
        slab.grid[0] = 0;
        auto const movers = gathers ? 1 : ranks;
        auto const bytes = bytes_of(what);
        for (std::uint64_t i = 0; i < movers; ++i) {
            auto const domain = array::file_domain(bytes, movers, i, how_.choice.align, how_.choice.window,
                                                   *what.offset % how_.choice.align);
            auto const part = gathers ? part_of(what, {}, 0, 1) : part_of(what, slab, i, ranks);
            auto const same = domain.begin + *what.offset == part.begin() && domain.end - domain.begin == part.bytes();
            if (!same || domain.windows() != 1) {
                return std::nullopt;
            }
        }
        return regular(access, gathers ? std::nullopt : std::optional(slab));
    }

    Plain regular(Access const& access, std::optional<Partition> const& slab) {
        Move move{access.file, access.part->array, access.part->partition};
        if (slab) {
            auto const known = std::ranges::find(partitions_, *slab);
            move.to = static_cast<std::uint64_t>(known - partitions_.begin());
            if (known == partitions_.end()) {
                partitions_.push_back(*slab);
            }
        }
        auto plain = access;
        plain.ranks = slab ? access.ranks : RankSet{};
        plain.part->by =
            slab.value_or(Partition{.grid = std::vector<std::uint64_t>(access.part->what.shape.size(), 1)});
        Plain made;
        for (std::uint64_t rank = 0; rank < plain.ranks.count; ++rank) {
            made.movers.insert(rank);
        }
        auto const requests = alone(plain).steps;
        if (access.verb == Verb::write) {
            made.steps.emplace_back(move);
        }
        std::ranges::copy(requests, std::back_inserter(made.steps));
        if (access.verb != Verb::write) {
            std::swap(move.from, move.to);
            made.steps.emplace_back(move);
        }
        return made;
    }

    [[nodiscard]] Plain exchanged(Access const& access) {
        if (auto made = regular(access)) {
            return std::move(*made);
        }
        auto const what = exchange_of(access, how_);
        auto plain = Plain{sends_of(what), {}};
        for (auto const& [rank, pieces] : what.requests) {
            plain.movers.insert(rank);
        }
        std::ranges::move(requests_of(access, what), std::back_inserter(plain.steps));
        return plain;
    }

    static std::vector<Piece> pieces_by_row(Access const& access, Rank rank) {
        std::vector<Piece> pieces;
        Operations operations(access, rank);
        for (Operation operation; operations.next(operation);) {
            pieces.push_back({operation.offset, operation.length});
        }
        return pieces;
    }

    /// Each rank makes a request for each of its contiguous pieces.
    static Plain alone(Access const& access) {
        Plain plain;
        if (auto nest = nest_of_blocks(access)) {
            plain.steps.emplace_back(std::move(*nest));
            for (std::uint64_t rank = 0; rank < access.ranks.count; ++rank) {
                plain.movers.insert(rank);
            }
            return plain;
        }
        Exchanged result;
        for (std::uint64_t rank = 0; rank < access.ranks.count; ++rank) {
            // A plan moves a part row by row, also where a row ends at the beginning of the next.
            auto pieces = access.part ? pieces_by_row(access, Rank{rank}) : list_io_pieces(access, Rank{rank});
            if (!pieces.empty()) {
                result.requests[rank] = std::move(pieces);
                plain.movers.insert(rank);
            }
        }
        plain.steps = requests_of(access, result);
        return plain;
    }

    void seek(Access const& access, std::uint64_t to, std::set<std::uint64_t> const& ranks,
              std::vector<Step>& made) const {
        made.emplace_back(Seek{access.file, to, canonical(sets_of(ranks), pattern_.ranks), {}, access.file_advance});
    }

    /// By one rank of each node.
    void lower(Sync const& sync, std::vector<Step>& made) {
        auto const found = opened_.find(sync.file);
        auto one = sync;
        if (found != opened_.end()) {
            std::map<std::uint64_t, std::uint64_t> first;
            for (auto const rank : found->second.ranks) {
                first.try_emplace(how_.node.empty() ? rank : how_.node.at(rank), rank);
            }
            std::set<std::uint64_t> ranks;
            for (auto const& [node, rank] : first) {
                ranks.insert(rank);
            }
            made.emplace_back(Barrier{found->second.asked.ranks});
            one.ranks = canonical(sets_of(ranks), pattern_.ranks);
        }
        made.emplace_back(one);
    }

    void lower(Close const& close, std::vector<Step>& made) {
        auto const found = opened_.find(close.file);
        auto one = close;
        if (found != opened_.end()) {
            one.ranks = canonical(sets_of(found->second.ranks), pattern_.ranks);
            opened_.erase(found);
        }
        made.emplace_back(one);
    }

    Pattern const& pattern_;
    Phase const& phase_;
    Lowering const& how_;
    std::vector<Partition>& partitions_;
    std::map<std::uint64_t, OpenedFile> opened_;  ///< by file index in the steps
};

/// All requests are with file pointers.
void make_seeking(std::vector<Step>& steps) {
    for (auto& step : steps) {
        if (auto* access = std::get_if<Access>(&step)) {
            access->seeks = true;
        } else if (auto* repeat = std::get_if<Repeat>(&step)) {
            make_seeking(repeat->steps);
        }
    }
}

}  // namespace

Pattern lowered(Pattern const& pattern, Lowering const& how) {
    expect(how.node.empty() || how.node.size() == pattern.ranks, "every rank has a node");
    auto plain = pattern;
    for (auto& phase : plain.phases) {
        phase.steps = PhaseLowering(pattern, phase, how, plain.partitions).run(phase.steps);
        make_seeking(phase.steps);
        phase.collective = false;
    }
    resolve(plain);
    validate_pattern(plain);
    return plain;
}

}  // namespace weir
