#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/machine.hpp"

namespace weir::sim {

/// Locks that clients hold while servers deal with their requests. A client that has one keeps it until another asks.
class LockTable {
  public:
    explicit LockTable(LockRules const& rules) : rules_(rules) {}

    struct Waiter {
        std::uint64_t client;
        std::uint32_t request;
        std::uint64_t bytes = 0;
    };

    /// Asks for a lock. In how many seconds it is there, if it can be had now; else the request waits its turn.
    std::optional<double> ask(std::uint64_t lock, Waiter waiter, double now) {
        auto const [at, is_new] = locks_.try_emplace(lock);
        auto& state = at->second;
        if (is_new) {
            state.number = busy_s_.size();
            busy_s_.push_back(0);
        }
        bool const fits = state.active == 0 || (state.owner == waiter.client && state.waiting.empty());
        if (!fits) {
            state.waiting.push_back(waiter);
            ++state.clients[waiter.client];
            return std::nullopt;
        }
        return grant(state, waiter, now);
    }

    /// Gives one back. Each request that now has it, and in how many seconds it is there: give(request, seconds).
    template <class Give>
    void release(std::uint64_t lock, double now, Give give) {
        auto& state = locks_.at(lock);
        --state.active;
        while (!state.waiting.empty() && (state.active == 0 || state.waiting.front().client == state.owner)) {
            auto const waiter = state.waiting.front();
            state.waiting.pop_front();
            if (--state.clients.at(waiter.client) == 0) {
                state.clients.erase(waiter.client);
            }
            give(waiter.request, grant(state, waiter, now));
        }
    }

    /// Of each lock, in the order in which they were first asked for: how long it was on its way.
    [[nodiscard]] std::vector<double> const& busy_s() const { return busy_s_; }

  private:
    struct State {
        std::uint64_t owner = nobody;
        std::uint64_t active = 0;
        double there = 0;  ///< when its owner has it
        std::size_t number = 0;
        std::deque<Waiter> waiting{};
        std::unordered_map<std::uint64_t, std::uint64_t> clients{};  ///< that wait, with the count of their requests
    };
    static constexpr auto nobody = ~std::uint64_t{0};

    double grant(State& state, Waiter const& waiter, double now) {
        bool const moves = state.owner != nobody && state.owner != waiter.client;
        auto const of_waiter = rules_.waiter + rules_.waiter_byte * static_cast<double>(waiter.bytes);
        auto const others = state.clients.size() - state.clients.count(waiter.client);
        auto const cost = moves ? rules_.transfer + of_waiter * static_cast<double>(others) : 0;
        state.owner = waiter.client;
        state.there = cost > 0 ? now + cost : state.there;
        ++state.active;
        busy_s_[state.number] += cost;
        return cost > 0 ? cost : std::max(0.0, state.there - now);
    }

    LockRules rules_;
    std::unordered_map<std::uint64_t, State> locks_;
    std::vector<double> busy_s_{};
};

}  // namespace weir::sim
