#include "pattern/check_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "pattern/loops.hpp"

namespace weir {
namespace {

void refuse_unless(bool ok, std::string reason, char const* suggestion) {
    if (!ok) {
        validate(ok, "the pattern cannot be carried out", std::move(reason), suggestion);
    }
}

/// Refuses arrays that overlap in the file.
void check_apart(File const& file) {
    std::vector<Array const*> stored;
    for (auto const& array : file.arrays) {
        if (array.offset && bytes_of(array) > 0) {
            stored.push_back(&array);
        }
    }
    std::ranges::sort(stored, {}, [](Array const* array) { return *array->offset; });
    for (std::size_t i = 1; i < stored.size(); ++i) {
        auto const& before = *stored[i - 1];
        refuse_unless(*before.offset + bytes_of(before) <= *stored[i]->offset,
                      fmt::format("arrays '{}' and '{}' of '{}' overlap", before.name, stored[i]->name, file.name),
                      "Give them offsets that are farther apart.");
    }
}

/// Refuses an attribute of nothing, and one of more than one dimension.
void check_attribute(File const& file, Array const& attribute) {
    auto const owns = [&](Array const& array) { return !array.attribute_of && array.name == *attribute.attribute_of; };
    auto const what = fmt::format("attribute '{}' of '{}'", attribute.name, file.name);
    refuse_unless(attribute.attribute_of->empty() || std::ranges::any_of(file.arrays, owns),
                  fmt::format("{} is of '{}', which is no array of it", what, *attribute.attribute_of),
                  "Name an array of the same file that is no attribute, or nothing: the file itself.");
    refuse_unless(attribute.shape.size() <= 1 && bytes_of(attribute) > 0,
                  what + " has more than one dimension, or no element", "Give it a shape of one number, or of none.");
}

/// Names between slashes: those of HDF5's groups, and the array's own. "." would be the group itself.
bool is_name(std::string const& name, bool of_attribute) {
    std::size_t from = 0;
    bool good = name.find('\0') == std::string::npos && (!of_attribute || name.find('/') == std::string::npos);
    while (good && from != std::string::npos) {
        auto const slash = name.find('/', from);
        auto const one = name.substr(from, slash - from);
        good = !one.empty() && one != "." && one != "..";
        from = slash == std::string::npos ? slash : slash + 1;
    }
    return good;
}

void check_array(File const& file, Array const& array) {
    refuse_unless(
        is_name(array.name, array.attribute_of.has_value()),
        fmt::format("'{}' of '{}' is no name of an array", array.name, file.name),
        "Give each array of a file its own name; slashes only between the names of groups, none in an attribute's.");
    if (auto const why = misfit(array.element)) {
        refuse_unless(false, fmt::format("the element of '{}' of '{}' cannot be: {}", array.name, file.name, *why),
                      "Correct its bytes, or its members.");
    }
    auto const why = misfit(array, {}, 1);
    refuse_unless(!why, why.value_or(""), "Make it smaller.");
}

void check_arrays(Pattern const& pattern) {
    for (auto const& file : pattern.files) {
        std::set<std::pair<std::optional<std::string>, std::string>> names;  // by what they are attributes of
        for (auto const& array : file.arrays) {
            check_array(file, array);
            refuse_unless(names.emplace(array.attribute_of, array.name).second,
                          fmt::format("'{}' of '{}' is the name of two arrays", array.name, file.name),
                          "Give each array of a file its own name, and each attribute of an array.");
            if (array.attribute_of) {
                check_attribute(file, array);
            }
        }
        check_apart(file);
        refuse_unless(file.arrays.empty() || file.dataset_bytes == 0,
                      fmt::format("'{}' has arrays and dataset_bytes", file.name), "Leave dataset_bytes out.");
    }
}

void check_names(Pattern const& pattern) {
    constexpr std::size_t longest_name = 200;  // file systems allow 255, and the rank's number and notes are appended
    constexpr std::size_t shown = 40;
    std::set<std::string> names;
    for (auto const& file : pattern.files) {
        auto const& name = file.name;
        refuse_unless(!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
                          name.find('\0') == std::string::npos,
                      fmt::format("'{}' is no plain file name", name), "Name files without directories.");
        refuse_unless(name.size() <= longest_name,
                      fmt::format("'{}...' has {} bytes", name.substr(0, shown), name.size()),
                      "Name files in 200 bytes at most: ranks and notes add to them.");
        refuse_unless(names.insert(name).second, fmt::format("two files are named '{}'", name),
                      "Give each its own name.");
    }
    // A shared "a.00000003" would be the same file as rank 3's own "a".
    for (auto const& file : pattern.files) {
        auto const dot = file.name.rfind('.');
        auto const is_rank = dot != std::string::npos && dot + 1 < file.name.size() &&
                             file.name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
        refuse_unless(!is_rank || !names.contains(file.name.substr(0, dot)),
                      fmt::format("'{}' is the name of one rank's '{}'", file.name, file.name.substr(0, dot)),
                      "Give each file its own name.");
    }
}

/// Does any of these steps advance to another file in each iteration of the repeat at this level?
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
    /// A file's ranks that have it open.
    struct RanksWithFile {
        Ranks ranks;
        Phase const* in;  ///< the phase that opened it
        bool collective;  ///< for collective accesses in later phases
        bool read_only;
        std::optional<IndexRange> makes;  ///< the only arrays that are accessed
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
        // The open files after an iteration depend only on its last opens and closes: a third would find the same as
        // the second.
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
        open_[file].push_back(
            {ranks, phase_, open.collective || phase_->collective, open.mode == OpenMode::read, open.makes});
    }

    void make(Close const& close) {
        auto const file = file_at(close, turns_);
        auto const ranks = canonical(close.ranks, pattern_.ranks);
        need_open(file, ranks);
        std::uint64_t closed = 0;
        std::erase_if(open_[file], [&](RanksWithFile const& opened) {
            auto const all = size_of(opened.ranks, pattern_.ranks);
            auto const whole = in_common(opened.ranks, ranks) == all;
            closed += whole ? all : 0;
            return whole;
        });
        refuse_unless(closed == size_of(ranks, pattern_.ranks),
                      fmt::format("file {} is not closed by the ranks that opened it", file),
                      "Give a close the ranks of its open, or of several complete ones.");
    }

    void make(Sync const& sync) const { need_open(file_at(sync, turns_), sync.ranks); }
    void make(Preallocate const& reserve) const {
        auto const file = file_at(reserve, turns_);
        need_open(file, reserve.ranks);
        for (auto const& opened : open_[file]) {
            refuse_unless(!opened.read_only || in_common(opened.ranks, sets_of(reserve.ranks)) == 0,
                          fmt::format("file {} gets space reserved, and was opened to be read", file),
                          "Open it with mode update, or create.");
        }
    }
    void make(Access const& access) const {
        auto const file = file_at(access, turns_);
        need_open(file, {access.ranks});
        for (auto const& opened : open_[file]) {
            auto const makes = opened.makes.value_or(IndexRange{});
            auto const array = access.part ? access.part->array : makes.first;
            refuse_unless(
                !opened.makes || !access.part || (array >= makes.first && array - makes.first < makes.count),
                fmt::format("array {} of file {} is not among those that it gets when it is opened", array, file),
                "Make it then, or open the file again without makes.");
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
    void make(InGroups const&) const {}
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

    /// The number of these ranks that have the file open.
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
    std::vector<std::vector<RanksWithFile>> open_;  ///< by file
    Turns turns_;
    std::uint64_t seen_ = 0;
};

}  // namespace

void check_files(Pattern const& pattern) {
    check_names(pattern);
    check_arrays(pattern);
}

void check_open_files(Pattern const& pattern) {
    OpenFiles files(pattern);
    for (auto const& phase : pattern.phases) {
        files.go_through(phase);
    }
    files.need_all_closed();
}

}  // namespace weir
