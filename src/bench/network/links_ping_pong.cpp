#include "bench/network/links_ping_pong.hpp"

namespace weir {

PairPingPong::PairPingPong(Communicator const& ranks, Clock const& clock, std::uint64_t bytes, SentMemory sent)
    : ranks_(ranks), clock_(clock), message_(bytes), sent_(bytes, sent), received_(bytes) {}

double PairPingPong::time_s(std::uint64_t partner, std::uint64_t calls) {
    auto const other = static_cast<int>(partner);
    auto from_s = clock_.now_s();
    for (std::uint64_t call = 0; call <= calls; ++call) {
        if (call == 1) {
            from_s = clock_.now_s();
        }
        send(other);
        receive(other);
    }
    return (clock_.now_s() - from_s) / (2 * static_cast<double>(calls));
}

void PairPingPong::answer(std::uint64_t partner, std::uint64_t calls) {
    auto const other = static_cast<int>(partner);
    for (std::uint64_t call = 0; call <= calls; ++call) {
        receive(other);
        send(other);
    }
}

void PairPingPong::send(int to) {
    ranks_.note(MPI_Send(sent_.data(), message_.count(), message_.type(), to, 0, ranks_.handle()),
                "ranks cannot exchange messages");
}

void PairPingPong::receive(int from) {
    ranks_.note(
        MPI_Recv(received_.data(), message_.count(), message_.type(), from, 0, ranks_.handle(), MPI_STATUS_IGNORE),
        "ranks cannot exchange messages");
}

}  // namespace weir
