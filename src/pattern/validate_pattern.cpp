#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "pattern/pattern.hpp"

namespace weir {
namespace {

/// Wide enough for any sum or product of what a pattern holds, so that overflow is found and not met.
__extension__ using Wide = __int128;

constexpr Wide greatest_offset = (Wide{1} << 63) - 1;

/// The product of the counts, cut off above 2^63.
Wide places(std::vector<Level> const& levels) {
    Wide product = 1;
    for (auto const& level : levels) {
        product = std::min(product * static_cast<Wide>(level.count), greatest_offset + 1);
    }
    return product;
}

/// How far a nest reaches below (`least`) and above its start, cut off beyond 2^66.
struct Reach {
    Wide least = 0;
    Wide most = 0;

    void add(std::vector<Level> const& levels) {
        for (auto const& level : levels) {
            auto const span = static_cast<Wide>(level.count - 1) * level.stride;
            auto& side = span < 0 ? least : most;
            constexpr Wide far = greatest_offset * 8;
            side = std::max(-far, std::min(far, side + span));
        }
    }
};

/// Walks through the steps of a pattern with the files that are open.
class Checker {
  public:
    explicit Checker(Pattern const& pattern) : pattern_(pattern), open_(pattern.files.size(), false) {}

    void check() {
        check_names();
        for (auto const& phase : pattern_.phases) {
            where_ = fmt::format("phase '{}'", phase.name);
            phase_ = &phase;
            accesses_ = 0;
            check_limits(phase);
            for (auto const& step : phase.steps) {
                std::visit([this](auto const& s) { check(s); }, step);
            }
            for (std::size_t i = 0; i < open_.size(); ++i) {
                refuse_unless(!open_[i], fmt::format("file {} is still open at its end", i), "Add a close step.");
            }
            if (phase.time_limit.value > 0) {
                limited_[phase.name] = accesses_;
            }
            check_limited_by(phase);
        }
        refuse_unless(bytes_ <= greatest_offset, "it moves 2^63 bytes or more in all", "Make it smaller.");
    }

  private:
    void refuse_unless(bool ok, std::string reason, char const* suggestion) const {
        validate(ok, fmt::format("{} cannot be carried out", where_), std::move(reason), suggestion);
    }

    void check_names() const {
        std::set<std::string> names;
        for (auto const& file : pattern_.files) {
            auto const& name = file.name;
            refuse_unless(!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
                              name.find('\0') == std::string::npos,
                          fmt::format("'{}' is no plain file name", name), "Name files without directories.");
            refuse_unless(names.insert(name).second, fmt::format("two files are named '{}'", name),
                          "Give each its own name.");
        }
        // A shared "a.00000003" would be the same file as rank 3's own "a".
        for (auto const& file : pattern_.files) {
            auto const dot = file.name.rfind('.');
            auto const is_rank = dot != std::string::npos && dot + 1 < file.name.size() &&
                                 file.name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
            refuse_unless(!is_rank || !names.contains(file.name.substr(0, dot)),
                          fmt::format("'{}' is the name of one rank's '{}'", file.name, file.name.substr(0, dot)),
                          "Give each file its own name.");
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

    void check(Open const& open) {
        need_file(open.file);
        refuse_unless(!open_[open.file], fmt::format("file {} is open already", open.file), "Close it first.");
        open_[open.file] = true;
    }

    void check(Close const& close) {
        need_open(close.file);
        open_[close.file] = false;
    }

    void check(Sync const& sync) const { need_open(sync.file); }
    void check(Preallocate const& preallocate) const {
        need_open(preallocate.file);
        refuse_unless(static_cast<Wide>(preallocate.bytes) <= greatest_offset, "it reserves 2^63 bytes or more",
                      "Make it smaller.");
    }
    void check(Compute const& compute) const {
        refuse_unless(compute.time.value >= 0 && compute.time.value <= longest_s, "a computing time is out of range",
                      "Give 0 to 1,000,000 seconds.");
    }

    void check(Access const& access) {
        ++accesses_;
        need_open(access.file);
        refuse_unless(!phase_->collective || !pattern_.files[access.file].per_rank,
                      "a file of one process has nobody to be collective with",
                      "Share the file, or make the phase independent.");
        check_ranks(access);
        check_manner(access);
        if (access.lists.empty()) {
            check_extent(access);
            bytes_ += std::min(static_cast<Wide>(access.ranks.count) * pieces_of_rank(access), greatest_offset) *
                      static_cast<Wide>(access.extent.length);
        } else {
            check_lists(access);
        }
        bytes_ = std::min(bytes_, greatest_offset + 1);
    }

    static Wide pieces_of_rank(Access const& access) {
        return draws(access.order.kind) ? static_cast<Wide>(access.order.draws) : places(access.extent.levels);
    }

    void check_manner(Access const& access) const {
        constexpr std::uint64_t all = 100;
        refuse_unless(access.read_percent <= all, "more than 100 percent of its requests read", "Give 0 to 100.");
        refuse_unless(access.verb != Verb::mixed || !access.together, "requests of all pieces together cannot be mixed",
                      "Make two accesses.");
        refuse_unless(!access.together || !phase_->wear_out, "one request cannot wear out",
                      "Leave wear_out or together out.");
        refuse_unless(
            !access.together || access.order.kind == OrderKind::sequential || access.order.kind == OrderKind::dealt,
            "pieces that are one request have no order", "Make the order sequential.");
        refuse_unless(access.pace.think.value >= 0 && access.pace.think.value <= longest_s, "a pause is out of range",
                      "Give 0 to 1,000,000 seconds.");
    }

    void check_lists(Access const& access) {
        refuse_unless(!draws(access.order.kind), "pieces of a list cannot be drawn",
                      "Make the order sequential or shuffled.");
        refuse_unless(access.lists.ranks() == access.ranks.count,
                      fmt::format("it has {} lists for {} ranks", access.lists.ranks(), access.ranks.count),
                      "Give one list for each rank that takes part; it may be empty.");
        for (auto const& piece : access.lists.all()) {
            refuse_unless(piece.length > 0, "a listed piece has length 0", "Leave it out.");
            refuse_unless(static_cast<Wide>(piece.offset) + static_cast<Wide>(piece.length) <= greatest_offset,
                          "a listed piece lies beyond 2^63 bytes", "Make its offset smaller.");
            bytes_ = std::min(bytes_ + static_cast<Wide>(piece.length), greatest_offset + 1);
        }
    }

    void check_ranks(Access const& access) const {
        auto const& ranks = access.ranks;
        refuse_unless(ranks.count > 0 && ranks.step > 0, "a rank set is empty or has no step",
                      "Give count and step 1 or more.");
        auto const last =
            static_cast<Wide>(ranks.first) + static_cast<Wide>(ranks.count - 1) * static_cast<Wide>(ranks.step);
        refuse_unless(last < static_cast<Wide>(pattern_.ranks),
                      fmt::format("a rank set goes beyond the {} ranks", pattern_.ranks), "Make it smaller.");
        refuse_unless(access.rank_levels.empty() || places(access.rank_levels) == static_cast<Wide>(ranks.count),
                      "the nest of ranks has not as many places as there are ranks", "Make their product equal.");
    }

    void check_extent(Access const& access) const {
        auto const& extent = access.extent;
        refuse_unless(extent.length > 0, "an extent has length 0", "Give it a length of 1 byte or more.");
        for (auto const& level : extent.levels) {
            refuse_unless(level.count > 0, "a level has count 0", "Leave the access out instead.");
        }
        Reach reach;
        reach.add(access.rank_levels);
        reach.add(extent.levels);
        auto const start = static_cast<Wide>(extent.start);
        refuse_unless(start + reach.least >= 0, "an offset lies before the start of the file",
                      "Raise the extent's start.");
        refuse_unless(start + reach.most + static_cast<Wide>(extent.length) <= greatest_offset,
                      "an offset lies beyond 2^63 bytes", "Make the extent smaller.");
        refuse_unless(places(extent.levels) <= greatest_offset, "an extent has 2^63 pieces or more",
                      "Make it smaller.");
        if (access.order.kind == OrderKind::dealt) {
            refuse_unless(access.rank_levels.empty(), "ranks are displaced in an extent that is dealt to them",
                          "Leave rank_levels empty.");
            refuse_unless(
                static_cast<Wide>(access.ranks.count) * static_cast<Wide>(access.order.draws) <= places(extent.levels),
                "more pieces are dealt than its extent has", "Deal fewer to each rank.");
        }
    }

    void need_file(std::uint64_t file) const {
        refuse_unless(file < pattern_.files.size(), fmt::format("there is no file {}", file), "Add it to the files.");
    }

    void need_open(std::uint64_t file) const {
        need_file(file);
        refuse_unless(open_[file], fmt::format("file {} is not open", file),
                      "Add an open step before it, in the same phase.");
    }

    static constexpr double longest_s = 1e6;

    Pattern const& pattern_;
    Phase const* phase_ = nullptr;
    std::vector<bool> open_;
    std::map<std::string, std::size_t> limited_;  ///< accesses of each time-limited phase so far
    std::size_t accesses_ = 0;
    Wide bytes_ = 0;
    std::string where_ = "the pattern";
};

}  // namespace

void validate_pattern(Pattern const& pattern) {
    validate(pattern.ranks > 0, "the pattern has no ranks", "ranks is 0", "Give it 1 rank or more.");
    Checker(pattern).check();
}

}  // namespace weir
