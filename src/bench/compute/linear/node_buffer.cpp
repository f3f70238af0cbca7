#include "bench/compute/linear/node_buffer.hpp"

#include <algorithm>

#include "comm/collective_error.hpp"

namespace weir {

NodeBuffer::NodeBuffer(Communicator const& comm, std::uint64_t bytes, Pages pages)
    : node_(comm.node()), of_rank_(comm.size()) {
    if (pages == Pages::usual && node_.size() > 1) {
        shared_ = std::make_unique<NodeMemory>(node_, bytes);
    }
    if (shared_ != nullptr && !shared_->shared()) {
        shared_.reset();
    }
    run_together(comm, [&] { own_ = shared_ == nullptr ? std::make_unique<Buffer>(bytes, pages) : nullptr; });
    if (shared_ == nullptr) {
        of_rank_[comm.rank()] = own_->bytes().data();
        return;
    }
    auto const ranks = node_.all_gather(comm.rank());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        of_rank_[ranks[i]] = shared_->of(i);
    }
    touch(bytes);
}

/// First each rank its own, so that it is near it, then what it sees of others'.
void NodeBuffer::touch(std::uint64_t bytes) {
    std::fill_n(shared_->of(node_.rank()), bytes, std::byte{0});
    auto const sizes = node_.all_gather(bytes);
    constexpr std::uint64_t smallest_page = 4096;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        for (std::uint64_t at = 0; at < sizes[i]; at += smallest_page) {
            [[maybe_unused]] auto const read = static_cast<std::byte const volatile&>(shared_->of(i)[at]);
        }
    }
}

void NodeBuffer::wait() const {
    if (shared_ != nullptr) {
        node_.barrier();
    }
}

}  // namespace weir
