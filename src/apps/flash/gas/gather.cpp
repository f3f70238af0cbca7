#include "apps/flash/gas/gather.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace weir::flash {
namespace {

std::size_t numbers_of(BlockPiece const& piece) { return variables * static_cast<std::size_t>(volume(piece.size)); }

std::size_t numbers_of(std::vector<BlockPiece> const& pieces) {
    std::size_t sum = 0;
    for (auto const& piece : pieces) {
        sum += numbers_of(piece);
    }
    expect(sum * sizeof(double) <= std::numeric_limits<int>::max(), "a message between two ranks below 2 GiB");
    return sum;
}

}  // namespace

Gather::Gather(Blocks const& blocks, std::vector<BlockPiece> needed)
    : comm_(blocks.comm()), needed_(std::move(needed)) {
    for (auto const& piece : needed_) {
        if (blocks.is_here(piece.block)) {
            place_.push_back(-1);
            giver_.push_back(0);
            continue;
        }
        auto& giver = with(from_, blocks.owner(piece.block));
        place_.push_back(static_cast<Index>(giver.data.size()));
        giver_.push_back(static_cast<std::size_t>(&giver - from_.data()));
        giver.pieces.push_back(piece);
        giver.data.resize(giver.data.size() + numbers_of(piece));
    }
    if (comm_.size() > 1) {
        agree_with_givers();
    }
}

Gather::GatherPartner& Gather::with(std::vector<GatherPartner>& partners, std::uint64_t rank) {
    // Blocks of one rank are adjacent: most often it is the last one.
    for (auto partner = partners.rbegin(); partner != partners.rend(); ++partner) {
        if (partner->rank == rank) {
            return *partner;
        }
    }
    return partners.emplace_back(GatherPartner{rank, {}, {}});
}

void Gather::agree_with_givers() {
    std::vector<std::uint64_t> asked(comm_.size());
    std::vector<std::uint64_t> wanted(comm_.size());
    std::vector<Communicator::Outgoing> requests;
    for (auto const& giver : from_) {
        asked[giver.rank] = giver.pieces.size();
        requests.push_back({giver.rank, std::as_bytes(std::span(giver.pieces))});
    }
    comm_.note(MPI_Alltoall(asked.data(), 1, MPI_UINT64_T, wanted.data(), 1, MPI_UINT64_T, comm_.handle()),
               "ranks cannot tell each other which blocks they need");
    for (std::uint64_t rank = 0; rank < comm_.size(); ++rank) {
        if (wanted[rank] > 0) {
            to_.push_back({rank, std::vector<BlockPiece>(wanted[rank]), {}});
        }
    }
    std::vector<Communicator::Incoming> replies;
    for (auto& taker : to_) {
        replies.push_back({taker.rank, std::as_writable_bytes(std::span(taker.pieces))});
    }
    comm_.exchange(requests, replies);
    for (auto& taker : to_) {
        taker.data.resize(numbers_of(taker.pieces));
    }
}

void Gather::exchange(Give const& give) {
    std::vector<Communicator::Outgoing> outgoing;
    for (auto& taker : to_) {
        auto* next = taker.data.data();
        for (auto const& piece : taker.pieces) {
            give(piece, next);
            next += numbers_of(piece);
        }
        outgoing.push_back({taker.rank, std::as_bytes(std::span(taker.data))});
    }
    std::vector<Communicator::Incoming> incoming;
    for (auto& giver : from_) {
        incoming.push_back({giver.rank, std::as_writable_bytes(std::span(giver.data))});
    }
    comm_.exchange(outgoing, incoming);
}

double const* Gather::get(std::size_t i, Give const& give) {
    if (place_[i] >= 0) {
        return received(i);
    }
    own_.resize(std::max(own_.size(), numbers_of(needed_[i])));
    give(needed_[i], own_.data());
    return own_.data();
}

}  // namespace weir::flash
