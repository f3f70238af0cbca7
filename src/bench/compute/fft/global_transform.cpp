#include "bench/compute/fft/global_transform.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/fast_clock.hpp"

namespace weir {
namespace {

/// Rows and columns of a tile that is transposed at once: long enough for the processor to fetch ahead in each row.
constexpr std::uint64_t tile = 64;

/// Numbers of a message, at most, but a column at least: it stays in a cache from packing to unpacking.
constexpr std::uint64_t numbers_of_message = 16384;

Complex root_of_unity(std::uint64_t power, std::uint64_t n) {
    auto const angle = -2 * std::numbers::pi * static_cast<double>(power) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle)};
}

/// Without the check for infinities that the operator of std::complex makes.
Complex fast_product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

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
      size_(size),
      shape_(fft_shape(size, comm.size())),
      memory_(2 * size / comm.size() * sizeof(Complex), pages),
      numbers_(reinterpret_cast<Complex*>(memory_.bytes().data())),
      other_(numbers_ + size / comm.size()) {
    auto const plans = [&](FftSign sign) {
        return Plans{library.plan(shape_.rows, shape_.columns / comm_.size(), sign, numbers_),
                     library.plan(shape_.columns, shape_.rows / comm_.size(), sign, numbers_)};
    };
    forward_ = plans(FftSign::forward);
    backward_ = plans(FftSign::backward);
    low_bits_ = static_cast<unsigned>(std::bit_width(size) + 1) / 2;
    low_roots_.resize(std::uint64_t{1} << low_bits_);
    for (std::uint64_t j = 0; j < low_roots_.size(); ++j) {
        low_roots_[j] = root_of_unity(j, size);
    }
    high_roots_.resize((size >> low_bits_) + 1);
    for (std::uint64_t j = 0; j < high_roots_.size(); ++j) {
        high_roots_[j] = root_of_unity(j << low_bits_, size);
    }
}

void GlobalTransform::run(FftSign sign) {
    auto const& plans = sign == FftSign::forward ? forward_ : backward_;
    auto const plain = [](std::uint64_t, std::uint64_t, Complex value) { return value; };
    auto const mask = low_roots_.size() - 1;
    auto const twiddle = [&](std::uint64_t row, std::uint64_t column, Complex value) {
        auto const power = row * column;
        auto const root = fast_product(low_roots_[power & mask], high_roots_[power >> low_bits_]);
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
    Part part;
    std::vector<Complex> sent;
    std::vector<Complex> received;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// Pieces for the other ranks, the nearest first, in parts.
std::vector<GlobalTransform::Part> GlobalTransform::parts(FftShape from) const {
    auto const columns = from.columns / comm_.size();
    auto const at_a_time = std::max<std::uint64_t>(numbers_of_message / (from.rows / comm_.size()), 1);
    std::vector<Part> parts;
    for (std::uint64_t step = 1; step < comm_.size(); ++step) {
        for (std::uint64_t first = 0; first < columns; first += at_a_time) {
            parts.push_back({step, first, std::min(at_a_time, columns - first)});
        }
    }
    return parts;
}

/// The numbers are this rank's rows of a matrix of that shape before, and its rows of the transposed one after. While a
/// part is on its way, the next is packed.
template <class Twiddle>
void GlobalTransform::transpose(FftShape from, Twiddle twiddle) {
    auto const ranks = comm_.size();
    auto const me = comm_.rank();
    auto const rows = from.rows / ranks;
    auto const columns = from.columns / ranks;
    // Some columns from global column `begin` on, column by column, at the distance `apart` of each other.
    auto const turn = [&](std::uint64_t begin, std::uint64_t count, Complex* to, std::uint64_t apart) {
        for (std::uint64_t row = 0; row < rows; row += tile) {
            for (std::uint64_t column = 0; column < count; column += tile) {
                for (auto c = column; c < std::min(column + tile, count); ++c) {
                    for (auto r = row; r < std::min(row + tile, rows); ++r) {
                        to[c * apart + r] = twiddle(rows * me + r, begin + c, numbers_[r * from.columns + begin + c]);
                    }
                }
            }
        }
    };
    auto const start = [&](InFlight& some, Part const& part) {
        some.part = part;
        some.sent.resize(part.columns * rows);
        some.received.resize(part.columns * rows);
        auto const to = (me + part.step) % ranks;
        turn(to * columns + part.first, part.columns, some.sent.data(), rows);
        auto const count = static_cast<int>(2 * some.sent.size());
        check_mpi(MPI_Irecv(some.received.data(), count, MPI_DOUBLE, static_cast<int>((me + ranks - part.step) % ranks),
                            0, comm_.handle(), &some.requests[0]),
                  "cannot receive a part of the transform");
        check_mpi(
            MPI_Isend(some.sent.data(), count, MPI_DOUBLE, static_cast<int>(to), 0, comm_.handle(), &some.requests[1]),
            "cannot send a part of the transform");
    };
    auto const finish = [&](InFlight& some) {
        check_mpi(MPI_Waitall(2, some.requests.data(), MPI_STATUSES_IGNORE), "cannot exchange parts of the transform");
        auto const sender = (me + ranks - some.part.step) % ranks;
        for (std::uint64_t column = 0; column < some.part.columns; ++column) {
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
    turn(me * columns, columns, other_ + me * rows, from.rows);
    if (!all.empty()) {
        finish(slots[(all.size() - 1) % slots.size()]);
    }
    std::swap(numbers_, other_);
}

}  // namespace weir
