#include "bench/network/rings_exchange.hpp"

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

constexpr int to_right = 1;
constexpr int to_left = 2;

}  // namespace

RingExchange::RingExchange(Communicator const& ranks, Clock const& clock, RingMeasurement const& how)
    : ranks_(ranks),
      clock_(clock),
      how_(how),
      calls_(how.calls),
      message_(how.bytes),
      left_{MessageBuffer(how.bytes, how.sent), MessageBuffer(how.bytes)},
      right_{MessageBuffer(how.bytes, how.sent), MessageBuffer(how.bytes)} {}

std::vector<double> RingExchange::times_s() {
    std::vector<double> least(how_.random_rings + 1);
    for (std::uint64_t repeat = 0; repeat < how_.repeats; ++repeat) {
        for (std::uint64_t ring = 0; ring < least.size(); ++ring) {
            auto const order = ring_order(ranks_.size(), ring, how_.seed);
            auto const slowest_s = ranks_.max(time_s(ring_neighbours(ranks_.rank(), order)));
            least[ring] = repeat == 0 ? slowest_s : std::min(least[ring], slowest_s);
        }
        run_together(ranks_, [] { throw_if_interrupted(); });
    }
    return least;
}

/// Of one message on this rank, by the faster way.
double RingExchange::time_s(RingNeighbours const& neighbours) {
    constexpr double messages = 2;
    double by_pairs_s = 0;
    for (bool enough = false; !enough;) {
        ranks_.barrier();
        by_pairs_s = mean_s([&] { send_and_receive(neighbours); });
        enough = ranks_.max(by_pairs_s) * static_cast<double>(calls_) >= least_s;
        if (!enough) {
            calls_ += (calls_ + 1) / 2;
        }
    }
    return std::min(by_pairs_s, mean_s([&] { exchange_at_once(neighbours); })) / messages;
}

/// Of one exchange, after one that is not timed.
template <class Exchange>
double RingExchange::mean_s(Exchange exchange) const {
    exchange();
    auto const from_s = clock_.now_s();
    for (std::uint64_t call = 0; call < calls_; ++call) {
        exchange();
    }
    return (clock_.now_s() - from_s) / static_cast<double>(calls_);
}

void RingExchange::send_and_receive(RingNeighbours const& neighbours) {
    auto const left = static_cast<int>(neighbours.left);
    auto const right = static_cast<int>(neighbours.right);
    auto const count = message_.count();
    MPI_Datatype const type = message_.type();
    check(MPI_Sendrecv(right_.sent.data(), count, type, right, to_right, left_.received.data(), count, type, left,
                       to_right, ranks_.handle(), MPI_STATUS_IGNORE));
    check(MPI_Sendrecv(left_.sent.data(), count, type, left, to_left, right_.received.data(), count, type, right,
                       to_left, ranks_.handle(), MPI_STATUS_IGNORE));
}

void RingExchange::exchange_at_once(RingNeighbours const& neighbours) {
    auto const left = static_cast<int>(neighbours.left);
    auto const right = static_cast<int>(neighbours.right);
    auto const count = message_.count();
    MPI_Datatype const type = message_.type();
    MPI_Comm const comm = ranks_.handle();
    MPI_Request requests[4];
    check(MPI_Irecv(left_.received.data(), count, type, left, to_right, comm, &requests[0]));
    check(MPI_Irecv(right_.received.data(), count, type, right, to_left, comm, &requests[1]));
    check(MPI_Isend(right_.sent.data(), count, type, right, to_right, comm, &requests[2]));
    check(MPI_Isend(left_.sent.data(), count, type, left, to_left, comm, &requests[3]));
    check(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
}

}  // namespace weir
