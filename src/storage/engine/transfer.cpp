#include "storage/engine/transfer.hpp"

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// The direction of the request at this iteration of an access.
Direction direction_of(Access const& access, std::uint64_t turn) {
    if (access.verb == Verb::mixed) {
        return reads_at(access, turn) ? Direction::read : Direction::write;
    }
    return access.verb == Verb::write ? Direction::write : Direction::read;
}

}  // namespace

void Transfer::run(TransferPlan const& asked, RankTimes& times) {
    auto plan = asked;
    std::vector<Piece> pieces;
    if (plan.access.part) {
        pieces = pieces_of_part(plan);  // not part of the measured time
        plan.pieces = pieces;
    }
    times_ = &times;
    meter_.begin_access(plan.mean_bytes);
    failure_.reset();
    auto const aside = [&] { return times.sync_s + times.stamp_s + times.pause_s; };
    auto const aside_before = aside();
    start_s_ = clock_.now_s();
    if (plan.access.list_io) {
        run_pieces(plan);
    } else {
        Operations operations(plan.access, plan.acting);
        if (plan.most) {
            operations.limit(*plan.most);
        }
        attempt([&] { file_.begin(plan.access, plan.acting); });
        if (plan.collective || (plan.access.sync_each && file_.syncs_together())) {
            run_in_step(plan, operations);
        } else {
            run_alone(plan, operations);
        }
    }
    times.transfer_s += clock_.now_s() - start_s_ - (aside() - aside_before);
    meter_.end_access();
    throw_kept(failure_);
}

void Transfer::request_until(std::optional<double> deadline_s, TransferPlan const& plan, Operations& operations) {
    attempt([&] {
        while (!failure_ && meter_.made() < operations.count()) {
            keep_pace(plan, deadline_s);
            throw_if_interrupted();
            Operation operation;
            if (late(deadline_s) || !operations.next(operation)) {
                return;
            }
            request(plan, operation, direction_of(plan.access, meter_.made()));
            if (plan.access.sync_each) {
                sync();
            }
        }
    });
}

void Transfer::run_alone(TransferPlan const& plan, Operations& operations) {
    auto const& access = plan.access;
    auto const unbroken =
        !access.sync_each && !plan.deadline_s && !access.pace.is_set() && access.verb != Verb::mixed && !failure_;
    if (unbroken && plan.fills == nullptr && plan.takes == nullptr) {
        // Every call, and every return that follows a system call, would be measured as the file system's.
        attempt([&] { request_all(plan, operations); });
    } else if (unbroken && comes_in_batches(plan)) {
        attempt([&] { request_batches(plan, operations); });
    } else {
        request_until(plan.deadline_s, plan, operations);
    }
    note_limit(plan, meter_.made() < operations.count());
    if (plan.wear_out) {
        wear_out(plan, operations);
    }
}

void Transfer::note_limit(TransferPlan const& plan, bool more) {
    if (plan.deadline_s) {
        times_->requests_at_limit += meter_.made();
        times_->bytes_at_limit += meter_.access_bytes();
        times_->limit_reached |= more && late(plan.deadline_s) ? 1U : 0U;
    }
}

void Transfer::wear_out(TransferPlan const& plan, Operations& operations) {
    // Every rank gets here, failed or not: the others wait for its number of requests.
    auto const most = comm_.max(meter_.made());
    operations.limit(most);
    request_until(plan.tail_deadline_s, plan, operations);
    if (!failure_ && meter_.made() < std::min(most, operations.count())) {
        times_->tail_cut = 1;
    }
}

void Transfer::request_all(TransferPlan const& plan, Operations& operations) {
    if (plan.access.verb == Verb::write) {
        file_.write_all(operations, memory_, meter_);
        return;
    }
    try {
        file_.read_all(operations, memory_, meter_);
    } catch (ShortRead const& read) {
        refuse_short_read(plan.file_name, read);
    }
}

std::uint64_t Transfer::rounds_between_questions(TransferPlan const& plan) const {
    // Often enough to stop soon, seldom enough not to affect the measurement.
    constexpr std::uint64_t most = 64;
    constexpr std::uint64_t bytes_between = 64ULL << 20;
    auto const length = std::max<std::uint64_t>(1, plan.mean_bytes);
    auto const own = plan.deadline_s || plan.access.pace.is_set() ? 1 : std::clamp(bytes_between / length, 1UL, most);
    // Must be the same on all ranks: the minimum, since the rank with the shortest requests may have a longer interval.
    return most + 1 - comm_.max(most + 1 - own);
}

void Transfer::run_in_step(TransferPlan const& plan, Operations& operations) {
    auto const between_questions = rounds_between_questions(plan);
    auto const rounds = comm_.max(operations.count());
    auto const stops = [&] { return failure_ || late(plan.deadline_s) || stop_requested; };
    for (std::uint64_t round = 0; round < rounds; ++round) {
        keep_pace(plan, plan.deadline_s);
        // All must stop at the same request; a rank that is to stop continues its calls until they do.
        if (round % between_questions == 0 && any(comm_, stops())) {
            break;
        }
        Operation operation;
        auto const mine = !failure_ && operations.next(operation);
        auto const direction = direction_of(plan.access, round);
        attempt([&] { mine ? request(plan, operation, direction) : take_part(plan, operation, direction); });
        if (plan.access.sync_each) {
            attempt([&] { sync(); });
        }
    }
    attempt([] { throw_if_interrupted(); });
    note_limit(plan, meter_.made() < operations.count());
}

void Transfer::request(TransferPlan const& plan, Operation const& operation, Direction direction) {
    if (direction == Direction::write) {
        write(plan, operation);
    } else {
        read(plan, operation);
    }
}

void Transfer::keep_pace(TransferPlan const& plan, std::optional<double> until) {
    auto const& pace = plan.access.pace;
    if (!pace.is_set()) {
        return;
    }
    auto const now = clock_.now_s();
    auto next = meter_.made() == 0 ? now : now + pace.think.value;
    if (pace.most_per_second.value > 0) {
        auto const moved = static_cast<double>(meter_.access_bytes());
        next = std::max(next, start_s_ + moved / static_cast<double>(pace.most_per_second.value));
    }
    if (until && next > *until) {
        constexpr double just_late = 1e-6;
        next = *until + just_late;
    }
    if (next > now) {
        clock_.sleep(Seconds{next - now});
        times_->pause_s += clock_.now_s() - now;
    }
}

void Transfer::write(TransferPlan const& plan, Operation const& operation) {
    auto const data = memory_.next(operation.length);
    if (plan.fills != nullptr) {
        attempt([&] { fill(plan, operation, data); });
        if (failure_) {
            take_part(plan, operation, Direction::write);
            return;
        }
    }
    auto const began = meter_.begin();
    file_.write(operation, data);
    meter_.end(began, Direction::write, operation);
}

void Transfer::read(TransferPlan const& plan, Operation const& operation) {
    auto const data = memory_.next(operation.length);
    auto const began = meter_.begin();
    auto const got = file_.read(operation, data);
    if (plan.access.verb != Verb::check && got < operation.length) [[unlikely]] {
        refuse_short_read(plan.file_name, {operation, got});
    }
    meter_.end(began, Direction::read, operation);
    if (plan.takes != nullptr) {
        take(plan, operation, data.first(got));
    }
}

void Transfer::take_part(TransferPlan const& plan, Operation const& operation, Direction direction) {
    if (!plan.collective) {
        return;
    }
    if (direction == Direction::write) {
        file_.write(operation, {});
    } else {
        file_.read(operation, {});
    }
}

void Transfer::sync() {
    auto const start = clock_.now_s();
    file_.sync();
    times_->sync_s += clock_.now_s() - start;
}

void Transfer::fill(TransferPlan const& plan, Operation const& operation, std::span<std::byte> data) {
    aside([&] { plan.fills->fill(operation, data); });
}

void Transfer::take(TransferPlan const& plan, Operation const& operation, std::span<std::byte const> found) {
    aside([&] { plan.takes->take(operation, found); });
}

}  // namespace weir
