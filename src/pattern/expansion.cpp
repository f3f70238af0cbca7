#include "pattern/expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/enum_names.hpp"
#include "pattern/file_pointers.hpp"
#include "pattern/loops.hpp"
#include "pattern/operations.hpp"

namespace weir {
namespace {

class Expander {
  public:
    Expander(Pattern const& pattern, Phase const& phase, Rank acting, FilePointers& pointers,
             std::function<void(Deed const&)> const& visit)
        : pattern_(pattern), phase_(phase), acting_(acting), pointers_(pointers), visit_(visit) {}

    void run() {
        std::uint64_t number = 0;
        each_step(phase_.steps, [&](Step const& step, Loops const&) { numbers_.emplace(&step, number++); });
        each_turn(phase_.steps, [&](Step const& step, Turns const& turns) {
            step_ = numbers_.at(&step);
            std::visit([&](auto const& one) { make(one, turns); }, step);
            return true;
        });
    }

  private:
    void make(Open const& open, Turns const& turns) {
        auto deed = on_file(open, turns, Action::open);
        deed.mode = open.mode;
        if (contains(open.ranks, acting_)) {
            pointers_.open(file_at(open, turns));
            visit_(deed);
        }
    }
    void make(Preallocate const& reserve, Turns const& turns) {
        auto deed = on_file(reserve, turns, Action::preallocate);
        deed.length = reserve.bytes;
        give(deed, reserve.ranks);
    }
    void make(Wait const& wait, Turns const& turns) { give(on_file(wait, turns, Action::wait), wait.ranks); }
    void make(Sync const& sync, Turns const& turns) { give(on_file(sync, turns, Action::sync), sync.ranks); }
    void make(Close const& close, Turns const& turns) { give(on_file(close, turns, Action::close), close.ranks); }
    void make(Compute const& compute, Turns const&) {
        give({.phase = phase_, .step = step_, .action = Action::compute, .time_s = compute.time.value}, compute.ranks);
    }
    void make(Barrier const& barrier, Turns const&) {
        give({.phase = phase_, .step = step_, .action = Action::barrier}, barrier.ranks);
    }
    void make(Repeat const&, Turns const&) {}
    void make(Seek const& seek, Turns const& turns) {
        auto deed = on_file(seek, turns, Action::seek);
        deed.offset = seek.to + static_cast<std::uint64_t>(displacement_at(seek.advance, turns));
        if (contains(seek.ranks, acting_)) {
            pointers_.seek(file_at(seek, turns), deed.offset);
            visit_(deed);
        }
    }
    void make(Rename const& rename, Turns const& turns) {
        auto deed = on_file(rename, turns, Action::rename);
        auto const target = file_name(pattern_.files.at(target_at(rename, turns)), acting_);
        deed.target = target;
        visit_(deed);
    }
    void make(Remove const& remove, Turns const& turns) { visit_(on_file(remove, turns, Action::remove)); }
    void make(Broadcast const& broadcast, Turns const&) {
        give(message(Action::broadcast, broadcast.bytes, Rank{broadcast.root}), broadcast.ranks);
    }
    void make(Send const& send, Turns const&) {
        auto const peer = [&](RankSet const& mine, RankSet const& others) {
            return Rank{others.first + mine.index_of(acting_) * others.step};
        };
        if (send.from.contains(acting_)) {
            visit_(message(Action::send, send.bytes, peer(send.from, send.to)));
        }
        if (send.to.contains(acting_)) {
            visit_(message(Action::receive, send.bytes, peer(send.to, send.from)));
        }
    }
    void make(InGroups const& messages, Turns const&) {
        auto const size = messages.ranks_per_group;
        Rank const root{acting_.value / size * size};
        auto const is_alone = size == 1 || root.value + 1 == pattern_.ranks;
        if (is_alone) {
            return;
        }
        if (messages.kind == InGroups::Kind::broadcast) {
            visit_(message(Action::broadcast, messages.bytes_of(acting_, pattern_.ranks), root));
            return;
        }
        auto const gathers = messages.kind == InGroups::Kind::gather;
        auto const tell = [&](Rank member, Rank peer) {
            auto const bytes = messages.bytes_of(member, pattern_.ranks);
            if (bytes > 0) {
                visit_(message(gathers == (member == acting_) ? Action::send : Action::receive, bytes, peer));
            }
        };
        if (acting_ != root) {
            tell(acting_, root);
            return;
        }
        for (auto rank = root.value + 1; rank < std::min(root.value + size, pattern_.ranks); ++rank) {
            tell(Rank{rank}, Rank{rank});
        }
    }
    void make(Move const& move, Turns const&) {
        auto const tell = [&](Action action, std::optional<Partition> const& mine,
                              std::optional<Partition> const& theirs) {
            for (auto const& other : in_common(move.what, mine, acting_.value, theirs, pattern_.ranks)) {
                if (other.rank != acting_.value) {
                    visit_(message(action, other.bytes, Rank{other.rank}));
                }
            }
        };
        tell(Action::send, move.by_from, move.by_to);
        // In a move from rank 0 only, all receive their parts; to rank 0, it receives theirs: the reverse.
        tell(Action::receive, move.by_to, move.by_from);
    }
    [[nodiscard]] Deed message(Action action, std::uint64_t bytes, Rank peer) const {
        return {.phase = phase_, .step = step_, .action = action, .length = bytes, .peer = peer};
    }

    void make(Access const& access, Turns const& turns) {
        if (!access.ranks.contains(acting_)) {
            return;
        }
        auto const now = at(access, turns);
        auto deed = on_file(access, turns, Action::write);
        auto sync = deed;
        sync.action = Action::sync;
        auto const request = [&](std::uint64_t offset, std::uint64_t length, bool reads) {
            deed.offset = offset;
            if (access.seeks && pointers_.seeks_before(now.file, offset, length)) {
                deed.action = Action::seek;
                deed.length = 0;
                visit_(deed);
            }
            deed.action = reads ? Action::read : Action::write;
            deed.length = length;
            visit_(deed);
        };
        if (access.list_io) {
            auto const pieces = list_io_pieces(now, acting_);
            for (auto const& piece : pieces) {
                request(piece.offset, piece.length, access.verb != Verb::write);
            }
            if (access.sync_each) {
                visit_(sync);
            }
            return;
        }
        Operations operations(now, acting_);
        std::uint64_t turn = 0;
        for (Operation operation; operations.next(operation); ++turn) {
            auto const reads = access.verb == Verb::mixed ? reads_at(access, turn) : access.verb != Verb::write;
            request(operation.offset, operation.length, reads);
            if (access.sync_each) {
                visit_(sync);
            }
        }
    }

    template <class OnFile>
    Deed on_file(OnFile const& step, Turns const& turns, Action action) {
        name_ = file_name(pattern_.files.at(file_at(step, turns)), acting_);
        return {.phase = phase_, .step = step_, .action = action, .file = name_};
    }

    void give(Deed const& deed, Ranks const& ranks) const {
        if (contains(ranks, acting_)) {
            visit_(deed);
        }
    }

    Pattern const& pattern_;
    Phase const& phase_;
    Rank acting_;
    FilePointers& pointers_;
    std::function<void(Deed const&)> const& visit_;
    std::unordered_map<Step const*, std::uint64_t> numbers_;
    std::uint64_t step_ = 0;
    std::string name_;
};

/// A CSV field: quoted if necessary.
std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (auto const c : text) {
        quoted.append(c == '"' ? 2 : 1, c);
    }
    return quoted + '"';
}

void append_line(std::string& out, Rank rank, Deed const& deed) {
    auto const moves = deed.action == Action::write || deed.action == Action::read;
    auto const message =
        deed.action == Action::broadcast || deed.action == Action::send || deed.action == Action::receive;
    out += fmt::format("{},{},{},{},{},", rank.value, csv_field(deed.phase.name), deed.step, to_text(deed.action),
                       csv_field(deed.file));
    if (moves || deed.action == Action::seek) {
        out += std::to_string(deed.offset);
    }
    out.push_back(',');
    if (moves || message || deed.action == Action::preallocate) {
        out += std::to_string(deed.length);
    }
    out.push_back(',');
    if (deed.action == Action::compute) {
        out += fmt::format("{}", deed.time_s);
    }
    out += fmt::format(",{},", deed.action == Action::open ? to_text(deed.mode) : "");
    if (message) {
        out += std::to_string(deed.peer.value);
    }
    out += fmt::format(",{}\n", csv_field(deed.target));
}

}  // namespace

void expand(Pattern const& pattern, Rank rank, std::function<void(Deed const&)> const& visit) {
    FilePointers pointers;
    for (auto const& phase : pattern.phases) {
        Expander(pattern, phase, acting_rank(phase.reorder, rank, pattern.ranks), pointers, visit).run();
    }
}

void expansion_csv(Pattern const& pattern, Rank rank, std::function<void(std::string_view)> const& write) {
    constexpr std::size_t enough = 64 << 10;
    std::string lines;
    expand(pattern, rank, [&](Deed const& deed) {
        append_line(lines, rank, deed);
        if (lines.size() >= enough) {
            write(lines);
            lines.clear();
        }
    });
    write(lines);
}

}  // namespace weir
