#include "lowering/grouped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"

namespace weir {
namespace {

class GroupLowering {
  public:
    GroupLowering(Pattern const& pattern, Grouping const& how) : pattern_(pattern), how_(how) {}

    std::vector<Step> run(std::vector<Step> const& steps) {
        std::vector<Step> made;
        for (auto const& step : steps) {
            std::visit([&](auto const& one) { lower(one, made); }, step);
        }
        return made;
    }

  private:
    template <class Plain>
    void lower(Plain const& step, std::vector<Step>& made) {
        made.emplace_back(step);
    }

    void lower(Repeat const& repeat, std::vector<Step>& made) {
        made.emplace_back(Repeat{repeat.count, run(repeat.steps)});
    }

    void lower(Open const& open, std::vector<Step>& made) {
        auto const size = open.mode == OpenMode::read ? how_.read : how_.write;
        auto const is_of_all = canonical(open.ranks, pattern_.ranks).empty();
        validate(is_of_all || size_of(open.ranks, pattern_.ranks) == 1, "groups contradict a file that some ranks open",
                 fmt::format("'{}' is opened by some of {} ranks", pattern_.files[open.file].name, pattern_.ranks),
                 "Leave the groups out.");
        ranks_per_group_[open.file] = is_of_all ? size : 1;
        lower_on_file(open, made);
    }
    void lower(Sync const& sync, std::vector<Step>& made) { lower_on_file(sync, made); }
    void lower(Wait const& wait, std::vector<Step>& made) { lower_on_file(wait, made); }
    void lower(Close const& close, std::vector<Step>& made) { lower_on_file(close, made); }
    void lower(Preallocate const& reserve, std::vector<Step>& made) {
        if (reserve.ranks.empty()) {
            lower_on_file(reserve, made);
        } else {
            made.emplace_back(reserve);
        }
    }

    /// A step of all ranks becomes one of the roots.
    template <class OnFile>
    void lower_on_file(OnFile step, std::vector<Step>& made) {
        auto const size = size_for(step.file);
        if (size > 1) {
            step.ranks = canonical({roots(size)}, pattern_.ranks);
        }
        made.emplace_back(std::move(step));
    }

    [[nodiscard]] std::uint64_t size_for(std::uint64_t file) const {
        auto const found = ranks_per_group_.find(file);
        return found == ranks_per_group_.end() ? 1 : found->second;
    }

    /// The roots of groups of this size that have this member.
    [[nodiscard]] RankSet roots(std::uint64_t size, std::uint64_t member = 0) const {
        auto const count = (pattern_.ranks - member + size - 1) / size;
        return {0, count, count > 1 ? size : 1};
    }

    void lower(Access const& access, std::vector<Step>& made) {
        auto const size = size_for(access.file);
        if (size == 1) {
            made.emplace_back(access);
            return;
        }
        auto const is_of_root = access.ranks.count == 1 && access.ranks.first % size == 0;
        auto const is_of_all = access.ranks == RankSet{0, pattern_.ranks, 1};
        validate(access.part && (is_of_root || is_of_all), "the pattern cannot be carried out in groups of ranks",
                 fmt::format("an access to '{}' is to bytes, or of some ranks", pattern_.files[access.file].name),
                 "Leave the groups out.");
        if (is_of_root || access.part->what.attribute_of) {
            made.emplace_back(access);
            return;
        }
        lower_part(access, size, made);
    }

    void lower_part(Access const& access, std::uint64_t size, std::vector<Step>& made) {
        auto const& by = access.part->by;
        auto const writes = access.verb == Verb::write;
        using Kind = InGroups::Kind;
        InGroups const messages{by.same  ? Kind::broadcast
                                : writes ? Kind::gather
                                         : Kind::scatter,
                                access.file, access.part->array, access.part->partition, size};
        if (writes) {
            made.emplace_back(messages);
        }
        auto const is_one = how_.requests == GroupRequests::combined || !by.counts.empty() || by.same;
        auto const one = [&](std::optional<std::uint64_t> member) {
            auto request = access;
            request.ranks = roots(size, member.value_or(0));
            request.part->ranks_per_group = size;
            request.part->member = member;
            made.emplace_back(std::move(request));
        };
        if (is_one) {
            one({});
        }
        for (std::uint64_t member = 0; !is_one && member < std::min(size, pattern_.ranks); ++member) {
            one(member);
        }
        if (!writes) {
            made.emplace_back(messages);
        }
    }

    Pattern const& pattern_;
    Grouping const& how_;
    std::map<std::uint64_t, std::uint64_t> ranks_per_group_;  ///< by file, of its last open
};

}  // namespace

Pattern grouped(Pattern pattern, Grouping const& how) {
    validate(how.by == GroupBy::count, "the requests of groups by node are not known",
             "they depend on the ranks of each node in a launch", "Give the number of ranks of a group.");
    GroupLowering lowering(pattern, how);
    for (auto& phase : pattern.phases) {
        phase.steps = lowering.run(phase.steps);
    }
    resolve(pattern);
    validate_pattern(pattern);
    return pattern;
}

}  // namespace weir
