#include "bench/compute/hpl/panel_broadcast.hpp"

#include <algorithm>

namespace weir {
namespace {

/// The messages of one rank, whose peers are counted from the root.
class Route {
  public:
    Route(std::uint64_t ranks, std::uint64_t root, std::uint64_t rank) : ranks_(ranks), root_(root), rank_(rank) {}

    /// Of `begin` .. `end` - 1, the first has it from the root, each next from the one before.
    void ring(std::uint64_t begin, std::uint64_t end, std::uint64_t count) {
        if (begin >= end) {
            return;
        }
        if (rank_ == 0) {
            send(begin, 0, count);
        } else if (rank_ >= begin && rank_ < end) {
            receive(rank_ == begin ? 0 : rank_ - 1, 0, count);
            if (rank_ + 1 < end) {
                send(rank_ + 1, 0, count);
            }
        }
    }

    /// The root gives each of itself and `begin` .. `ranks` - 1 a piece, and the pieces go round among them.
    void pieces(std::uint64_t begin, std::uint64_t count) {
        auto const members = ranks_ - begin + 1;
        if (members < 2 || (rank_ > 0 && rank_ < begin)) {
            return;
        }
        auto const member = rank_ == 0 ? 0 : rank_ - begin + 1;
        auto const relative = [&](std::uint64_t of) { return of == 0 ? 0 : of + begin - 1; };
        auto const at = [&](std::uint64_t piece) { return count * piece / members; };
        auto const piece_of = [&](std::uint64_t piece, auto move, std::uint64_t peer) {
            (this->*move)(peer, at(piece), at(piece + 1) - at(piece));
        };
        if (member == 0) {
            for (std::uint64_t other = 1; other < members; ++other) {
                piece_of(other, &Route::send, relative(other));
            }
        } else {
            piece_of(member, &Route::receive, 0);
        }
        auto const next = (member + 1) % members;
        auto const before = (member + members - 1) % members;
        for (std::uint64_t step = 0; step + 1 < members; ++step) {
            auto const leaving = (member + members - step) % members;
            auto const coming = (leaving + members - 1) % members;
            // The root has all pieces: nothing goes to it.
            if (next != 0) {
                piece_of(leaving, &Route::send, relative(next));
            }
            if (member != 0) {
                piece_of(coming, &Route::receive, relative(before));
            }
        }
    }

    std::vector<RouteStep> steps;

  private:
    void send(std::uint64_t peer, std::uint64_t offset, std::uint64_t count) { add(false, peer, offset, count); }
    void receive(std::uint64_t peer, std::uint64_t offset, std::uint64_t count) { add(true, peer, offset, count); }

    void add(bool receives, std::uint64_t peer, std::uint64_t offset, std::uint64_t count) {
        if (count > 0) {
            steps.push_back({receives, (peer + root_) % ranks_, offset, count});
        }
    }

    std::uint64_t ranks_;
    std::uint64_t root_;
    std::uint64_t rank_;  ///< counted from the root
};

}  // namespace

std::vector<RouteStep> route_steps(PanelRoute route, std::uint64_t ranks, std::uint64_t rank, std::uint64_t root,
                                   std::uint64_t count) {
    Route steps(ranks, root, (rank + ranks - root) % ranks);
    auto const modified = route == PanelRoute::ring_modified || route == PanelRoute::two_rings_modified ||
                          route == PanelRoute::pieces_modified;
    auto const begin = std::min<std::uint64_t>(modified ? 2 : 1, ranks);
    if (modified) {
        steps.ring(1, begin, count);
    }
    switch (route) {
        case PanelRoute::ring:
        case PanelRoute::ring_modified:
            steps.ring(begin, ranks, count);
            break;
        case PanelRoute::two_rings:
        case PanelRoute::two_rings_modified: {
            auto const middle = begin + (ranks - begin + 1) / 2;
            steps.ring(begin, middle, count);
            steps.ring(middle, ranks, count);
            break;
        }
        case PanelRoute::pieces:
        case PanelRoute::pieces_modified:
            steps.pieces(begin, count);
            break;
    }
    return steps.steps;
}

void PanelBroadcast::begin(std::span<double> numbers, std::uint64_t root, int tag) {
    numbers_ = numbers;
    tag_ = tag;
    steps_ = route_steps(route_, row_.size(), row_.rank(), root, numbers.size());
    next_ = 0;
    advance(false);
}

void PanelBroadcast::progress() {
    advance(false);
    int all_are_there = 0;
    check_mpi(MPI_Testall(static_cast<int>(sending_.size()), sending_.data(), &all_are_there, MPI_STATUSES_IGNORE),
              "cannot send a panel");
}

void PanelBroadcast::receive() { advance(true); }

void PanelBroadcast::finish() {
    advance(true);
    check_mpi(MPI_Waitall(static_cast<int>(sending_.size()), sending_.data(), MPI_STATUSES_IGNORE),
              "cannot send a panel");
    sending_.clear();
}

void PanelBroadcast::advance(bool wait) {
    for (; next_ < steps_.size(); ++next_) {
        auto const& step = steps_[next_];
        auto* const data = numbers_.data() + step.offset;
        auto const count = static_cast<int>(step.count);
        auto const peer = static_cast<int>(step.peer);
        if (!step.receives) {
            check_mpi(MPI_Isend(data, count, MPI_DOUBLE, peer, tag_, row_.handle(), &sending_.emplace_back()),
                      "cannot send a panel");
            continue;
        }
        if (receiving_ == MPI_REQUEST_NULL) {
            check_mpi(MPI_Irecv(data, count, MPI_DOUBLE, peer, tag_, row_.handle(), &receiving_),
                      "cannot receive a panel");
        }
        if (wait) {
            check_mpi(MPI_Wait(&receiving_, MPI_STATUS_IGNORE), "cannot receive a panel");
            continue;
        }
        int is_there = 0;
        check_mpi(MPI_Test(&receiving_, &is_there, MPI_STATUS_IGNORE), "cannot receive a panel");
        if (is_there == 0) {
            return;
        }
    }
}

}  // namespace weir
