#include "pattern/open_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "pattern/loops.hpp"

namespace weir {
namespace {

/// Does anything in these steps go on to another file with each turn of the repeat at this level?
bool changes_files(std::vector<Step> const& steps, std::size_t level) {
    bool changes = false;
    each_step(steps, [&](Step const& step, Loops const&) {
        std::visit(
            [&](auto const& one) {
                if constexpr (requires { one.file_advance; }) {
                    changes = changes || (one.file_advance.size() > level && one.file_advance[level] != 0);
                }
            },
            step);
    });
    return changes;
}

bool writes(Access const& access) { return access.verb == Verb::write || access.verb == Verb::mixed; }

class OpenFiles {
  public:
    explicit OpenFiles(Pattern const& pattern) : pattern_(pattern), open_(pattern.files.size()) {}

    void go_through(Phase const& phase) {
        phase_ = &phase;
        for (std::size_t file = 0; file < open_.size(); ++file) {
            for (auto const& opened : open_[file]) {
                refuse_unless(opened.in->reorder == phase.reorder,
                              fmt::format("its ranks do other parts than those for which file {} is open", file),
                              "Close it before, and open it again.");
            }
        }
        go_through(phase.steps);
    }

    void need_all_closed() const {
        for (std::size_t file = 0; file < open_.size(); ++file) {
            refuse_unless(open_[file].empty(), fmt::format("file {} is still open at its end", file),
                          "Add a close step, in this phase or a later one.");
        }
    }

  private:
    /// By ranks that have a file open.
    struct Opened {
        Ranks ranks;
        Phase const* in;  ///< which phase opened it
        bool collective;  ///< for accesses of later phases that are
        bool read_only;
    };

    void refuse_unless(bool ok, std::string reason, char const* suggestion) const {
        if (!ok) {
            validate(ok, fmt::format("phase '{}' cannot be carried out", phase_->name), std::move(reason), suggestion);
        }
    }

    void go_through(std::vector<Step> const& steps) {
        for (auto const& step : steps) {
            std::visit([this](auto const& one) { make(one); }, step);
        }
    }

    void make(Repeat const& repeat) {
        constexpr std::uint64_t most = 1'000'000;
        auto const level = turns_.size();
        // What is open after a turn depends on its last opens and closes alone: a third would find what the second did.
        auto const count = changes_files(repeat.steps, level) ? repeat.count : std::min<std::uint64_t>(2, repeat.count);
        turns_.push_back(0);
        for (; turns_[level] < count; ++turns_[level]) {
            refuse_unless(++seen_ <= most, "its repeats go through files more than a million times",
                          "Make them several phases.");
            go_through(repeat.steps);
        }
        turns_.pop_back();
    }

    void make(Open const& open) {
        auto const file = file_at(open, turns_);
        auto const ranks = canonical(open.ranks, pattern_.ranks);
        refuse_unless(in_common(file, ranks) == 0, fmt::format("file {} is open already", file), "Close it first.");
        open_[file].push_back({ranks, phase_, open.collective || phase_->collective, open.mode == OpenMode::read});
    }

    void make(Close const& close) {
        auto const file = file_at(close, turns_);
        auto const ranks = canonical(close.ranks, pattern_.ranks);
        need_open(file, ranks);
        std::uint64_t closed = 0;
        std::erase_if(open_[file], [&](Opened const& opened) {
            auto const all = size_of(opened.ranks, pattern_.ranks);
            auto const whole = in_common(opened.ranks, ranks) == all;
            closed += whole ? all : 0;
            return whole;
        });
        refuse_unless(closed == size_of(ranks, pattern_.ranks),
                      fmt::format("file {} is not closed by the ranks that opened it", file),
                      "Give a close the ranks of its open, or of several whole ones.");
    }

    void make(Sync const& sync) const { need_open(file_at(sync, turns_), sync.ranks); }
    void make(Preallocate const& reserve) const { need_open(file_at(reserve, turns_), reserve.ranks); }
    void make(Access const& access) const {
        auto const file = file_at(access, turns_);
        need_open(file, {access.ranks});
        for (auto const& opened : open_[file]) {
            refuse_unless(!opened.read_only || !writes(access) || in_common(opened.ranks, {access.ranks}) == 0,
                          fmt::format("file {} is written, and was opened to be read", file),
                          "Open it with mode update, or create.");
            refuse_unless(
                !phase_->is_collective(access) || opened.in == phase_ || opened.collective,
                fmt::format("phase '{}' has not opened file {} for collective accesses", opened.in->name, file),
                "Set collective in that open step.");
        }
    }
    void make(Wait const& wait) const { need_open(file_at(wait, turns_), wait.ranks); }
    void make(Seek const& seek) const { need_open(file_at(seek, turns_), seek.ranks); }
    void make(Rename const& rename) const {
        auto const target = target_at(rename, turns_);
        refuse_unless(target != file_at(rename, turns_), fmt::format("file {} would take its own place", target),
                      "Name another file.");
        need_closed(file_at(rename, turns_));
        need_closed(target);
    }
    void make(Remove const& remove) const { need_closed(file_at(remove, turns_)); }
    void make(Broadcast const&) const {}
    void make(Send const&) const {}
    void make(Move const&) const {}
    void make(Compute const&) const {}
    void make(Barrier const&) const {}

    void need_closed(std::uint64_t file) const {
        refuse_unless(open_[file].empty(), fmt::format("file {} is open", file), "Close it before.");
    }

    void need_open(std::uint64_t file, Ranks const& ranks) const {
        auto const missing = size_of(ranks, pattern_.ranks) - in_common(file, ranks);
        refuse_unless(missing == 0,
                      open_[file].empty() ? fmt::format("file {} is not open", file)
                                          : fmt::format("file {} is not open on {} of the ranks", file, missing),
                      "Add an open step before it.");
    }

    /// How many of these ranks have the file open.
    [[nodiscard]] std::uint64_t in_common(std::uint64_t file, Ranks const& ranks) const {
        std::uint64_t sum = 0;
        for (auto const& opened : open_[file]) {
            sum += in_common(opened.ranks, ranks);
        }
        return sum;
    }
    [[nodiscard]] std::uint64_t in_common(Ranks const& some, Ranks const& others) const {
        std::uint64_t sum = 0;
        for (auto const& a : sets_of(some)) {
            for (auto const& b : sets_of(others)) {
                sum += common(a, b);
            }
        }
        return sum;
    }

    [[nodiscard]] Ranks sets_of(Ranks const& ranks) const {
        return ranks.empty() ? Ranks{{0, pattern_.ranks, 1}} : ranks;
    }

    Pattern const& pattern_;
    Phase const* phase_ = nullptr;
    std::vector<std::vector<Opened>> open_;  ///< by file
    Turns turns_;
    std::uint64_t seen_ = 0;
};

}  // namespace

void check_open_files(Pattern const& pattern) {
    OpenFiles files(pattern);
    for (auto const& phase : pattern.phases) {
        files.go_through(phase);
    }
    files.need_all_closed();
}

}  // namespace weir
