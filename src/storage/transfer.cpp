#include "storage/transfer.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace weir {

// Inlined into the loops: every return that follows a system call is mispredicted, which costs as much as all the rest.
[[gnu::always_inline]] inline void Transfer::request(TransferPlan const& plan, Operation const& operation) {
    if (stop_requested.load(std::memory_order_relaxed)) [[unlikely]] {
        throw_interrupted();
    }
    auto const data = buffer_.first(operation.length);
    if (plan.access.verb != Verb::write) {
        read(plan, operation, data);
    } else if (plan.stamp || plan.access.sync_each) {
        write_with_care(plan, operation, data);
    } else {
        file_.write(operation, data);
    }
    ++made_;
}

void Transfer::read(TransferPlan const& plan, Operation const& operation, std::span<std::byte> data) {
    auto const got = file_.read(operation, data);
    if (plan.access.verb == Verb::check) {
        check(plan, operation, got);
    } else if (got < data.size()) [[unlikely]] {
        throw Error({fmt::format("only {} of {} bytes could be read at offset {}", got, data.size(), operation.offset),
                     "the file is shorter than this case reads", "Write it first, with the same shape.",
                     ExitCode::cannot_run});
    }
}

void Transfer::write_with_care(TransferPlan const& plan, Operation const& operation, std::span<std::byte> data) {
    if (plan.stamp) {
        auto const start = clock_.now_s();
        plan.stamp->fill(data, operation.offset);
        times_->stamp_s += clock_.now_s() - start;
    }
    file_.write(operation, data);
    if (plan.access.sync_each) {
        auto const start = clock_.now_s();
        file_.sync();
        times_->sync_s += clock_.now_s() - start;
    }
}

void Transfer::run(TransferPlan const& plan, RankTimes& times, WrongWords& words) {
    times_ = &times;
    words_ = &words;
    made_ = 0;
    Operations operations(plan.access, plan.acting);
    if (plan.most) {
        operations.limit(*plan.most);
    }
    auto const start = clock_.now_s();
    auto const aside = times.sync_s + times.stamp_s;
    if (plan.collective) {
        run_together(plan, operations);
    } else {
        run_alone(plan, operations);
    }
    times.transfer_s += clock_.now_s() - start - (times.sync_s + times.stamp_s - aside);
    times.requests += made_;
    times.bytes += made_ * plan.access.extent.length;
}

void Transfer::run_alone(TransferPlan const& plan, Operations& operations) {
    std::optional<Diagnosis> failure;
    try {
        file_.begin(plan.access, plan.acting);
        for (Operation operation; operations.next(operation);) {
            request(plan, operation);
            if (plan.deadline_s && clock_.now_s() > *plan.deadline_s) {
                break;
            }
        }
    } catch (Error const& error) {
        failure = error.diagnosis();
    }
    if (plan.wear_out) {
        // Every rank comes here, failed or not: the others wait to hear how many requests it made.
        auto const most = comm_.max(made_);
        operations.limit(most);
        for (Operation operation; !failure && operations.next(operation);) {
            request(plan, operation);
        }
    }
    if (failure) {
        throw Error(*failure);
    }
}

void Transfer::run_together(TransferPlan const& plan, Operations& operations) {
    std::optional<Diagnosis> failure;
    try {
        file_.begin(plan.access, plan.acting);
    } catch (Error const& error) {
        failure = error.diagnosis();
    }
    auto const rounds = comm_.max(operations.count());
    for (std::uint64_t round = 0; round < rounds; ++round) {
        Operation operation;
        auto const mine = operations.next(operation);
        try {
            if (mine && !failure) {
                request(plan, operation);
            } else {
                take_part(plan, operation);
            }
        } catch (Error const& error) {
            // The others are in the same collective calls and would wait for ever: go on with empty ones.
            failure = failure ? failure : error.diagnosis();
        }
        // All ranks must stop at the same request, so they ask each other.
        auto const late = plan.deadline_s && clock_.now_s() > *plan.deadline_s;
        if (plan.deadline_s && comm_.max(std::uint64_t{late ? 1U : 0U}) != 0) {
            break;
        }
    }
    if (failure) {
        throw Error(*failure);
    }
}

void Transfer::take_part(TransferPlan const& plan, Operation const& operation) {
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
    auto const first = differences.wrong > 0 ? differences.first_index : (operation.offset + whole) / word;
    words.offset = first * word;
    words.expected = plan.stamp->word(first);
    words.found = differences.wrong > 0 ? differences.found : 0;
    words_->add(words);
    times_->stamp_s += clock_.now_s() - start;
}

}  // namespace weir
