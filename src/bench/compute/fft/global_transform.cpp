#include "bench/compute/fft/global_transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace weir {
namespace {

/// Numbers of a tile that is transposed at once: two tiles fit into the first cache.
constexpr std::uint64_t tile = 16;

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

GlobalTransform::GlobalTransform(Communicator const& comm, TransformLibrary const& library, std::uint64_t size)
    : comm_(comm),
      size_(size),
      shape_(fft_shape(size, comm.size())),
      memory_(3 * size / comm.size() * sizeof(Complex)),
      work_(reinterpret_cast<Complex*>(memory_.bytes().data())),
      sent_(work_ + size / comm.size()),
      received_(sent_ + size / comm.size()) {
    auto const plans = [&](FftSign sign) {
        return Plans{library.plan(shape_.rows, shape_.columns / comm_.size(), sign, work_),
                     library.plan(shape_.columns, shape_.rows / comm_.size(), sign, work_)};
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

void GlobalTransform::run(Complex* numbers, FftSign sign) const {
    auto const& plans = sign == FftSign::forward ? forward_ : backward_;
    auto const plain = [](std::uint64_t, std::uint64_t, Complex value) { return value; };
    FftShape const turned{shape_.columns, shape_.rows};
    transpose(numbers, work_, shape_, plain);
    plans.columns->run(work_);
    auto const mask = low_roots_.size() - 1;
    transpose(work_, numbers, turned, [&](std::uint64_t row, std::uint64_t column, Complex value) {
        auto const power = row * column;
        auto const root = fast_product(low_roots_[power & mask], high_roots_[power >> low_bits_]);
        return fast_product(value, sign == FftSign::forward ? root : std::conj(root));
    });
    plans.rows->run(numbers);
    transpose(numbers, work_, shape_, plain);
    std::copy_n(work_, size_ / comm_.size(), numbers);
}

/// `in` has this rank's rows of a matrix of that shape, `out` gets its rows of the transposed one.
template <class Twiddle>
void GlobalTransform::transpose(Complex const* in, Complex* out, FftShape from, Twiddle twiddle) const {
    auto const ranks = comm_.size();
    auto const rows = from.rows / ranks;
    auto const columns = from.columns / ranks;
    auto const first_row = rows * comm_.rank();
    auto const piece = rows * columns;
    // The columns of one rank, column by column, at the distance `apart` of each other.
    auto const turn = [&](std::uint64_t rank, Complex* to, std::uint64_t apart) {
        for (std::uint64_t column = 0; column < columns; column += tile) {
            for (std::uint64_t row = 0; row < rows; row += tile) {
                for (auto c = column; c < std::min(column + tile, columns); ++c) {
                    for (auto r = row; r < std::min(row + tile, rows); ++r) {
                        auto const at = rank * columns + c;
                        to[c * apart + r] = twiddle(first_row + r, at, in[r * from.columns + at]);
                    }
                }
            }
        }
    };
    std::vector<MPI_Request> receiving(ranks, MPI_REQUEST_NULL);
    std::vector<MPI_Request> sending(ranks, MPI_REQUEST_NULL);
    constexpr int numbers_of_complex = 2;
    auto const count = static_cast<int>(numbers_of_complex * piece);
    for (std::uint64_t step = 1; step < ranks; ++step) {
        auto const from_rank = (comm_.rank() + ranks - step) % ranks;
        check_mpi(MPI_Irecv(received_ + from_rank * piece, count, MPI_DOUBLE, static_cast<int>(from_rank), 0,
                            comm_.handle(), &receiving[from_rank]),
                  "cannot receive a part of the transform");
    }
    for (std::uint64_t step = 1; step < ranks; ++step) {
        auto const to_rank = (comm_.rank() + step) % ranks;
        turn(to_rank, sent_ + to_rank * piece, rows);
        check_mpi(MPI_Isend(sent_ + to_rank * piece, count, MPI_DOUBLE, static_cast<int>(to_rank), 0, comm_.handle(),
                            &sending[to_rank]),
                  "cannot send a part of the transform");
    }
    turn(comm_.rank(), out + comm_.rank() * rows, from.rows);
    for (std::uint64_t step = 1; step < ranks; ++step) {
        int which = 0;
        check_mpi(MPI_Waitany(static_cast<int>(ranks), receiving.data(), &which, MPI_STATUS_IGNORE),
                  "cannot receive a part of the transform");
        auto const rank = static_cast<std::uint64_t>(which);
        for (std::uint64_t column = 0; column < columns; ++column) {
            std::copy_n(received_ + rank * piece + column * rows, rows, out + column * from.rows + rank * rows);
        }
    }
    check_mpi(MPI_Waitall(static_cast<int>(ranks), sending.data(), MPI_STATUSES_IGNORE),
              "cannot send a part of the transform");
}

}  // namespace weir
