// Many small requests, whose contents are made before the first of them, or taken after the last: the clock is read
// once per batch, since reading it can take longer than a request.

#include <vector>

#include "core/interrupt.hpp"
#include "storage/engine/transfer.hpp"

namespace weir {
namespace {

constexpr std::size_t most_in_a_batch = 256;
constexpr std::size_t fewest_in_a_batch = 8;

/// Gives each request of a batch its place in the batch's memory: use(operation, data).
template <class Use>
void each_place(std::span<Operation const> batch, std::span<std::byte> memory, Use use) {
    for (auto const& operation : batch) {
        use(operation, memory.first(operation.length));
        memory = memory.subspan(operation.length);
    }
}

}  // namespace

bool Transfer::comes_in_batches(TransferPlan const& plan) const {
    auto const* contents = plan.access.verb == Verb::write ? plan.fills : plan.takes;
    return contents != nullptr && largest_request(plan.access) * fewest_in_a_batch <= many_.size();
}

void Transfer::request_batches(TransferPlan const& plan, Operations& operations) {
    std::vector<Operation> batch;
    batch.reserve(most_in_a_batch);
    Operation next;
    for (auto more = operations.next(next); more;) {
        throw_if_interrupted();
        batch.clear();
        std::size_t bytes = 0;
        do {
            batch.push_back(next);
            bytes += next.length;
            more = operations.next(next);
        } while (more && batch.size() < most_in_a_batch && bytes + next.length <= many_.size());
        plan.access.verb == Verb::write ? write_batch(plan, batch) : read_batch(plan, batch);
    }
}

void Transfer::write_batch(TransferPlan const& plan, std::span<Operation const> batch) {
    auto const start = clock_.now_s();
    each_place(batch, many_,
               [&](Operation const& operation, std::span<std::byte> data) { plan.fills->fill(operation, data); });
    times_->stamp_s += clock_.now_s() - start;
    each_place(batch, many_, [&](Operation const& operation, std::span<std::byte> data) {
        auto const began = meter_.begin();
        file_.write(operation, data);
        meter_.end(began, Direction::write, operation);
    });
}

void Transfer::read_batch(TransferPlan const& plan, std::span<Operation const> batch) {
    std::array<std::size_t, most_in_a_batch> got{};
    auto* there = got.begin();
    each_place(batch, many_, [&](Operation const& operation, std::span<std::byte> data) {
        auto const began = meter_.begin();
        *there = file_.read(operation, data);
        if (plan.access.verb != Verb::check && *there < operation.length) {
            refuse_short_read(plan.file_name, {operation, *there});
        }
        meter_.end(began, Direction::read, operation);
        ++there;
    });
    auto const start = clock_.now_s();
    there = got.begin();
    each_place(batch, many_, [&](Operation const& operation, std::span<std::byte> data) {
        plan.takes->take(operation, data.first(*there++));
    });
    times_->stamp_s += clock_.now_s() - start;
}

}  // namespace weir
