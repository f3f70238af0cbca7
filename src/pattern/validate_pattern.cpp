#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/join.hpp"
#include "pattern/check_files.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern.hpp"

namespace weir {
namespace {

/// Wide enough for any sum or product of a pattern's values, so that overflow is detected.
__extension__ using Wide = __int128;

constexpr Wide greatest_offset = (Wide{1} << 63) - 1;

/// The product of the counts, capped above 2^63.
Wide places(std::vector<Level> const& levels) {
    Wide product = 1;
    for (auto const& level : levels) {
        product = std::min(product * static_cast<Wide>(level.count), greatest_offset + 1);
    }
    return product;
}

/// Capped beyond 2^66: any larger value is equally invalid.
Wide clamped(Wide value) {
    constexpr Wide far = greatest_offset * 8;
    return std::max(-far, std::min(far, value));
}

/// How far nested strides reach below (`least`) and above their start.
struct OffsetReach {
    Wide least = 0;
    Wide most = 0;

    void add(std::uint64_t count, std::int64_t stride) {
        auto const span = static_cast<Wide>(count - 1) * stride;
        auto& side = span < 0 ? least : most;
        side = clamped(side + span);
    }

    void add(std::vector<Level> const& levels) {
        for (auto const& level : levels) {
            add(level.count, level.stride);
        }
    }
};

/// Checks each step by itself, in time independent of repeat counts. check_open_files() checks which files are open.
class Checker {
  public:
    explicit Checker(Pattern const& pattern) : pattern_(pattern) {}

    void check() {
        for (auto const& phase : pattern_.phases) {
            where_ = fmt::format("phase '{}'", phase.name);
            phase_ = &phase;
            accesses_ = 0;
            check_limits(phase);
            check_steps(phase.steps);
            if (phase.time_limit.value > 0) {
                limited_[phase.name] = accesses_;
            }
            check_limited_by(phase);
        }
        refuse_unless(bytes_ <= greatest_offset, "it moves 2^63 bytes or more in all", "Make it smaller.");
    }

  private:
    void refuse_unless(bool ok, std::string reason, char const* suggestion) const {
        if (!ok) {
            auto const step = place_.empty() ? "" : fmt::format(", step {}", join(place_, "."));
            validate(ok, fmt::format("{}{} cannot be carried out", where_, step), std::move(reason), suggestion);
        }
    }

    void check_limits(Phase const& phase) const {
        refuse_unless(phase.time_limit.value >= 0, "its time limit is below 0", "Give a time of 0 (no limit) or more.");
        refuse_unless(!phase.wear_out || phase.time_limit.value > 0, "it wears out without a time limit",
                      "Set time_limit_s.");
        refuse_unless(phase.tail_limit.value >= 0 && (phase.tail_limit.value == 0 || phase.wear_out),
                      "it bounds a tail that it does not have", "Set wear_out, or leave tail_limit_s out.");
    }

    void check_limited_by(Phase const& phase) const {
        if (phase.limited_by.empty()) {
            return;
        }
        auto const limiting = limited_.find(phase.limited_by);
        refuse_unless(limiting != limited_.end() && phase.limited_by != phase.name,
                      fmt::format("no earlier phase '{}' has a time limit", phase.limited_by),
                      "Name one that has, or none.");
        refuse_unless(limiting->second == accesses_,
                      fmt::format("it has {} accesses and '{}' has {}", accesses_, phase.limited_by, limiting->second),
                      "Give both the same accesses.");
    }

    void check_steps(std::vector<Step> const& steps) {
        place_.push_back(0);
        for (auto const& step : steps) {
            std::visit([this](auto const& s) { check(s); }, step);
            ++place_.back();
        }
        place_.pop_back();
    }

    void check(Repeat const& repeat) {
        refuse_unless(repeat.count > 0 && !repeat.steps.empty(), "it repeats nothing",
                      "Give a repeat a count and steps, or leave it out.");
        refuse_unless(loops_.size() < deepest_repeat, fmt::format("repeats are nested deeper than {}", deepest_repeat),
                      "Make one repeat of two.");
        refuse_unless(!timed(), "a phase with repeats has a time limit",
                      "Leave time_limit_s and limited_by out, or the repeats.");
        auto const before = turns_;
        turns_ *= static_cast<Wide>(repeat.count);
        refuse_unless(turns_ <= most_turns, "a step is repeated more than 2^40 times", "Make the counts smaller.");
        loops_.push_back(repeat.count);
        check_steps(repeat.steps);
        loops_.pop_back();
        turns_ = before;
    }

    /// Opens, closes, syncs and waits.
    template <class OnFile>
    void check(OnFile const& step) const {
        check_file_and_ranks(step);
    }
    void check(Open const& open) const {
        check_file_and_ranks(open);
        auto const arrays = pattern_.files[open.file].arrays.size();
        auto const makes = open.makes.value_or(IndexRange{});
        refuse_unless(makes.first <= arrays && makes.count <= arrays - makes.first,
                      fmt::format("it makes {} arrays from {} on, of {}", makes.count, makes.first, arrays),
                      "Add them to the file's arrays.");
        refuse_unless(!open.makes || open.mode != OpenMode::read, "it makes arrays in a file that it reads",
                      "Leave makes out, or update the file.");
    }
    void check(Barrier const& barrier) const { check_ranks(barrier.ranks); }
    void check(Seek const& seek) {
        check_file_and_ranks(seek);
        check_depth(seek.advance, "advance");
        auto const reach = reach_of(seek.advance);
        auto const to = static_cast<Wide>(seek.to);
        refuse_unless(to + reach.least >= 0 && to + reach.most <= greatest_offset,
                      "it goes before the start of the file, or beyond 2^63 bytes", "Correct its place.");
    }
    void check(Rename const& rename) const {
        check_files(rename.file, rename.file_advance);
        check_files(rename.to, rename.to_advance);
        refuse_unless(
            reaches_file_of_one(rename.file, rename.file_advance) == reaches_file_of_one(rename.to, rename.to_advance),
            "a file of each rank replaces a shared one, or the reverse", "Make both the one or the other.");
    }
    void check(Remove const& remove) const { check_files(remove.file, remove.file_advance); }
    void check(Broadcast const& broadcast) const {
        check_ranks(broadcast.ranks);
        check_message(broadcast.bytes);
        refuse_unless(broadcast.root < pattern_.ranks && contains(broadcast.ranks, Rank{broadcast.root}),
                      fmt::format("rank {} broadcasts to ranks that it is not among", broadcast.root),
                      "Name a root among the ranks.");
    }
    void check(Send const& send) const {
        check_set(send.from);
        check_set(send.to);
        check_message(send.bytes);
        refuse_unless(send.from.count == send.to.count, "not as many ranks receive as send",
                      "Give both sets as many ranks.");
    }
    void check(InGroups const& messages) const {
        check_files(messages.file, {});
        refuse_unless(messages.array < pattern_.files[messages.file].arrays.size(),
                      fmt::format("'{}' has no array {}", pattern_.files[messages.file].name, messages.array),
                      "Add it to the file's arrays.");
        refuse_unless(messages.partition < pattern_.partitions.size(),
                      fmt::format("there is no partition {}", messages.partition), "Add it to the partitions.");
        auto const why = misfit(messages.what, messages.by, pattern_.ranks);
        refuse_unless(!why, why.value_or(""), "Correct the partition, or the array.");
        refuse_unless(phase_->reorder.kind == ReorderKind::none, "ranks exchange in groups, and do others' parts",
                      "Leave the phase's order as it is.");
        refuse_unless(messages.ranks_per_group > 0, "groups have no ranks", "Give ranks_per_group 1 or more.");
        refuse_unless((messages.kind == InGroups::Kind::broadcast) == messages.by.same.has_value(),
                      "a part that is the same for all is gathered or scattered, or another one broadcast",
                      "Broadcast what a partition with `same` gives to all, gather or scatter others.");
    }
    void check(Move const& move) const {
        check_files(move.file, {});
        refuse_unless(move.array < pattern_.files[move.file].arrays.size(),
                      fmt::format("'{}' has no array {}", pattern_.files[move.file].name, move.array),
                      "Add it to the file's arrays.");
        for (auto const& [index, by] : {std::pair(move.from, move.by_from), std::pair(move.to, move.by_to)}) {
            refuse_unless(!index || *index < pattern_.partitions.size(),
                          fmt::format("there is no partition {}", index.value_or(0)), "Add it to the partitions.");
            if (index && by) {
                auto const why = misfit(move.what, *by, pattern_.ranks);
                refuse_unless(!why, why.value_or(""), "Correct the partition, or the array.");
                refuse_unless(by->block.empty() && by->counts.empty() && !by->same,
                              "it moves other parts than blocks on a grid", "Write the messages as sends.");
            }
        }
        refuse_unless(move.from || move.to, "it moves from rank 0 to rank 0", "Leave it out.");
    }
    void check_message(std::uint64_t bytes) const {
        constexpr Wide most = Wide{1} << 31;
        refuse_unless(static_cast<Wide>(bytes) < most, "a message has 2 GiB or more", "Make several of it.");
    }
    void check(Preallocate const& preallocate) {
        check_file_and_ranks(preallocate);
        refuse_unless(static_cast<Wide>(preallocate.bytes) <= greatest_offset, "it reserves 2^63 bytes or more",
                      "Make it smaller.");
    }
    void check(Compute const& compute) const {
        check_ranks(compute.ranks);
        refuse_unless(compute.time.value >= 0 && compute.time.value <= longest_s, "a computing time is out of range",
                      "Give 0 to 1,000,000 seconds.");
    }

    template <class OnFile>
    void check_file_and_ranks(OnFile const& step) const {
        check_ranks(step.ranks);
        check_files(step.file, step.file_advance);
    }

    /// Requires a file at each index that a step reaches.
    void check_files(std::uint64_t file, std::vector<std::int64_t> const& file_advance) const {
        check_depth(file_advance, "file_advance");
        auto const reach = reach_of(file_advance);
        auto const files = static_cast<Wide>(pattern_.files.size());
        auto const base = std::min(static_cast<Wide>(file), files);
        refuse_unless(base + reach.least >= 0, "its file_advance leads below file 0", "Raise its file.");
        refuse_unless(base + reach.most < files,
                      fmt::format("there is no file {}", static_cast<std::uint64_t>(std::min(
                                                             static_cast<Wide>(file) + reach.most, greatest_offset))),
                      "Add it to the files.");
    }

    void check_depth(std::vector<std::int64_t> const& advance, char const* name) const {
        refuse_unless(advance.empty() || advance.size() == loops_.size(),
                      fmt::format("its {} has {} numbers in {} repeats", name, advance.size(), loops_.size()),
                      "Give one for each repeat around it, the outermost first.");
    }

    /// Is the number of requests of the phase determined by time?
    [[nodiscard]] bool timed() const { return phase_->time_limit.value > 0 || !phase_->limited_by.empty(); }

    void check(Access const& access) {
        ++accesses_;
        check_files(access.file, access.file_advance);
        check_depth(access.advance, "advance");
        refuse_unless(!phase_->is_collective(access) || !reaches_file_of_one(access.file, access.file_advance),
                      "a file per process has no other ranks for a collective call",
                      "Share the file, or make the access independent.");
        check_set(access.ranks);
        refuse_unless(access.rank_levels.empty() || places(access.rank_levels) == static_cast<Wide>(access.ranks.count),
                      "the nested strides of ranks do not have as many positions as there are ranks",
                      "Make their product equal.");
        check_manner(access);
        auto const bytes = access.part            ? check_part(access)
                           : access.lists.empty() ? check_extent(access)
                                                  : check_lists(access);
        bytes_ = std::min(bytes_ + std::min(bytes, greatest_offset + 1) * turns_, greatest_offset + 1);
    }

    /// Does the step reach any file per rank?
    [[nodiscard]] bool reaches_file_of_one(std::uint64_t file, std::vector<std::int64_t> const& advance) const {
        auto const reached = files_reached(file, advance, {}, loops_);
        return std::ranges::any_of(reached, [&](auto const& one) { return pattern_.files.at(one.first).per_rank; });
    }

    /// The range of displacements by `advance` over all iterations.
    [[nodiscard]] OffsetReach reach_of(std::vector<std::int64_t> const& advance) const {
        OffsetReach reach;
        for (std::size_t level = 0; level < advance.size(); ++level) {
            reach.add(loops_[level], advance[level]);
        }
        return reach;
    }

    void check_manner(Access const& access) const {
        constexpr std::uint64_t all = 100;
        refuse_unless(access.read_percent <= all, "more than 100 percent of its requests read", "Give 0 to 100.");
        refuse_unless(access.verb != Verb::mixed || !access.list_io,
                      "requests of all pieces (list I/O) cannot be mixed", "Make two accesses.");
        refuse_unless(!access.collective || phase_->collective || !phase_->wear_out,
                      "a collective access wears out in a phase that is not collective",
                      "Make the phase collective, or leave wear_out out.");
        auto const plain = (access.verb == Verb::write || access.verb == Verb::read) && !access.sync_each &&
                           !access.pace.is_set() && !phase_->is_collective(access) && !timed();
        refuse_unless(!access.asynchronous || plain,
                      "an asynchronous access is collective, checks, mixes, syncs each request, keeps a pace or has a "
                      "time limit",
                      "Let it write or read alone, each rank by itself.");
        refuse_unless(!access.list_io || !phase_->wear_out, "one request cannot wear out",
                      "Leave wear_out or together out.");
        refuse_unless(!access.list_io || access.order.kind == OrderKind::sequential ||
                          access.order.kind == OrderKind::random_partition,
                      "pieces that are one request have no order", "Make the order sequential.");
        refuse_unless(access.pace.think.value >= 0 && access.pace.think.value <= longest_s, "a pause is out of range",
                      "Give 0 to 1,000,000 seconds.");
    }

    /// Bytes of all ranks in one iteration.
    [[nodiscard]] Wide check_lists(Access const& access) const {
        refuse_unless(!draws(access.order.kind), "pieces of a list cannot be drawn",
                      "Make the order sequential or shuffled.");
        refuse_unless(access.lists.ranks() == access.ranks.count,
                      fmt::format("it has {} lists for {} ranks", access.lists.ranks(), access.ranks.count),
                      "Give one list for each rank that takes part; it may be empty.");
        auto reach = reach_of(access.advance);
        reach.most += static_cast<Wide>(access.extent.start);
        Wide bytes = 0;
        for (auto const& piece : access.lists.all()) {
            refuse_unless(piece.length > 0, "a listed piece has length 0", "Leave it out.");
            auto const end = static_cast<Wide>(piece.offset) + static_cast<Wide>(piece.length);
            refuse_unless(end + reach.most <= greatest_offset, "a listed piece lies beyond 2^63 bytes",
                          "Make its offset smaller.");
            refuse_unless(static_cast<Wide>(piece.offset) + reach.least >= 0,
                          "an offset lies before the start of the file", "Raise it, or advance less far back.");
            bytes = std::min(bytes + static_cast<Wide>(piece.length), greatest_offset + 1);
        }
        return bytes;
    }

    /// Bytes of all ranks in one iteration.
    [[nodiscard]] Wide check_part(Access const& access) const {
        auto const& part = *access.part;
        refuse_unless(access.verb != Verb::mixed && access.list_io && access.advance.empty() && access.lists.empty() &&
                          !access.sync_each,
                      "an access to an array is more than one request, or moves on",
                      "Read or write one array, and name another for the next turn.");
        refuse_unless(part.partition < pattern_.partitions.size(),
                      fmt::format("there is no partition {}", part.partition), "Add it to the partitions.");
        for (auto const& [file, ignored] : files_reached(access.file, access.file_advance, {}, loops_)) {
            auto const& arrays = pattern_.files.at(file).arrays;
            refuse_unless(part.array < arrays.size(),
                          fmt::format("'{}' has no array {}", pattern_.files[file].name, part.array),
                          "Add it to the file's arrays.");
            refuse_unless(arrays[part.array] == part.what,
                          fmt::format("array {} of '{}' is another than in the file before it", part.array,
                                      pattern_.files[file].name),
                          "Give files that a repeat goes through the same arrays.");
        }
        refuse_unless(!part.what.attribute_of || access.ranks == RankSet{0, 1, 1},
                      fmt::format("not rank 0 alone accesses the attribute '{}'", part.what.name),
                      "Give the access the ranks of rank 0.");
        refuse_unless(!part.by.same || access.verb != Verb::write, "all ranks write the same part of an array",
                      "Let them read it, or divide it.");
        check_groups(access);
        auto const why = misfit(part.what, part.by, part.ranks_per_group > 0 ? part.ranks : access.ranks.count);
        refuse_unless(!why, why.value_or(""), "Correct the partition, or the array.");
        return static_cast<Wide>(bytes_of(part.what));
    }

    /// That the ranks of an access are roots of groups which have that member.
    void check_groups(Access const& access) const {
        auto const& [size, member, ranks] =
            std::tie(access.part->ranks_per_group, access.part->member, access.part->ranks);
        refuse_unless(size > 0 || !member, "it is for a member of groups of no ranks", "Give ranks_per_group.");
        if (size == 0) {
            return;
        }
        auto const last = rank_at(access, access.ranks.count - 1).value;
        auto const are_roots =
            access.ranks.first % size == 0 && (access.ranks.count == 1 || access.ranks.step % size == 0);
        refuse_unless(are_roots, fmt::format("its ranks are not the first ones of groups of {}", size),
                      "Give it ranks that are multiples of ranks_per_group.");
        refuse_unless(member.value_or(0) < size && last + member.value_or(0) < ranks,
                      fmt::format("a group has no member {}", member.value_or(0)),
                      "Name one below ranks_per_group, and only roots whose group has it.");
    }

    void check_ranks(Ranks const& ranks) const {
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            check_set(ranks[i]);
            for (std::size_t j = 0; j < i; ++j) {
                refuse_unless(common(ranks[i], ranks[j]) == 0, "a rank is in two of its rank sets",
                              "Make the sets disjoint.");
            }
        }
    }

    void check_set(RankSet const& ranks) const {
        refuse_unless(ranks.count > 0 && ranks.step > 0, "a rank set is empty or has no step",
                      "Give count and step 1 or more.");
        auto const last =
            static_cast<Wide>(ranks.first) + static_cast<Wide>(ranks.count - 1) * static_cast<Wide>(ranks.step);
        refuse_unless(last < static_cast<Wide>(pattern_.ranks),
                      fmt::format("a rank set goes beyond the {} ranks", pattern_.ranks), "Make it smaller.");
    }

    /// Bytes of all ranks in one iteration.
    [[nodiscard]] Wide check_extent(Access const& access) const {
        auto const& extent = access.extent;
        auto const one_by_one = !access.list_io && access.order.kind == OrderKind::sequential;
        refuse_unless(extent.length > 0 || one_by_one, "an extent has length 0, and is no sequence of requests",
                      "Give it a length of 1 byte or more.");
        for (auto const& level : extent.levels) {
            refuse_unless(level.count > 0, "a level has count 0", "Leave the access out instead.");
        }
        auto reach = reach_of(access.advance);
        reach.add(access.rank_levels);
        reach.add(extent.levels);
        auto const start = static_cast<Wide>(extent.start);
        refuse_unless(start + reach.least >= 0, "an offset lies before the start of the file",
                      "Raise the extent's start.");
        refuse_unless(start + reach.most + static_cast<Wide>(extent.length) <= greatest_offset,
                      "an offset lies beyond 2^63 bytes", "Make the extent smaller.");
        refuse_unless(places(extent.levels) <= greatest_offset, "an extent has 2^63 pieces or more",
                      "Make it smaller.");
        if (access.order.kind == OrderKind::random_partition) {
            refuse_unless(access.rank_levels.empty(), "ranks are displaced in the extent of a random partition",
                          "Leave rank_levels empty.");
            refuse_unless(
                static_cast<Wide>(access.ranks.count) * static_cast<Wide>(access.order.draws) <= places(extent.levels),
                "a random partition has more pieces than its extent", "Give each rank fewer.");
        }
        auto const of_a_rank = draws(access.order.kind) ? static_cast<Wide>(access.order.draws) : places(extent.levels);
        auto const pieces = static_cast<Wide>(access.ranks.count) * of_a_rank;
        return std::min(pieces, greatest_offset) * static_cast<Wide>(extent.length);
    }

    static constexpr double longest_s = 1e6;
    static constexpr Wide most_turns = Wide{1} << 40;

    Pattern const& pattern_;
    Phase const* phase_ = nullptr;
    std::vector<std::size_t> place_;  ///< indexes of the step in its enclosing repeats' steps
    Loops loops_;
    Wide turns_ = 1;                              ///< the product of the loops
    std::map<std::string, std::size_t> limited_;  ///< accesses of each time-limited phase so far
    std::size_t accesses_ = 0;
    Wide bytes_ = 0;
    std::string where_ = "the pattern";
};

}  // namespace

void validate_pattern(Pattern const& pattern) {
    validate(pattern.ranks > 0, "the pattern has no ranks", "ranks is 0", "Give it 1 rank or more.");
    check_files(pattern);
    Checker(pattern).check();
    check_open_files(pattern);
}

}  // namespace weir
