#include "array/assembly.hpp"

#include <new>

namespace weir::array {

/// What is laid down alternates between two places, so that nobody overwrites what a slower rank still reads.
struct Assembly::Board {
    alignas(64) Counter arrived;
    alignas(64) Counter released;
    alignas(64) std::array<std::array<std::atomic<std::uint64_t>, 3>, 2> greatest{};
};

namespace {

Assembly::Values reduced(Communicator const& comm, Assembly::Values values) {
    if (comm.size() > 1) {
        comm.max(values);
    }
    return values;
}

void raise(std::atomic<std::uint64_t>& greatest, std::uint64_t value) {
    for (auto seen = greatest.load(); seen < value && !greatest.compare_exchange_weak(seen, value);) {
    }
}

}  // namespace

Assembly::Assembly(Communicator all, Communicator node) : all_(std::move(all)), node_(std::move(node)) {
    if (all_.max(node_.size()) == 1) {
        return;  // no two ranks share memory
    }
    memory_.emplace(node_, node_.is_root() ? sizeof(Board) : 0);
    if (all_.max(std::uint64_t{memory_->shared() ? 0U : 1U}) != 0) {
        return;
    }
    leaders_ = all_.split(node_.is_root() ? 0 : 1);
    auto* const place = memory_->of(0);
    board_ = node_.is_root() ? new (place) Board : reinterpret_cast<Board*>(place);
    node_.barrier();
}

Assembly::~Assembly() = default;

Assembly::Values Assembly::greatest(Values const& mine) {
    if (board_ == nullptr) {
        return reduced(all_, mine);
    }
    auto& values = board_->greatest[meetings_ % 2];
    auto& next = board_->greatest[(meetings_ + 1) % 2];
    ++meetings_;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        raise(values[i], mine[i]);
    }
    board_->arrived.add(1);
    if (node_.is_root()) {
        wait(board_->arrived, meetings_ * static_cast<std::uint32_t>(node_.size()));
        auto const all = reduced(leaders_, {values[0].load(), values[1].load(), values[2].load()});
        for (std::size_t i = 0; i < all.size(); ++i) {
            values[i].store(all[i]);
            next[i].store(0);
        }
        board_->released.add(1);
    }
    wait(board_->released, meetings_);
    return {values[0].load(), values[1].load(), values[2].load()};
}

void Assembly::wait(Counter& counter, std::uint32_t target) {
    while (!counter.wait_a_while(target)) {
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all_.handle(), &there, MPI_STATUS_IGNORE);
    }
}

}  // namespace weir::array
