// All pieces of a rank as one request.

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "storage/engine/transfer.hpp"
#include "storage/request_interposer.hpp"

namespace weir {

/// For an array: none if the file takes the part as a section, and the contents do not depend on offsets.
std::vector<Piece> Transfer::pieces_of_part(TransferPlan const& plan) const {
    auto const placed =
        (plan.fills != nullptr && plan.fills->needs_pieces()) || (plan.takes != nullptr && plan.takes->needs_pieces());
    auto const mine = plan.access.part && plan.access.ranks.contains(plan.acting);
    return mine && (placed || !file_.takes_parts()) ? pieces_of_all(sections_of(plan.access, plan.acting))
                                                    : std::vector<Piece>();
}

/// Of this rank's, in the file. Refused (Error, usage) if they are several, and the file cannot take them as one
/// request.
void Transfer::find_parts(TransferPlan const& plan) {
    sections_.clear();
    if (!plan.access.ranks.contains(plan.acting)) {
        return;
    }
    sections_ = sections_of(plan.access, plan.acting);
    validate(sections_.size() == 1 || file_.takes_many_parts() || !file_.takes_parts(),
             fmt::format("'{}' cannot be accessed for several ranks at once", plan.file_name),
             "the back-end's calls for arrays take one part", "Make an access for each member of a group.");
}

void Transfer::run_pieces(TransferPlan const& plan) {
    auto const& part = plan.access.part;
    auto const together = plan.collective || (part && file_.moves_together(part->what));
    // For an array with collective access all parts are planned: a rank that has failed passes any data for its own.
    bool const planned = together && part;
    if (part) {
        attempt([&] { find_parts(plan); });
    }
    auto pieces = planned || plan.most.value_or(1) > 0 ? plan.pieces : std::span<Piece const>();
    attempt([&] { part ? file_.begin_part(request_of(plan, pieces)) : file_.begin_pieces(pieces); });
    auto const takes_part = planned || (!failure_ && plan.most.value_or(1) > 0);
    pieces = takes_part ? pieces : std::span<Piece const>();
    auto const bytes = !takes_part ? 0 : part ? volume(plan.access, plan.acting).bytes : sum_of_lengths(pieces);
    if (bytes > 0 || together) {
        attempt([&] { request_pieces(plan, pieces, bytes); });
    }
    if (plan.access.sync_each) {
        attempt([&] { sync(); });
    }
    note_limit(plan, false);
}

PartRequest Transfer::request_of(TransferPlan const& plan, std::span<Piece const> pieces) const {
    auto const& access = plan.access;
    PartRequest request{.of = *access.part, .ranks = access.ranks.count, .pieces = pieces};
    request.writes = access.verb == Verb::write;
    auto const own_numbers = plan.by_rank && access.part->ranks_per_group == 0;
    request.by_rank = own_numbers && comm_.size() == access.ranks.count;
    request.sharers = own_numbers && plan.by_all ? &access.ranks : nullptr;
    if (sections_.size() == 1) {
        request.section = sections_.front();
    } else {
        request.parts = sections_;
    }
    return request;
}

void Transfer::request_pieces(TransferPlan const& plan, std::span<Piece const> pieces, std::uint64_t bytes) {
    auto const begin = !pieces.empty()    ? pieces.front().offset
                       : plan.access.part ? plan.access.part->what.offset.value_or(0)
                                          : 0;
    Operation const whole{begin, bytes, 0};
    auto const data = memory_.next(bytes);
    auto const direction = plan.access.verb == Verb::write ? Direction::write : Direction::read;
    strided_.reset();
    if (bytes > 0 && direction == Direction::write && plan.fills != nullptr) {
        // If that fails, the others still wait for this rank's part of the request.
        attempt([&] { provide(plan, pieces, data); });
    }
    auto const began = meter_.begin();
    auto const got = move_timed(plan, pieces, direction, data);
    if (bytes == 0) {
        return;
    }
    if (plan.access.verb != Verb::check && got < bytes) {
        refuse_short_read(plan.file_name, {whole, got});
    }
    meter_.end(began, direction, whole);
    if (plan.spent != nullptr) {
        plan.spent->bytes += bytes;
    }
    if (direction == Direction::read && plan.takes != nullptr) {
        aside([&] { plan.takes->take_pieces(pieces, data.first(got)); });
    }
}

void Transfer::provide(TransferPlan const& plan, std::span<Piece const> pieces, std::span<std::byte> data) {
    strided_ = plan.access.part ? plan.fills->strided() : std::nullopt;
    if (strided_ && file_.takes_strided(plan.access.part->what, *strided_)) {
        return;
    }
    strided_.reset();
    auto const before_s = times_->stamp_s;
    aside([&] { plan.fills->fill_pieces(pieces, data); });
    if (plan.spent != nullptr) {
        plan.spent->pack.add({1, times_->stamp_s - before_s});
    }
}

std::size_t Transfer::move_timed(TransferPlan const& plan, std::span<Piece const> pieces, Direction direction,
                                 std::span<std::byte> data) {
    if (plan.spent == nullptr) {
        return move_pieces(plan, pieces, direction, data);
    }
    RequestWatch const watch(plan.spent->request, clock_);
    auto const began_s = clock_.now_s();
    auto const got = move_pieces(plan, pieces, direction, data);
    plan.spent->written().time_s += clock_.now_s() - began_s;
    return got;
}

std::size_t Transfer::move_pieces(TransferPlan const& plan, std::span<Piece const> pieces, Direction direction,
                                  std::span<std::byte> data) {
    if (plan.access.part) {
        auto request = request_of(plan, pieces);
        request.memory = strided_ ? &*strided_ : nullptr;
        if (direction == Direction::read) {
            return file_.read_part(request, data);
        }
        file_.write_part(request, data);
    } else if (direction == Direction::read) {
        return file_.read_pieces(pieces, data);
    } else {
        file_.write_pieces(pieces, data);
    }
    return data.size();
}

}  // namespace weir
