// All pieces of a rank as one request.

#include <algorithm>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "storage/transfer.hpp"

namespace weir {

void Transfer::run_pieces(TransferPlan const& plan) {
    auto pieces = plan.most.value_or(1) > 0 ? plan.pieces : std::span<Piece const>();
    attempt([&] { file_.begin_pieces(pieces); });
    pieces = failure_ ? std::span<Piece const>() : pieces;
    if (!pieces.empty() || plan.collective) {
        attempt([&] { request_pieces(plan, pieces, sum_of_lengths(pieces)); });
    }
    if (plan.access.sync_each) {
        attempt([&] { sync(); });
    }
    note_limit(plan, false);
}

void Transfer::request_pieces(TransferPlan const& plan, std::span<Piece const> pieces, std::uint64_t bytes) {
    Operation const whole{pieces.empty() ? 0 : pieces.front().offset, bytes, 0};
    auto const data = buffer_.first(bytes);
    auto const direction = plan.access.verb == Verb::write ? Direction::write : Direction::read;
    if (direction == Direction::write && plan.fills != nullptr) {
        fill_pieces(plan, pieces);
    }
    auto const began = meter_.begin();
    std::size_t got = bytes;
    if (direction == Direction::write) {
        file_.write_pieces(pieces, data);
    } else {
        got = file_.read_pieces(pieces, data);
    }
    if (bytes == 0) {
        return;
    }
    if (plan.access.verb != Verb::check && got < bytes) {
        refuse_short_read(plan, {whole, got});
    }
    meter_.end(began, direction, whole);
    if (plan.takes != nullptr) {
        take_pieces(plan, pieces, got);
    }
}

void Transfer::fill_pieces(TransferPlan const& plan, std::span<Piece const> pieces) {
    std::size_t at = 0;
    for (auto const& piece : pieces) {
        fill(plan, {piece.offset, piece.length, 0}, buffer_.subspan(at, piece.length));
        at += piece.length;
    }
}

void Transfer::take_pieces(TransferPlan const& plan, std::span<Piece const> pieces, std::size_t got) {
    std::size_t at = 0;
    for (auto const& piece : pieces) {
        auto const there = std::min<std::size_t>(piece.length, got - std::min(got, at));
        take(plan, {piece.offset, piece.length, 0}, buffer_.subspan(at, there));
        at += piece.length;
    }
}

}  // namespace weir
