// A pattern at another number of ranks.
//
// Data displaced by rank is in blocks, `block` bytes from one rank's to the next: a distance shorter than a block is
// within one rank's part, and a multiple of the number of ranks spans all of them.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "pattern/loops.hpp"
#include "pattern/scale.hpp"

namespace weir {
namespace {

class Scaler {
  public:
    Scaler(Pattern const& pattern, std::uint64_t ranks)
        : from_(static_cast<std::int64_t>(pattern.ranks)),
          to_(static_cast<std::int64_t>(ranks)),
          weak_(pattern.scales == Scaling::weak),
          pattern_(pattern) {}

    Pattern run() {
        for (std::size_t i = 0; i < pattern_.files.size(); ++i) {
            where_ = fmt::format("file {}", i);
            auto& file = pattern_.files[i];
            file.dataset_bytes = size_of_file(file.dataset_bytes, file.per_rank);
        }
        for (auto& phase : pattern_.phases) {
            note_heads(phase.steps);
        }
        for (auto& phase : pattern_.phases) {
            where_ = fmt::format("phase '{}'", phase.name);
            go_through(phase.steps);
        }
        pattern_.ranks = static_cast<std::uint64_t>(to_);
        resolve(pattern_);
        validate_pattern(pattern_);
        return std::move(pattern_);
    }

  private:
    void refuse_unless(bool ok, std::string reason, std::string advice = "Replay it with as many.") const {
        validate(ok, fmt::format("{} cannot go from {} to {} ranks", where_, from_, to_), std::move(reason),
                 std::move(advice));
    }

    /// A value proportional to the number of ranks.
    [[nodiscard]] std::int64_t grown(std::int64_t value, char const* what) const {
        return exact(value, to_, from_, fmt::format("{} {} is no multiple of the ranks", what, value));
    }

    /// A rank's share of a constant total.
    [[nodiscard]] std::int64_t shared_out(std::int64_t value, char const* what) const {
        return exact(value, from_, to_, fmt::format("{} {} cannot be divided evenly", what, value));
    }

    [[nodiscard]] std::int64_t exact(std::int64_t value, std::int64_t times, std::int64_t by,
                                     std::string reason) const {
        __extension__ using Wide = __int128;
        auto const product = static_cast<Wide>(value) * times;
        // Each old rank has an equal part of a value that grows.
        refuse_unless(times == from_ ? product % by == 0 : value % by == 0, std::move(reason),
                      "Choose a multiple or a divisor of the ranks, or replay it with as many.");
        auto const result = product / by;
        refuse_unless(result <= INT64_MAX && result >= INT64_MIN, "it would be 2^63 bytes or more");
        return static_cast<std::int64_t>(result);
    }
    [[nodiscard]] std::uint64_t shared_out(std::uint64_t value, char const* what) const {
        return static_cast<std::uint64_t>(shared_out(static_cast<std::int64_t>(value), what));
    }

    /// A size that determines all bytes of a file.
    [[nodiscard]] std::uint64_t size_of_file(std::uint64_t bytes, bool per_rank) const {
        if (weak_ == per_rank) {
            return bytes;
        }
        return weak_ ? static_cast<std::uint64_t>(grown(static_cast<std::int64_t>(bytes), "a size of bytes"))
                     : shared_out(bytes, "a size of bytes");
    }

    void go_through(std::vector<Step>& steps) {
        std::erase_if(steps, [this](Step& step) { return to_ == 1 && is_of_others(step); });
        for (auto& step : steps) {
            std::visit([this](auto& one) { change(one); }, step);
        }
    }

    /// All ranks but rank 0.
    [[nodiscard]] static Ranks others(std::int64_t ranks) { return {{1, static_cast<std::uint64_t>(ranks) - 1, 1}}; }

    [[nodiscard]] bool are_others(Ranks const& ranks) const {
        return canonical(ranks, static_cast<std::uint64_t>(from_)) == others(from_);
    }

    /// Is it a step other than an access, of all ranks but rank 0? On one rank no rank makes it.
    [[nodiscard]] bool is_of_others(Step const& step) const {
        return std::visit(
            [this](auto const& one) {
                if constexpr (requires { are_others(one.ranks); }) {
                    return are_others(one.ranks);
                } else {
                    return false;
                }
            },
            step);
    }

    /// The start of the part of each file in which ranks are displaced.
    void note_heads(std::vector<Step> const& steps) {
        each_access(steps, [&](Access const& access, Loops const& loops) {
            if (!access.rank_levels.empty() && access.ranks.count > 1) {
                for (auto const& [file, ignored] : files_reached(access.file, access.file_advance, {}, loops)) {
                    auto const known = heads_.try_emplace(file, access.extent.start).first;
                    known->second = std::min(known->second, access.extent.start);
                }
            }
        });
    }

    /// Requires that rank 0's own accesses are in the part that does not move.
    void check_head(Access const& access) const {
        auto const head = heads_.find(access.file);
        refuse_unless(!weak_ || head == heads_.end() || (end_of(access) <= head->second && access.advance.empty()),
                      "rank 0 alone asks for what lies among the parts of all ranks");
    }

    void change(Repeat& repeat) { go_through(repeat.steps); }
    void change(Access& access);
    void change(Send&) { refuse_unless(false, "its messages are those of these ranks", "Replay it with as many."); }
    void change(InGroups&) { refuse_unless(false, "its groups are of these ranks", "Replay it with as many."); }
    void change(Move&);
    void change(Rename&) {}
    void change(Remove&) {}

    template <class Plain>
    void change(Plain& step) {
        if (are_others(step.ranks)) {
            step.ranks = others(to_);
        } else {
            step.ranks = canonical(step.ranks, static_cast<std::uint64_t>(from_));
            refuse_unless(step.ranks.empty() || step.ranks == Ranks{{0, 1, 1}}, "a step is made by some ranks only");
        }
        if constexpr (requires { step.to, step.file; }) {
            refuse_unless(!weak_ || step.to == 0, "it seeks to a byte whose place does not follow from the ranks");
        }
        if constexpr (requires { step.bytes, step.file; }) {
            step.bytes = size_of_file(step.bytes, pattern_.files[step.file].per_rank);
        }
    }

    /// A distance in a shared file. Weak: constant within a block, growing if it spans all ranks.
    [[nodiscard]] std::int64_t distance(std::int64_t bytes, std::int64_t block) const {
        return !weak_ || std::abs(bytes) < std::abs(block) ? bytes : grown(bytes, "a distance of bytes");
    }

    void change_part(Access&);
    void divide_anew(std::uint64_t partition);
    void change_displaced(Access&) const;
    void share_out_block(Access&) const;
    void change_undisplaced(Access&, bool per_rank) const;

    std::int64_t from_;
    std::int64_t to_;
    bool weak_;
    Pattern pattern_;
    std::map<std::uint64_t, std::uint64_t> heads_;  ///< by file, bytes
    std::string where_;
};

void Scaler::change(Access& access) {
    if (access.part) {
        change_part(access);
        return;
    }
    refuse_unless(access.lists.empty(), "its pieces are listed");
    if (access.ranks.count == 1 && access.ranks.first == 0 && from_ > 1) {
        check_head(access);
        return;
    }
    refuse_unless(canonical({access.ranks}, static_cast<std::uint64_t>(from_)).empty(),
                  "an access is made by some ranks only");
    access.ranks = {0, static_cast<std::uint64_t>(to_), 1};
    if (access.rank_levels.empty()) {
        change_undisplaced(access, pattern_.files[access.file].per_rank);
    } else {
        change_displaced(access);
    }
}

/// The array stays, and is partitioned again.
void Scaler::change_part(Access& access) {
    // A scalar, or an attribute, belongs to one rank, however many there are.
    auto const& what = access.part->what;
    if (access.ranks == RankSet{0, 1, 1} && (from_ > 1 || what.shape.empty() || what.attribute_of)) {
        return;
    }
    refuse_unless(canonical({access.ranks}, static_cast<std::uint64_t>(from_)).empty(),
                  "an access is made by some ranks only");
    divide_anew(access.part->partition);
    access.ranks = {0, static_cast<std::uint64_t>(to_), 1};
}

void Scaler::change(Move& move) {
    for (auto const& partition : {move.from, move.to}) {
        if (partition) {
            divide_anew(*partition);
        }
    }
}

/// An explicit grid for the old ranks is replaced by one as square as possible.
void Scaler::divide_anew(std::uint64_t partition) {
    refuse_unless(!weak_, "it asks for an array, whose size does not follow from the ranks");
    auto& by = pattern_.partitions[partition];
    refuse_unless(by.counts.empty(), "it divides an array by counts of these ranks");
    if (std::ranges::find(by.grid, 0U) == by.grid.end()) {
        by.grid.clear();
    }
}

/// Ranks with separate blocks in one file.
void Scaler::change_displaced(Access& access) const {
    refuse_unless(access.rank_levels.size() == 1, "its ranks are displaced in more than one level");
    auto& ranks = access.rank_levels.front();
    auto const block = ranks.stride;
    refuse_unless(block > 0, "its ranks are displaced backwards");
    ranks.count = static_cast<std::uint64_t>(to_);
    if (!weak_) {
        share_out_block(access);
        return;
    }
    access.extent.start = static_cast<std::uint64_t>(distance(static_cast<std::int64_t>(access.extent.start), block));
    for (auto& level : access.extent.levels) {
        level.stride = distance(level.stride, block);
    }
    for (auto& advance : access.advance) {
        advance = distance(advance, block);
    }
}

/// Strong: each rank has fewer or more pieces; with only one, a shorter or longer one.
void Scaler::share_out_block(Access& access) const {
    auto& extent = access.extent;
    auto& block = access.rank_levels.front().stride;
    auto const is_inside = [&](Level const& level) { return std::abs(level.stride) < block; };
    auto const inside = std::find_if(extent.levels.begin(), extent.levels.end(), is_inside);
    if (inside != extent.levels.end()) {
        inside->count = shared_out(inside->count, "a count of pieces");
        block = shared_out(block, "a block of bytes");
    } else if (!extent.levels.empty()) {
        auto& fastest = extent.levels.back();
        refuse_unless(fastest.stride == from_ * block,
                      fmt::format("the pieces of all ranks come every {} bytes, and take {} with what lies between "
                                  "ranks: other ranks' would lie on each other",
                                  fastest.stride, from_ * block));
        fastest.stride = grown(fastest.stride, "a stride of bytes");
        fastest.count = shared_out(fastest.count, "a count of pieces");
    } else {
        extent.length = shared_out(extent.length, "a length of bytes");
        block = shared_out(block, "a block of bytes");
    }
}

/// Files per rank, or a shared one that all ranks access alike.
void Scaler::change_undisplaced(Access& access, bool per_rank) const {
    auto& extent = access.extent;
    auto const drawn = draws(access.order.kind);
    if (weak_ && !per_rank && drawn) {
        refuse_unless(extent.levels.size() == 1, "pieces are drawn from more than one level");
        auto& count = extent.levels.front().count;
        count = static_cast<std::uint64_t>(grown(static_cast<std::int64_t>(count), "a count of pieces"));
    }
    if (weak_) {
        return;
    }
    if (drawn) {
        access.order.draws = shared_out(access.order.draws, "a count of draws");
    }
    if (!per_rank) {
        return;
    }
    extent.start = shared_out(extent.start, "a start");
    if (extent.levels.empty()) {
        extent.length = shared_out(extent.length, "a length of bytes");
    } else {
        extent.levels.front().count = shared_out(extent.levels.front().count, "a count of pieces");
    }
    for (auto& advance : access.advance) {
        advance = shared_out(advance, "an advance");
    }
}

}  // namespace

Pattern scaled(Pattern const& pattern, std::uint64_t ranks) {
    validate(ranks > 0, "a pattern cannot go to 0 ranks", "nobody would carry it out", "Give 1 rank or more.");
    if (ranks == pattern.ranks) {
        return pattern;
    }
    validate(pattern.scales != Scaling::none, fmt::format("the pattern is for {} ranks", pattern.ranks),
             fmt::format("{} were asked for, and it does not say how it scales", ranks),
             "Ask for as many, or write \"scales\": \"weak\" (each rank keeps its bytes) or \"strong\" (all together "
             "keep theirs) into the pattern.");
    return Scaler(pattern, ranks).run();
}

}  // namespace weir
