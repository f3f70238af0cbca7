#include "storage/transfer.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace weir {

template <class Work>
void Transfer::attempt(Work work) {
    try {
        work();
    } catch (Error const& error) {
        failure_ = failure_ ? failure_ : error.diagnosis();
    }
}

template <class Condition>
void Transfer::request_while(Condition condition, TransferPlan const& plan, Operations& operations) {
    attempt([&] {
        for (Operation operation; !failure_ && condition() && operations.next(operation);) {
            request(plan, operation);
            if (plan.access.sync_each) {
                sync();
            }
        }
    });
}

bool Transfer::late(TransferPlan const& plan) const { return plan.deadline_s && clock_.now_s() > *plan.deadline_s; }

void Transfer::request(TransferPlan const& plan, Operation const& operation) {
    throw_if_interrupted();
    if (plan.access.verb == Verb::write) {
        write(plan, operation);
    } else {
        read(plan, operation);
    }
}

void Transfer::write(TransferPlan const& plan, Operation const& operation) {
    auto const data = buffer_.first(operation.length);
    if (plan.stamp) {
        auto const start = clock_.now_s();
        plan.stamp->fill(data, operation.offset);
        times_->stamp_s += clock_.now_s() - start;
    }
    auto const began = meter_.begin();
    file_.write(operation, data);
    meter_.end(began, Direction::write, operation);
}

void Transfer::read(TransferPlan const& plan, Operation const& operation) {
    auto const began = meter_.begin();
    auto const got = file_.read(operation, buffer_.first(operation.length));
    if (plan.access.verb != Verb::check && got < operation.length) [[unlikely]] {
        refuse_short_read(plan, {operation, got});
    }
    meter_.end(began, Direction::read, operation);
    if (plan.access.verb == Verb::check) {
        check(plan, operation, got);
    }
}

void Transfer::refuse_short_read(TransferPlan const& plan, ShortRead const& read) {
    throw Error({fmt::format("only {} of {} bytes could be read from '{}' at offset {}", read.got,
                             read.operation.length, plan.file_name, read.operation.offset),
                 "the file is shorter than this case reads", "Write it first, with the same shape.",
                 ExitCode::cannot_run});
}

void Transfer::sync() {
    auto const start = clock_.now_s();
    file_.sync();
    times_->sync_s += clock_.now_s() - start;
}

void Transfer::run(TransferPlan const& plan, RankTimes& times, WrongWords& words) {
    times_ = &times;
    words_ = &words;
    meter_.begin_access(plan.access.extent.length);
    failure_.reset();
    Operations operations(plan.access, plan.acting);
    if (plan.most) {
        operations.limit(*plan.most);
    }
    auto const start = clock_.now_s();
    auto const aside = times.sync_s + times.stamp_s;
    attempt([&] { file_.begin(plan.access, plan.acting); });
    if (plan.collective || (plan.access.sync_each && file_.syncs_together())) {
        run_in_step(plan, operations);
    } else {
        run_alone(plan, operations);
    }
    times.transfer_s += clock_.now_s() - start - (times.sync_s + times.stamp_s - aside);
    meter_.end_access();
    if (failure_) {
        throw Error(*failure_);
    }
}

void Transfer::run_alone(TransferPlan const& plan, Operations& operations) {
    auto const plain = !plan.stamp && !plan.access.sync_each && !plan.deadline_s && plan.access.verb != Verb::check;
    if (plain && !failure_) {
        // Every call, and every return that follows a system call, would be measured as the file system's.
        attempt([&] { request_all(plan, operations); });
    } else {
        request_while([&] { return !late(plan); }, plan, operations);
    }
    if (plan.wear_out) {
        // Every rank comes here, failed or not: the others wait to hear how many requests it made.
        operations.limit(comm_.max(meter_.made()));
        request_while([] { return true; }, plan, operations);
    }
}

void Transfer::request_all(TransferPlan const& plan, Operations& operations) {
    if (plan.access.verb == Verb::write) {
        file_.write_all(operations, buffer_, meter_);
        return;
    }
    try {
        file_.read_all(operations, buffer_, meter_);
    } catch (ShortRead const& read) {
        refuse_short_read(plan, read);
    }
}

void Transfer::run_in_step(TransferPlan const& plan, Operations& operations) {
    // How often ranks ask each other whether to give up: often enough to stop soon, too seldom to be felt.
    constexpr std::uint64_t between_questions = 64;
    auto const rounds = comm_.max(operations.count());
    for (std::uint64_t round = 0; round < rounds; ++round) {
        // All must stop at the same request.
        auto const asks = plan.deadline_s || round % between_questions == 0;
        if (asks && comm_.max(std::uint64_t{late(plan) || failure_ ? 1U : 0U}) != 0) {
            break;
        }
        Operation operation;
        auto const mine = !failure_ && operations.next(operation);
        attempt([&] { mine ? request(plan, operation) : take_part(plan, operation); });
        if (plan.access.sync_each) {
            attempt([&] { sync(); });
        }
    }
}

void Transfer::take_part(TransferPlan const& plan, Operation const& operation) {
    if (!plan.collective) {
        return;
    }
    if (plan.access.verb == Verb::write) {
        file_.write(operation, {});
    } else {
        file_.read(operation, {});
    }
}

void Transfer::check(TransferPlan const& plan, Operation const& operation, std::size_t got) {
    expect(plan.stamp.has_value(), "checking needs to know what was written");
    constexpr std::size_t word = 8;
    auto const start = clock_.now_s();
    auto const whole = got - got % word;
    auto const differences = plan.stamp->compare(buffer_.first(whole), operation.offset);
    WrongWords words;
    words.checked = operation.length / word;
    words.missing = words.checked - whole / word;
    words.wrong = differences.wrong + words.missing;
    words.file = plan.access.file;
    words.owner = plan.acting.value;
    words.first_is_missing = differences.wrong == 0;
    auto const first = differences.wrong > 0 ? differences.first_index : (operation.offset + whole) / word;
    words.offset = first * word;
    words.expected = plan.stamp->word(first);
    words.found = differences.wrong > 0 ? differences.found : 0;
    words_->add(words);
    times_->stamp_s += clock_.now_s() - start;
}

}  // namespace weir
