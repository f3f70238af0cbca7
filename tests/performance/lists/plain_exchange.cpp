#include "lists/plain_exchange.hpp"

#include <algorithm>
#include <numeric>

namespace weir::performance {
namespace {

struct Counts {
    std::vector<int> sent, send_at, received, receive_at;

    explicit Counts(std::size_t ranks) : sent(ranks), send_at(ranks), received(ranks), receive_at(ranks) {}

    void exchange(MPI_Comm comm) {
        MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
        std::exclusive_scan(sent.begin(), sent.end(), send_at.begin(), 0);
        std::exclusive_scan(received.begin(), received.end(), receive_at.begin(), 0);
    }
    [[nodiscard]] std::size_t all_received() const {
        return static_cast<std::size_t>(receive_at.back() + received.back());
    }
};

template <class T>
std::vector<T> sent(Counts const& counts, std::vector<T> const& values, MPI_Datatype type, MPI_Comm comm) {
    std::vector<T> got(counts.all_received());
    MPI_Alltoallv(values.data(), counts.sent.data(), counts.send_at.data(), type, got.data(), counts.received.data(),
                  counts.receive_at.data(), type, comm);
    return got;
}

}  // namespace

std::vector<double> exchange_plainly(Communicator const& comm, Decomposition const& mine,
                                     std::vector<double> const& values) {
    auto const ranks = static_cast<std::int64_t>(comm.size());
    auto const begin = [&](std::int64_t owner) { return mine.elements / ranks * owner; };
    auto const owner_of = [&](std::int64_t at) { return std::min(ranks - 1, at / (mine.elements / ranks)); };
    Counts pieces(comm.size());
    Counts elements(comm.size());
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> lengths;
    for (std::size_t i = 0; i < mine.offsets.size(); ++i) {
        auto const end = mine.offsets[i] + mine.lengths[i];
        for (auto at = mine.offsets[i]; at < end;) {  // a piece may lie in several parts
            auto const owner = owner_of(at);
            auto const length = std::min(end, owner + 1 < ranks ? begin(owner + 1) : mine.elements) - at;
            offsets.push_back(at);
            lengths.push_back(length);
            ++pieces.sent[static_cast<std::size_t>(owner)];
            elements.sent[static_cast<std::size_t>(owner)] += static_cast<int>(length);
            at += length;
        }
    }
    pieces.exchange(comm.handle());
    elements.exchange(comm.handle());
    auto const their_offsets = sent(pieces, offsets, MPI_INT64_T, comm.handle());
    auto const their_lengths = sent(pieces, lengths, MPI_INT64_T, comm.handle());
    auto const their_values = sent(elements, values, MPI_DOUBLE, comm.handle());
    auto const rank = static_cast<std::int64_t>(comm.rank());
    auto const end = rank + 1 < ranks ? begin(rank + 1) : mine.elements;
    std::vector<double> part(static_cast<std::size_t>(end - begin(rank)));
    auto const* from = their_values.data();
    for (std::size_t i = 0; i < their_offsets.size(); ++i) {
        std::copy_n(from, their_lengths[i], part.begin() + (their_offsets[i] - begin(rank)));
        from += their_lengths[i];
    }
    return part;
}

}  // namespace weir::performance
