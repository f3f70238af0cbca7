#include "array/exchange/hierarchical_allreduce.hpp"

namespace weir::array {

/// Double-buffered, so that no rank overwrites a value that a slower one still reads. As all of it is in memory of
/// zeroes, which is its first state: no rank has to make it before others use it.
struct HierarchicalAllreduce::SharedState {
    alignas(64) Counter arrived;
    alignas(64) Counter released;
    alignas(64) std::array<std::array<std::atomic<std::uint64_t>, 3>, 2> greatest{};
};

namespace {

HierarchicalAllreduce::Values reduced(Communicator const& comm, HierarchicalAllreduce::Values values) {
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

HierarchicalAllreduce::HierarchicalAllreduce(Communicator all, Communicator node)
    : all_(std::move(all)), node_(std::move(node)) {
    if (all_.max(node_.size()) == 1) {
        return;  // no two ranks share memory
    }
    memory_.emplace(node_, node_.is_root() ? sizeof(SharedState) : 0);
    bool const one_node = node_.size() == all_.size();  // whose ranks all know
    if (one_node ? !memory_->shared() : all_.max(std::uint64_t{memory_->shared() ? 0U : 1U}) != 0) {
        return;
    }
    if (!one_node) {
        leaders_ = all_.split(node_.is_root() ? 0 : 1);
    }
    state_ = reinterpret_cast<SharedState*>(memory_->of(0));
}

HierarchicalAllreduce::~HierarchicalAllreduce() = default;

HierarchicalAllreduce::Values HierarchicalAllreduce::max(Values const& mine) {
    if (state_ == nullptr) {
        return reduced(all_, mine);
    }
    auto& values = state_->greatest[reductions_ % 2];
    auto& next = state_->greatest[(reductions_ + 1) % 2];
    ++reductions_;
    auto const progress = [this] { all_.make_progress(); };
    for (std::size_t i = 0; i < mine.size(); ++i) {
        raise(values[i], mine[i]);
    }
    state_->arrived.add(1);
    if (node_.is_root()) {
        state_->arrived.wait(reductions_ * static_cast<std::uint32_t>(node_.size()), true, progress);
        auto const all = reduced(leaders_, {values[0].load(), values[1].load(), values[2].load()});
        for (std::size_t i = 0; i < all.size(); ++i) {
            values[i].store(all[i]);
            next[i].store(0);
        }
        state_->released.add(1);
    }
    state_->released.wait(reductions_, true, progress);
    return {values[0].load(), values[1].load(), values[2].load()};
}

}  // namespace weir::array
