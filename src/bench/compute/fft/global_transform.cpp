#include "bench/compute/fft/global_transform.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "comm/collective_error.hpp"
#include "core/fast_clock.hpp"

namespace weir {
namespace {

/// Rows and columns of a tile that is transposed at once: long enough for the processor to fetch ahead in each row.
constexpr std::uint64_t tile = 64;

/// Numbers of a message, at most, but a column at least: it stays in a cache from packing to unpacking.
constexpr std::uint64_t numbers_of_message = 16384;

}  // namespace

FftShape fft_shape(std::uint64_t size, std::uint64_t ranks) {
    FftShape best;
    if (size == 0 || size % ranks != 0) {
        return best;
    }
    for (std::uint64_t rows = ranks; rows * rows <= size; rows += ranks) {
        if (size % rows == 0 && (size / rows) % ranks == 0) {
            best = {rows, size / rows};
        }
    }
    return best;
}

std::uint64_t fft_size_below(std::uint64_t most, std::uint64_t ranks) {
    auto const square = ranks * ranks;
    return most < square ? square : std::bit_floor(most / square) * square;
}

GlobalTransform::GlobalTransform(Communicator const& comm, TransformLibrary const& library, std::uint64_t size,
                                 Pages pages)
    : comm_(comm),
      shape_(fft_shape(size, comm.size())),
      memory_(comm, 2 * size / comm.size() * sizeof(Complex), pages),
      numbers_(reinterpret_cast<Complex*>(memory_.of(comm.rank()))),
      other_(numbers_ + size / comm.size()),
      roots_(size) {
    run_together(comm, [&] { plan(library); });
}

/// Local.
void GlobalTransform::plan(TransformLibrary const& library) {
    auto const plans = [&](FftSign sign) {
        return Plans{library.plan(shape_.rows, shape_.columns / comm_.size(), sign, numbers_),
                     library.plan(shape_.columns, shape_.rows / comm_.size(), sign, numbers_)};
    };
    forward_ = plans(FftSign::forward);
    backward_ = plans(FftSign::backward);
}

void GlobalTransform::run(FftSign sign) {
    auto const& plans = sign == FftSign::forward ? forward_ : backward_;
    auto const plain = [](std::uint64_t, std::uint64_t, Complex value) { return value; };
    auto const twiddle = [&](std::uint64_t row, std::uint64_t column, Complex value) {
        auto const root = roots_[row * column];
        return fast_product(value, sign == FftSign::forward ? root : std::conj(root));
    };
    auto from_s = FastClock::shared().now_s();
    auto const note = [&](std::size_t part) {
        auto const now_s = FastClock::shared().now_s();
        parts_s_.at(part) = now_s - from_s;
        from_s = now_s;
    };
    transpose(shape_, plain);
    note(0);
    plans.columns->run(numbers_);
    note(1);
    transpose({shape_.columns, shape_.rows}, twiddle);
    note(2);
    plans.rows->run(numbers_);
    note(3);
    transpose(shape_, plain);
    note(4);
}

/// A message on its way, and the one that comes meanwhile.
struct GlobalTransform::InFlight {
    PartForRank part;
    std::vector<Complex> sent;
    std::vector<Complex> received;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// Pieces for the other ranks, the nearest first, in parts.
std::vector<GlobalTransform::PartForRank> GlobalTransform::parts(FftShape from) const {
    auto const columns = from.columns / comm_.size();
    auto const at_a_time = std::max<std::uint64_t>(numbers_of_message / (from.rows / comm_.size()), 1);
    std::vector<PartForRank> parts;
    for (std::uint64_t step = 1; step < comm_.size(); ++step) {
        auto const is_seen = [&](std::uint64_t distance) {
            return memory_.of((comm_.rank() + distance) % comm_.size()) != nullptr;
        };
        if (is_seen(step) && is_seen(comm_.size() - step)) {
            continue;
        }
        for (std::uint64_t first = 0; first < columns; first += at_a_time) {
            parts.push_back({step, first, std::min(at_a_time, columns - first)});
        }
    }
    return parts;
}

/// A rank's numbers, before a transposition, in the same half of its memory as this one's; null on another node.
Complex const* GlobalTransform::numbers_of(std::uint64_t rank) const {
    auto const* const memory = memory_.of(rank);
    auto const half = reinterpret_cast<std::byte*>(numbers_) - memory_.of(comm_.rank());
    return memory == nullptr ? nullptr : reinterpret_cast<Complex const*>(memory + half);
}

/// The numbers are this rank's rows of a matrix of that shape before, and its rows of the transposed one after. What
/// this rank sees of others it takes from their memory: their numbers stay until all are at the next transposition.
template <class Twiddle>
void GlobalTransform::transpose(FftShape from, Twiddle twiddle) {
    auto const ranks = comm_.size();
    auto const me = comm_.rank();
    auto const rows = from.rows / ranks;
    auto const columns = from.columns / ranks;
    // Of a rank's rows, some columns from global column `begin` on, column by column, at the distance `apart`.
    auto const turn = [&](std::uint64_t rank, std::uint64_t begin, std::uint64_t count, Complex* to,
                          std::uint64_t apart) {
        auto const* const numbers = numbers_of(rank);
        for (std::uint64_t row = 0; row < rows; row += tile) {
            for (std::uint64_t column = 0; column < count; column += tile) {
                for (auto c = column; c < std::min(column + tile, count); ++c) {
                    for (auto r = row; r < std::min(row + tile, rows); ++r) {
                        to[c * apart + r] = twiddle(rows * rank + r, begin + c, numbers[r * from.columns + begin + c]);
                    }
                }
            }
        }
    };
    memory_.wait();
    exchange(from, turn);
    for (std::uint64_t step = 0; step < ranks; ++step) {
        auto const rank = (me + step) % ranks;
        if (numbers_of(rank) != nullptr) {
            turn(rank, me * columns, columns, other_ + rank * rows, from.rows);
        }
    }
    std::swap(numbers_, other_);
}

/// With ranks of other nodes, by messages. While a part is on its way, the next is packed.
template <class Turn>
void GlobalTransform::exchange(FftShape from, Turn turn) {
    auto const ranks = comm_.size();
    auto const me = comm_.rank();
    auto const rows = from.rows / ranks;
    auto const columns = from.columns / ranks;
    auto const start = [&](InFlight& some, PartForRank const& part) {
        some.part = part;
        auto const to = (me + part.step) % ranks;
        auto const sender = (me + ranks - part.step) % ranks;
        auto const count = part.columns * rows;
        if (memory_.of(sender) == nullptr) {
            some.received.resize(count);
            check_mpi(MPI_Irecv(some.received.data(), static_cast<int>(2 * count), MPI_DOUBLE, static_cast<int>(sender),
                                0, comm_.handle(), &some.requests[0]),
                      "cannot receive a part of the transform");
        }
        if (memory_.of(to) == nullptr) {
            some.sent.resize(count);
            turn(me, to * columns + part.first, part.columns, some.sent.data(), rows);
            check_mpi(MPI_Isend(some.sent.data(), static_cast<int>(2 * count), MPI_DOUBLE, static_cast<int>(to), 0,
                                comm_.handle(), &some.requests[1]),
                      "cannot send a part of the transform");
        }
    };
    auto const finish = [&](InFlight& some) {
        check_mpi(MPI_Waitall(2, some.requests.data(), MPI_STATUSES_IGNORE), "cannot exchange parts of the transform");
        auto const sender = (me + ranks - some.part.step) % ranks;
        for (std::uint64_t column = 0; memory_.of(sender) == nullptr && column < some.part.columns; ++column) {
            std::copy_n(some.received.data() + column * rows, rows,
                        other_ + (some.part.first + column) * from.rows + sender * rows);
        }
    };
    auto const all = parts(from);
    std::array<InFlight, 2> slots;
    for (std::size_t i = 0; i < all.size(); ++i) {
        start(slots[i % slots.size()], all[i]);
        if (i > 0) {
            finish(slots[(i - 1) % slots.size()]);
        }
    }
    if (!all.empty()) {
        finish(slots[(all.size() - 1) % slots.size()]);
    }
}

}  // namespace weir
