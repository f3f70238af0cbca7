// Setup of an exchange: peers, messages, shared memory.

#include <algorithm>
#include <utility>

#include "array/exchange/exchange_state.hpp"
#include "array/exchange/sparse_exchange.hpp"
#include "core/error.hpp"

namespace weir::array {
namespace {

/// Local arrays larger than this leave the caches before the read is complete.
constexpr std::uint64_t larger_than_caches = 8 << 20;

/// Which ranks of the group are on this node?
class NodeRanks {
  public:
    NodeRanks(Communicator const& group, Communicator const& node) {
        MPI_Comm_group(group.handle(), &group_);
        MPI_Comm_group(node.handle(), &node_);
    }
    NodeRanks(NodeRanks const&) = delete;
    NodeRanks& operator=(NodeRanks const&) = delete;
    ~NodeRanks() {
        MPI_Group_free(&group_);
        MPI_Group_free(&node_);
    }
    /// Its rank in the node; nothing if it is on another one.
    [[nodiscard]] std::optional<std::uint64_t> rank(std::uint64_t rank_in_group) const {
        auto const rank = static_cast<int>(rank_in_group);
        int found = MPI_UNDEFINED;
        MPI_Group_translate_ranks(group_, 1, &rank, node_, &found);
        return found == MPI_UNDEFINED ? std::nullopt : std::optional<std::uint64_t>(found);
    }

  private:
    MPI_Group group_ = MPI_GROUP_NULL;
    MPI_Group node_ = MPI_GROUP_NULL;
};

}  // namespace

Exchange::Exchange(ExchangePlan plan, FirstFailure& failure)
    : plan_(std::move(plan)), to_buffers_(bytes_of(*plan_.share) < larger_than_caches ? copy_rows : stream_rows) {
    failure.attempt([&] {
        expect(plan_.slots >= 2 && plan_.slots <= max_slots, "an exchange has 2 to 8 slots");
        owner_messages_ = std::make_unique<MessageBuffers>();
        aggregator_messages_ = std::make_unique<MessageBuffers>();
        index_ = ShareIndex(*plan_.share);
        find_aggregators();
    });
    if (plan_.memory) {
        clear_control_block(*plan_.memory);  // not read by others before all ranks have synchronised
    }
    find_members(failure);
    share_memory(failure);
    failure.attempt([&] {
        map_control_blocks();
        count_rounds();
        reserve_messages();
    });
    plan_.by.aggregators = {};  // the full list was needed only to find this rank's aggregators
}

Exchange::~Exchange() = default;

void Exchange::find_aggregators() {
    for (std::size_t i = 0; i < plan_.by.aggregators.size(); ++i) {
        auto const domain = file_domain(plan_.region, plan_.by, i);
        if (plan_.by.aggregators[i] == plan_.group.rank() && domain.windows() > 0) {
            own_ = std::make_unique<OwnDomain>(domain);
            own_->scratch.resize(plan_.holes ? plan_.holes->scratch_bytes(own_->slot_bytes) : 0);
        }
    }
    for (auto const& partner : partners(plan_.region, *plan_.share, plan_.by)) {
        aggregators_.emplace_back(partner.rank, partner.domain);
    }
    // Each rank starts with a different aggregator, to spread the load.
    auto const first = aggregators_.empty() ? 0 : plan_.group.rank() % aggregators_.size();
    std::rotate(aggregators_.begin(), aggregators_.begin() + static_cast<std::ptrdiff_t>(first), aggregators_.end());
}

void Exchange::find_members(FirstFailure& failure) {
    std::vector<Message> messages;
    failure.attempt([&] {
        for (auto const& peer : aggregators_) {
            auto const& region = plan_.region;
            std::uint64_t from = 0;
            std::uint64_t to = 0;
            region.each_piece(peer.domain.begin, peer.domain.begin + 1,
                              [&](auto position, auto, auto) { from = position; });
            region.each_piece(peer.domain.end - 1, peer.domain.end,
                              [&](auto position, auto, auto) { to = position + 1; });
            messages.push_back({peer.rank, packed(*plan_.share, from, to)});
        }
    });
    auto const arrived = sparse_exchange(plan_.group, std::move(messages), plan_.exchange_tag, failure);
    failure.attempt([&] {
        for (auto const& message : arrived) {
            auto& member = own_->members.emplace_back();
            member.rank = message.rank;
            member.share = unpacked(message.bytes);
            member.index = ShareIndex(member.share);
        }
    });
}

void Exchange::share_memory(FirstFailure& failure) {
    if (!plan_.memory) {
        // If ranks of a node cannot share memory, they exchange messages.
        auto const node = !plan_.shared_memory ? Communicator()
                          : plan_.node         ? *plan_.node
                                               : ranks_of_node(plan_.group, plan_.node_size);
        auto const bytes = own_ ? own_->memory_bytes(plan_.slots) : 0;
        plan_.memory = make_node_memory(node, bytes, failure);
    }
}

void Exchange::map_control_blocks() {
    if (!has_memory()) {
        return;  // the exchange will not be used
    }
    auto const bytes = own_ ? own_->memory_bytes(plan_.slots) : 0;
    auto const& memory = *plan_.memory;
    expect(bytes <= memory.bytes(), "there is room for all slots");
    if (own_ && memory.shared()) {
        own_->map(memory.of(memory.node().rank()));
    }
    NodeRanks const neighbours(plan_.group, memory.node());
    for (auto& peer : aggregators_) {
        if (auto const rank = neighbours.rank(peer.rank)) {
            peer.map(memory.of(*rank));
        }
        messages_ = messages_ || !peer.shares_memory();
    }
    if (own_) {
        for (auto& member : own_->members) {
            member.same_node = neighbours.rank(member.rank).has_value();
            messages_ = messages_ || !member.same_node;
        }
    }
}

void Exchange::count_rounds() {
    for (auto const& peer : aggregators_) {
        rounds_ = std::max(rounds_, peer.windows);
    }
    rounds_ = std::max(rounds_, own_ ? own_->windows : 0);
    if (own_ && plan_.may_overlap) {
        std::vector<bool> exactly_full(own_->windows);  // filling() needs all members
        for (std::uint64_t w = 0; w < own_->windows; ++w) {
            exactly_full[w] = own_->filling(plan_.region, w).full && own_->is_full(plan_.region, w);
        }
        own_->exactly_full = std::move(exactly_full);
    }
}

/// So that dumps allocate nothing, which could fail.
void Exchange::reserve_messages() {
    if (!messages_) {
        return;
    }
    bool units = false;
    auto const reserve = [&](auto const& peers, MessageBuffers& buffers, std::uint64_t round) {
        std::uint64_t sum = 0;
        for (auto const& peer : peers) {
            auto const bytes = message_bytes(peer, round);
            units = units || needs_units(bytes);
            sum += MessageBuffers::room(bytes);
        }
        buffers.reserve(round, plan_.slots, sum);
    };
    for (std::uint64_t round = 0; round < rounds_; ++round) {
        reserve(aggregators_, *owner_messages_, round);
        if (own_) {
            reserve(own_->members, *aggregator_messages_, round);
        }
    }
    if (units) {
        units_ = std::make_unique<UnitType>();
    }
}

bool Exchange::has_memory() const { return plan_.memory && plan_.memory->shared(); }

FileDomain Exchange::domain() const { return own_ ? own_->domain : FileDomain{}; }

std::uint64_t Exchange::buffer_bytes() const {
    constexpr std::uint64_t page = 4096;
    auto const slots = own_ ? (own_->memory_bytes(plan_.slots) + page - 1) / page * page : 0;
    auto const scratch = own_ ? own_->scratch.capacity() : 0;
    return slots + scratch + owner_messages_->memory_bytes() + aggregator_messages_->memory_bytes();
}

std::uint64_t Exchange::list_bytes() const {
    std::uint64_t sum = 0;
    if (own_) {
        for (auto const& member : own_->members) {
            sum += memory_of_lists(member.share);
        }
    }
    return sum;
}

std::uint64_t Exchange::memory_bytes() const {
    auto sum = sizeof *this + index_.memory_bytes() + aggregators_.capacity() * sizeof(AggregatorPeer) + buffer_bytes();
    if (own_) {
        sum += sizeof *own_ + (own_->members.capacity() - own_->members.size()) * sizeof(MemberPeer);
        for (auto const& member : own_->members) {
            sum += sizeof member + memory_of(member.share) + member.index.memory_bytes();
        }
        sum += own_->exactly_full.capacity() / 8;
    }
    return sum;
}

}  // namespace weir::array
