// How an exchange is made: who talks to whom, and through which memory.

#include <algorithm>
#include <utility>

#include "array/exchange_parts.hpp"
#include "array/meeting.hpp"
#include "core/error.hpp"

namespace weir::array {
namespace {

/// What is read into larger arrays has left the caches before they are full.
constexpr std::uint64_t larger_than_caches = 8 << 20;

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

/// A slot is as large as the largest window, in whole lines of the cache.
std::uint64_t slot_bytes(Domain const& domain) {
    return rounded_up(std::min(domain.window, domain.end - domain.begin), alignof(Desk));
}

/// Is a rank of the team one of this node?
class Near {
  public:
    Near(Communicator const& team, Communicator const& node) {
        MPI_Comm_group(team.handle(), &team_);
        MPI_Comm_group(node.handle(), &node_);
    }
    Near(Near const&) = delete;
    Near& operator=(Near const&) = delete;
    ~Near() {
        MPI_Group_free(&team_);
        MPI_Group_free(&node_);
    }
    /// Its rank in the node; nothing where it is on another one.
    [[nodiscard]] std::optional<std::uint64_t> rank(std::uint64_t rank_in_team) const {
        auto const rank = static_cast<int>(rank_in_team);
        int found = MPI_UNDEFINED;
        MPI_Group_translate_ranks(team_, 1, &rank, node_, &found);
        return found == MPI_UNDEFINED ? std::nullopt : std::optional<std::uint64_t>(found);
    }

  private:
    MPI_Group team_ = MPI_GROUP_NULL;
    MPI_Group node_ = MPI_GROUP_NULL;
};

}  // namespace

Exchange::Exchange(ExchangePlan plan, FirstFailure& failure)
    : plan_(std::move(plan)), to_buffers_(bytes_of(*plan_.share) < larger_than_caches ? copy_rows : stream_rows) {
    failure.attempt([&] {
        expect(plan_.slots >= 2 && plan_.slots <= max_slots, "an exchange has 2 to 8 slots");
        owner_letters_ = std::make_unique<Letters>();
        aggregator_letters_ = std::make_unique<Letters>();
        find_outlets();
    });
    if (plan_.memory) {
        plan_.memory->clear_desk();  // nobody looks at it before all have met
    }
    find_inlets(failure);
    share_memory(failure);
    failure.attempt([&] {
        find_desks();
        count_rounds();
        reserve_letters();
    });
    plan_.by.aggregators = {};  // all of them were needed to find those that this rank talks to
}

Exchange::~Exchange() = default;

void Exchange::find_outlets() {
    for (std::size_t i = 0; i < plan_.by.aggregators.size(); ++i) {
        auto const domain = domain_of(plan_.region, plan_.by, i);
        if (plan_.by.aggregators[i] == plan_.team.rank() && domain.windows() > 0) {
            own_ = std::make_unique<Own>();
            own_->domain = domain;
            own_->windows = domain.windows();
        }
    }
    for (auto const& partner : partners(plan_.region, *plan_.share, plan_.by)) {
        Outlet outlet;
        outlet.rank = partner.rank;
        outlet.domain = partner.domain;
        outlet.windows = partner.domain.windows();
        outlets_.push_back(outlet);
    }
    // Each rank begins with another aggregator, so that not all stand before the same one.
    auto const first = outlets_.empty() ? 0 : plan_.team.rank() % outlets_.size();
    std::rotate(outlets_.begin(), outlets_.begin() + static_cast<std::ptrdiff_t>(first), outlets_.end());
}

void Exchange::find_inlets(FirstFailure& failure) {
    std::vector<Letter> letters;
    failure.attempt([&] {
        for (auto const& outlet : outlets_) {
            auto const& region = plan_.region;
            std::uint64_t from = 0;
            std::uint64_t to = 0;
            region.each_piece(outlet.domain.begin, outlet.domain.begin + 1,
                              [&](auto position, auto, auto) { from = position; });
            region.each_piece(outlet.domain.end - 1, outlet.domain.end,
                              [&](auto position, auto, auto) { to = position + 1; });
            letters.push_back({outlet.rank, packed(*plan_.share, from, to)});
        }
    });
    auto const arrived = meet(plan_.team, std::move(letters), plan_.meeting_tag, failure);
    failure.attempt([&] {
        for (auto const& letter : arrived) {
            own_->inlets.push_back({letter.rank, unpacked(letter.bytes)});
        }
    });
}

void Exchange::share_memory(FirstFailure& failure) {
    if (!plan_.memory) {
        // Where ranks of a node cannot share memory, they send each other letters.
        auto const node = plan_.shared_memory ? ranks_of_node(plan_.team, plan_.node_size) : Communicator();
        auto const bytes = own_ ? sizeof(Desk) + plan_.slots * slot_bytes(own_->domain) : 0;
        plan_.memory = make_node_memory(node, bytes, failure);
    }
}

void Exchange::find_desks() {
    if (!has_memory()) {
        return;  // and then the exchange is not used
    }
    auto const bytes = own_ ? sizeof(Desk) + plan_.slots * slot_bytes(own_->domain) : 0;
    auto const& memory = *plan_.memory;
    expect(bytes <= memory.bytes(), "there is room for all slots");
    if (own_ && memory.shared()) {
        auto* const base = memory.of(memory.node().rank());
        own_->desk = reinterpret_cast<Desk*>(base);
        own_->slots = base + sizeof(Desk);
        own_->slot_bytes = slot_bytes(own_->domain);
    }
    Near const near(plan_.team, memory.node());
    for (auto& outlet : outlets_) {
        if (auto const rank = near.rank(outlet.rank)) {
            auto* const base = memory.of(*rank);
            outlet.desk = reinterpret_cast<Desk*>(base);
            outlet.slots = base + sizeof(Desk);
            outlet.slot_bytes = slot_bytes(outlet.domain);
        }
        messages_ = messages_ || outlet.desk == nullptr;
    }
    if (own_) {
        for (auto& inlet : own_->inlets) {
            inlet.near = near.rank(inlet.rank).has_value();
            messages_ = messages_ || !inlet.near;
        }
    }
}

void Exchange::count_rounds() {
    for (auto const& outlet : outlets_) {
        rounds_ = std::max(rounds_, outlet.windows);
    }
    rounds_ = std::max(rounds_, own_ ? own_->windows : 0);
    if (own_ && plan_.may_overlap) {
        std::vector<bool> walked(own_->windows);  // filling() asks for all of them, once they are there
        for (std::uint64_t w = 0; w < own_->windows; ++w) {
            walked[w] = own_->filling(plan_.region, w).full && own_->is_full(plan_.region, w);
        }
        own_->walked = std::move(walked);
    }
}

/// Dumps need no memory then, which might not be there.
void Exchange::reserve_letters() {
    if (!messages_) {
        return;
    }
    bool units = false;
    auto const room = [&](std::uint64_t bytes) {
        units = units || needs_units(bytes);
        return Letters::room(bytes);
    };
    for (std::uint64_t round = 0; round < rounds_; ++round) {
        std::uint64_t bytes = 0;
        for (auto const& outlet : outlets_) {
            if (outlet.desk == nullptr && round < outlet.windows) {
                bytes += room(Window(plan_.region, outlet.domain.window_at(round), *plan_.share).bytes());
            }
        }
        owner_letters_->reserve(round, plan_.slots, bytes);
        if (own_ && round < own_->windows) {
            bytes = 0;
            for (auto const& inlet : own_->inlets) {
                bytes += inlet.near ? 0 : room(own_->window(plan_.region, round, inlet).bytes());
            }
            aggregator_letters_->reserve(round, plan_.slots, bytes);
        }
    }
    if (units) {
        units_ = std::make_unique<UnitType>();
    }
}

bool Exchange::has_memory() const { return plan_.memory && plan_.memory->shared(); }

Domain Exchange::domain() const { return own_ ? own_->domain : Domain{}; }

std::uint64_t Exchange::buffer_bytes() const {
    constexpr std::uint64_t page = 4096;
    auto const slots = own_ ? rounded_up(sizeof(Desk) + plan_.slots * own_->slot_bytes, page) : 0;
    return slots + owner_letters_->memory_bytes() + aggregator_letters_->memory_bytes();
}

std::uint64_t Exchange::list_bytes() const {
    std::uint64_t sum = 0;
    if (own_) {
        for (auto const& inlet : own_->inlets) {
            sum += memory_of_lists(inlet.share);
        }
    }
    return sum;
}

std::uint64_t Exchange::memory_bytes() const {
    auto sum = sizeof *this + outlets_.capacity() * sizeof(Outlet) + buffer_bytes();
    if (own_) {
        sum += sizeof *own_ + (own_->inlets.capacity() - own_->inlets.size()) * sizeof(Inlet);
        for (auto const& inlet : own_->inlets) {
            sum += sizeof inlet + memory_of(inlet.share);
        }
        sum += own_->walked.capacity() / 8;
    }
    return sum;
}

}  // namespace weir::array
