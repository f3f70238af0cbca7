#include "bench/compute/hpcc/time_budget.hpp"

#include <algorithm>
#include <cmath>

namespace weir {
namespace {

constexpr double aim = 0.93;  ///< of the budget, for all
constexpr double aim_without_hpl = 0.45;
constexpr double most_of_a_try = 0.1;
constexpr std::uint64_t step_of_tries = 4;

}  // namespace

TimeBudget::TimeBudget(double budget_s, Clock const& clock, Communicator const& comm)
    : budget_s_(budget_s), clock_(clock), comm_(comm), from_s_(clock.now_s()) {}

double TimeBudget::elapsed_s() const { return comm_.max(clock_.now_s() - from_s_); }

void TimeBudget::time(HpccTest const& test, std::function<void()> const& run) {
    auto const from_s = clock_.now_s();
    run();
    known_[test.name] = {comm_.max(clock_.now_s() - from_s), test.growth, test.options.value("size", std::uint64_t{0})};
}

double TimeBudget::expected_s(double times_the_bytes, bool with_hpl) const {
    double sum_s = 0;
    for (auto const& [name, test] : known_) {
        sum_s += with_hpl || name != "hpl" ? test.took_s * std::pow(times_the_bytes, test.growth) : 0;
    }
    return sum_s;
}

bool TimeBudget::wants_larger(std::uint64_t& bytes, std::uint64_t most_bytes) const {
    if (tries_ < 2) {
        return true;
    }
    if (bytes >= most_bytes || expected_s(step_of_tries, true) > most_of_a_try * budget_s_) {
        return false;
    }
    bytes = std::min(step_of_tries * bytes, most_bytes);
    return true;
}

std::uint64_t TimeBudget::bytes(std::uint64_t most_bytes) const {
    auto const left_s = aim * budget_s_ - elapsed_s();
    auto const fits = [&](double times) {
        return expected_s(times, false) <= std::min(aim_without_hpl * budget_s_, left_s) &&
               expected_s(times, true) <= left_s;
    };
    auto least = std::min(1.0, static_cast<double>(first_bytes) / static_cast<double>(tried_bytes_));
    auto most = static_cast<double>(most_bytes) / static_cast<double>(tried_bytes_);
    constexpr int halvings = 50;
    for (int i = 0; i < halvings; ++i) {
        auto const middle = std::sqrt(least * most);
        (fits(middle) ? least : most) = middle;
    }
    return static_cast<std::uint64_t>(least * static_cast<double>(tried_bytes_));
}

std::uint64_t TimeBudget::hpl_size(HpccSetting const& setting, std::uint64_t most_bytes, double share) const {
    auto const& small = known_.at("hpl");
    auto const left_s = share * std::max(aim * budget_s_ - elapsed_s(), 0.0);
    auto const in_time = static_cast<double>(small.size) * std::cbrt(left_s / small.took_s);
    auto const wanted = std::max(static_cast<std::uint64_t>(in_time), hpl_order(setting, first_bytes));
    auto const order = std::min(wanted, hpl_order(setting, most_bytes));
    auto const block = setting.grid().largest_block();
    return order < block ? order : order / block * block;
}

bool TimeBudget::has_much_left() const {
    constexpr double much = 0.3;
    auto const any =
        std::any_of(known_.begin(), known_.end(), [this](auto const& one) { return has_time_for(one.first); });
    return any && elapsed_s() < (1 - much) * budget_s_;
}

double TimeBudget::share_used() const { return elapsed_s() / budget_s_; }

bool TimeBudget::has_time_for(std::string const& test) const {
    return elapsed_s() + known_.at(test).took_s < budget_s_;
}

}  // namespace weir
