#include "storage/grouped/grouped_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "comm/collective_error.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

/// What a member tells the others of its part.
struct SentSection {
    Section section;
    bool has_part = false;
};

/// Do all members ask for the same bytes?
bool are_same(std::vector<std::optional<Section>> const& parts) {
    return std::ranges::all_of(parts, [&](std::optional<Section> const& part) {
        return part && std::memcmp(&*part, &*parts.front(), sizeof(Section)) == 0;
    });
}

}  // namespace

GroupedFile::Parts GroupedFile::without_data(Parts parts) {
    std::ranges::fill(parts.of_member, std::nullopt);
    std::ranges::fill(parts.from, 0);
    parts.bytes = 0;
    return parts;
}

GroupedFile::GroupedFile(Backend& inner, OpenRequest const& request, Group& group, GroupRequests requests)
    : path_(request.path.string()),
      group_(group),
      requests_(requests),
      counter_(request.counter),
      collective_(request.collective) {
    auto of_roots = request;
    of_roots.comm = group.roots;
    of_roots.transfer_bytes *= group.largest;
    std::optional<Diagnosis> failure;
    if (is_root()) {
        keep_failure(failure, [&] { inner_ = inner.open(of_roots); });
    }
    agree(request.comm, failure);
    std::array<std::uint64_t, 2> of_inner{};
    if (inner_) {
        of_inner = {inner_->syncs_together() ? 1U : 0U, inner_->takes_parts() ? 0U : 1U};
    }
    group_.members.max(of_inner);
    inner_syncs_together_ = of_inner[0] != 0;
    may_end_early_ = of_inner[1] != 0;  // formats know their arrays' sizes
}

void GroupedFile::refuse() const {
    throw Error({fmt::format("'{}' cannot be accessed in groups of ranks", path_),
                 "groups share out the parts of arrays, and this access is to plain bytes",
                 "Leave the groups out, or take a pattern with arrays.", ExitCode::usage});
}

void GroupedFile::set_collective(bool collective) {
    collective_ = collective;
    if (inner_) {
        inner_->set_collective(collective);
    }
}

/// What each member asks for, told by it.
std::vector<std::optional<Section>> GroupedFile::gathered(PartRequest const& request) const {
    SentSection const mine{request.section.value_or(Section()), request.section.has_value()};
    std::vector<std::optional<Section>> sections;
    for (auto const& told : group_.members.all_gather(mine)) {
        sections.push_back(told.has_part ? std::optional(told.section) : std::nullopt);
    }
    return sections;
}

/// Without messages if the request tells which rank has which part.
GroupedFile::Parts GroupedFile::parts_of(PartRequest const& request) const {
    std::vector<std::optional<Section>> sections;
    if (request.sharers == nullptr) {
        sections = gathered(request);
    } else {
        for (auto const number : group_.numbers) {
            Rank const rank{number};
            sections.push_back(request.sharers->contains(rank)
                                   ? std::optional(part_of(request.of.what, request.of.by,
                                                           request.sharers->index_of(rank), request.ranks))
                                   : std::nullopt);
        }
    }
    Parts parts;
    for (auto const& section : sections) {
        auto const bytes = section ? section->bytes() : 0;
        parts.of_member.push_back(bytes > 0 ? section : std::nullopt);
        parts.from.push_back(parts.bytes);
        parts.bytes += bytes;
    }
    return parts;
}

/// Does a root make one request for all its members, if it can? Known to all ranks alike, as requests may be
/// collective.
bool GroupedFile::makes_one(PartRequest const& request) const {
    return requests_ == GroupRequests::combined || !request.of.by.counts.empty();
}

/// Memory for the data of all members, on the root. A failure is returned on all of them. Collective over the group.
std::optional<Diagnosis> GroupedFile::make_room(Parts const& parts) {
    auto& memory = *group_.memory;
    if (parts.bytes <= memory.bytes) {
        return {};
    }
    std::optional<Diagnosis> mine;
    if (is_root()) {
        keep_failure(mine, [&] {
            memory.room.reset();
            memory.in_order.reset();
            memory.room.emplace(parts.bytes);
            if (requests_ == GroupRequests::combined) {
                memory.in_order.emplace(parts.bytes);
            }
        });
    }
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { agree(group_.members, mine); });
    memory.bytes = failure ? 0 : parts.bytes;
    return failure;
}

std::span<std::byte> GroupedFile::room(Parts const& parts) {
    return is_root() && parts.bytes > 0 ? group_.memory->room->bytes().first(parts.bytes) : std::span<std::byte>();
}

/// Calls visit(partner, where the data begin in what this rank has, their number) for each rank that this one exchanges
/// data with: the members with parts, or the root.
template <class Visit>
void GroupedFile::each_partner(Parts const& parts, Visit visit) const {
    auto const me = group_.members.rank();
    if (!is_root()) {
        visit(std::uint64_t{0}, std::uint64_t{0}, parts.bytes_of(me));
        return;
    }
    for (std::size_t member = 1; member < parts.of_member.size(); ++member) {
        visit(member, parts.from[member], parts.bytes_of(member));
    }
}

/// Members' data to the root, and the root's own into place.
void GroupedFile::collect(Parts const& parts, std::span<std::byte const> mine, std::span<std::byte> all) const {
    Messages messages;
    if (is_root()) {
        std::ranges::copy(mine.first(parts.bytes_of(0)), all.begin());
    }
    each_partner(parts, [&](std::uint64_t partner, std::uint64_t at, std::uint64_t bytes) {
        is_root() ? messages.receive(partner, all.subspan(at, bytes)) : messages.send(partner, mine.first(bytes));
    });
    exchange(messages);
}

void GroupedFile::distribute(Parts const& parts, std::span<std::byte const> all, std::span<std::byte> mine) const {
    Messages messages;
    if (is_root()) {
        std::ranges::copy(all.first(parts.bytes_of(0)), mine.begin());
    }
    each_partner(parts, [&](std::uint64_t partner, std::uint64_t at, std::uint64_t bytes) {
        is_root() ? messages.send(partner, all.subspan(at, bytes)) : messages.receive(partner, mine.first(bytes));
    });
    exchange(messages);
}

void GroupedFile::exchange(Messages const& messages) const {
    auto const count = messages.outgoing.size() + messages.incoming.size();
    auto const began_s = counter_ != nullptr ? counter_->now_s() : 0;
    group_.members.exchange(messages.outgoing, messages.incoming);
    if (counter_ != nullptr && count > 0) {
        auto const took_s = counter_->now_s() - began_s;
        counter_->note_messages(count, took_s, took_s);
    }
}

/// The root's data to all members.
void GroupedFile::broadcast(std::span<std::byte> data) const {
    auto const began_s = counter_ != nullptr ? counter_->now_s() : 0;
    group_.members.broadcast(data);
    if (counter_ != nullptr && group_.members.size() > 1 && !data.empty()) {
        auto const took_s = counter_->now_s() - began_s;
        counter_->note_messages(1, took_s, took_s);
    }
}

/// One request of the root's for a part, or for none, in a collective access.
bool GroupedFile::move_part(PartRequest const& asked, std::optional<Section> const& part, std::span<std::byte> data) {
    PartRequest request{.of = asked.of, .ranks = asked.ranks, .section = part};
    request.writes = asked.writes;
    auto const pieces = part && !inner_->takes_parts() ? pieces_of(*part) : std::vector<Piece>();
    request.pieces = pieces;
    return move(request, data);
}

bool GroupedFile::move_combined(PartRequest const& asked, CombinedParts const& parts, std::span<std::byte> data) {
    PartRequest request{.of = asked.of, .ranks = asked.ranks};
    if (parts.boxes().size() == 1) {
        request.section = parts.boxes().front();
    } else {
        request.parts = parts.boxes();
    }
    request.pieces = inner_->takes_parts() ? std::span<Piece const>() : parts.pieces();
    request.writes = asked.writes;
    return move(request, data);
}

/// True unless the file ends before the request does.
bool GroupedFile::move(PartRequest const& request, std::span<std::byte> data) {
    inner_->begin_part(request);
    if (data.empty() && !collective_ && !inner_->moves_together(request.of.what)) {
        return true;
    }
    if (request.writes) {
        inner_->write_part(request, data);
        return true;
    }
    return inner_->read_part(request, data) == data.size();
}

CombinedParts const& GroupedFile::combined(Parts const& parts) {
    std::vector<Section> sections;
    for (auto const& part : parts.of_member) {
        if (part) {
            sections.push_back(*part);
        }
    }
    auto& plans = group_.memory->plans;
    auto const is_for_them = [&](CombinedParts const& plan) {
        return plan.parts().size() == sections.size() &&
               std::memcmp(plan.parts().data(), sections.data(), sections.size() * sizeof(Section)) == 0;
    };
    auto const known = std::ranges::find_if(plans, is_for_them);
    if (known != plans.end()) {
        return *known;
    }
    if (plans.size() == GroupMemory::most_plans) {
        plans.pop_front();
    }
    return plans.emplace_back(std::move(sections));
}

/// The parts of all members as one request, and in the file's order.
bool GroupedFile::move_packed(PartRequest const& request, CombinedParts const& plan, std::span<std::byte> data) {
    auto& in_order = group_.memory->in_order;
    auto const packed = in_order ? in_order->bytes().first(plan.bytes()) : std::span<std::byte>();
    if (request.writes) {
        plan.pack(data, packed);
    }
    auto const whole = move_combined(request, plan, packed);
    if (!request.writes) {
        plan.unpack(packed, data);
    }
    return whole;
}

/// The root's requests for all its members; `data` are theirs, one after the other. False if the file ends before.
bool GroupedFile::move_all(PartRequest const& request, Parts const& parts, std::span<std::byte> data) {
    if (inner_->moves_together(request.of.what)) {
        return move_part(request, parts.of_member.front(), data);
    }
    if (makes_one(request) && (!inner_->takes_parts() || inner_->takes_many_parts())) {
        auto const& plan = combined(parts);
        auto const is_in_order = !request.of.by.counts.empty() || parts.of_member.size() == 1;
        return is_in_order ? move_combined(request, plan, data) : move_packed(request, plan, data);
    }
    // All roots prepare the same number of requests, which may be collective, also if one has failed.
    std::optional<Diagnosis> failure;
    bool whole = true;
    for (std::size_t member = 0; member < group_.largest; ++member) {
        auto const part = member < parts.of_member.size() ? parts.of_member[member] : std::nullopt;
        auto const bytes = part ? data.subspan(parts.from[member], part->bytes()) : std::span<std::byte>();
        keep_failure(failure, [&] { whole = move_part(request, part, bytes) && whole; });
    }
    throw_kept(failure);
    return whole;
}

void GroupedFile::write_part(PartRequest const& request, std::span<std::byte const> data) {
    auto parts = parts_of(request);
    auto failure = make_room(parts);
    if (failure) {
        parts = without_data(parts);  // other groups' requests may be collective
    }
    auto const all = room(parts);
    collect(parts, data, all);
    if (inner_) {
        keep_failure(failure, [&] { move_all(request, parts, all); });
    }
    throw_kept(failure);
}

std::size_t GroupedFile::read_part(PartRequest const& request, std::span<std::byte> data) {
    auto parts = parts_of(request);
    std::optional<Diagnosis> failure;
    std::uint64_t whole = 1;
    if (are_same(parts.of_member)) {
        Parts const once{{parts.of_member.front()}, {0}, data.size()};
        if (inner_) {
            keep_failure(failure, [&] { whole = move_all(request, once, data) ? 1 : 0; });
        }
        broadcast(data);
    } else {
        failure = make_room(parts);
        if (failure) {
            parts = without_data(parts);
        }
        auto const all = room(parts);
        if (inner_) {
            keep_failure(failure, [&] { whole = move_all(request, parts, all) ? 1 : 0; });
        }
        distribute(parts, all, data);
    }
    if (may_end_early_) {
        group_.members.broadcast(std::as_writable_bytes(std::span(&whole, 1)));
    }
    throw_kept(failure);
    return whole != 0 ? data.size() : 0;
}

void GroupedFile::preallocate(std::uint64_t bytes) {
    if (inner_) {
        inner_->preallocate(bytes);
    }
}

void GroupedFile::sync() {
    if (inner_) {
        inner_->sync();
    }
}

void GroupedFile::close() {
    if (inner_) {
        inner_->close();
    }
}

Hints GroupedFile::hints() const { return inner_ ? inner_->hints() : Hints{}; }

}  // namespace weir
