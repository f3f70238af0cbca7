#include <fmt/format.h>

#include <vector>

#include "core/error.hpp"
#include "pattern/pattern.hpp"

namespace weir {
namespace {

/// Walks through the steps of a pattern with the files that are open.
class Checker {
  public:
    explicit Checker(Pattern const& pattern) : pattern_(pattern), open_(pattern.files.size(), false) {}

    void check() {
        for (auto const& phase : pattern_.phases) {
            where_ = fmt::format("phase '{}'", phase.name);
            for (auto const& step : phase.steps) {
                std::visit([this](auto const& s) { check(s); }, step);
            }
        }
        for (std::size_t i = 0; i < open_.size(); ++i) {
            refuse_unless(!open_[i], fmt::format("file {} is never closed", i), "Add a close step.");
        }
    }

  private:
    void refuse_unless(bool ok, std::string reason, char const* suggestion) const {
        validate(ok, fmt::format("{} cannot be carried out", where_), std::move(reason), suggestion);
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
    void check(Preallocate const& preallocate) const { need_open(preallocate.file); }
    void check(Compute const& compute) const {
        refuse_unless(compute.time.value >= 0, "a time is below 0", "Give computing a time of 0 or more.");
    }

    void check(Access const& access) const {
        need_open(access.file);
        auto const& ranks = access.ranks;
        refuse_unless(ranks.count > 0 && ranks.step > 0, "a rank set is empty or has no step",
                      "Give count and step 1 or more.");
        refuse_unless(ranks.first + (ranks.count - 1) * ranks.step < pattern_.ranks,
                      fmt::format("a rank set goes beyond the {} ranks", pattern_.ranks), "Make it smaller.");
        refuse_unless(access.rank_levels.empty() || pieces(access.rank_levels) == ranks.count,
                      "the nest of ranks has not as many places as there are ranks", "Make their product equal.");
        refuse_unless(access.extent.length > 0, "an extent has length 0", "Give it a length of 1 byte or more.");
        for (auto const& level : access.extent.levels) {
            refuse_unless(level.count > 0, "a level has count 0", "Leave the access out instead.");
        }
    }

    void need_file(std::uint64_t file) const {
        refuse_unless(file < pattern_.files.size(), fmt::format("there is no file {}", file), "Add it to the files.");
    }

    void need_open(std::uint64_t file) const {
        need_file(file);
        refuse_unless(open_[file], fmt::format("file {} is not open", file), "Add an open step before it.");
    }

    Pattern const& pattern_;
    std::vector<bool> open_;
    std::string where_ = "the pattern";
};

}  // namespace

void validate_pattern(Pattern const& pattern) {
    validate(pattern.ranks > 0, "the pattern has no ranks", "ranks is 0", "Give it 1 rank or more.");
    Checker(pattern).check();
}

}  // namespace weir
