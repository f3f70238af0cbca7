#include "bench/network/links_matrix.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>

#include "bench/network/links_ping_pong.hpp"
#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// One pass over the pairs of a schedule.
class LinkPass {
  public:
    LinkPass(Communicator const& ranks, PairPingPong& ping_pong, LinkSchedule const& schedule,
             LinkMeasurement const& how)
        : ranks_(ranks), ping_pong_(ping_pong), schedule_(schedule), how_(how) {}

    /// Of the pairs of a round; nothing is stored but by the first rank of each pair.
    void run(std::uint64_t round, std::span<double> times_s) {
        auto const pairs = schedule_.pairs(round);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (i == 0 || how_.at_once == PairsAtOnce::one) {
                ranks_.barrier();
            }
            if (ranks_.rank() == pairs[i].one) {
                times_s[i] = ping_pong_.time_s(pairs[i].other, how_.calls);
            } else if (ranks_.rank() == pairs[i].other) {
                ping_pong_.answer(pairs[i].one, how_.calls);
            }
        }
    }

  private:
    Communicator const& ranks_;
    PairPingPong& ping_pong_;
    LinkSchedule const& schedule_;
    LinkMeasurement const& how_;
};

/// The value at that share of the sorted values, between neighbours where it falls there.
double at_share(std::vector<double> const& sorted, double share) {
    auto const place = share * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    auto const above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

void share_values(Communicator const& ranks, std::vector<double>& values) {
    std::vector<std::uint64_t> bits(values.size());
    std::ranges::transform(values, bits.begin(), [](double value) { return std::bit_cast<std::uint64_t>(value); });
    ranks.sum(std::span(bits));  // of one value and zeros: the value, bit by bit
    std::ranges::transform(bits, values.begin(), [](std::uint64_t one) { return std::bit_cast<double>(one); });
}

LinkTime link_time(LinkPair pair, std::vector<double> values_s) {
    std::ranges::sort(values_s);
    constexpr double quarter = 0.25;
    return {pair, at_share(values_s, 0.5), at_share(values_s, quarter), at_share(values_s, 1 - quarter)};
}

std::vector<LinkTime> measure_links(Communicator const& ranks, Clock const& clock, LinkSchedule const& schedule,
                                    LinkMeasurement const& how) {
    std::unique_ptr<PairPingPong> ping_pong;
    run_together(ranks, [&] { ping_pong = std::make_unique<PairPingPong>(ranks, clock, how.bytes); });
    LinkPass pass(ranks, *ping_pong, schedule, how);
    auto const of_round = schedule.pairs_of_round();
    auto const of_pass = schedule.rounds() * of_round;
    std::vector<double> times_s(how.passes * of_pass);
    for (std::uint64_t number = 0; number < how.passes; ++number) {
        for (auto const round : schedule.order(number)) {
            pass.run(round, std::span(times_s).subspan(number * of_pass + round * of_round, of_round));
        }
        run_together(ranks, [] { throw_if_interrupted(); });
    }
    share_values(ranks, times_s);
    std::vector<LinkTime> links;
    for (std::uint64_t round = 0; round < schedule.rounds(); ++round) {
        auto const pairs = schedule.pairs(round);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            std::vector<double> values_s;
            for (std::uint64_t number = 0; number < how.passes; ++number) {
                values_s.push_back(times_s[number * of_pass + round * of_round + i]);
            }
            links.push_back(link_time(pairs[i], std::move(values_s)));
        }
    }
    agree(ranks, {});
    return links;
}

}  // namespace weir
