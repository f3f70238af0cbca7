#pragma once

#include <array>
#include <memory>
#include <vector>

#include "bench/compute/fft/roots_of_unity.hpp"
#include "bench/compute/fft/transform.hpp"
#include "bench/compute/linear/node_buffer.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// Rows and columns of the matrix as which one long sequence is transformed, N = rows x columns: as near to square as
/// both being multiples of the ranks allows; 0 x 0 if there are none. Pure.
struct FftShape {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};
FftShape fft_shape(std::uint64_t size, std::uint64_t ranks);

/// The largest size that has a shape and is a power of two times ranks^2, and at most `most` (HPCC's choice). Pure.
std::uint64_t fft_size_below(std::uint64_t most, std::uint64_t ranks);

/// One transform of N numbers over all ranks, each of which has N / ranks in a row, in natural order before and after:
/// by columns and by rows of a matrix, with twiddle factors between, and three transpositions of it (the six-step
/// algorithm, D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4, 1990).
class GlobalTransform {
  public:
    /// Plans it, which takes as long as the library takes. Has memory for twice the rank's numbers, a NodeBuffer.
    /// Collective, and throws on all ranks together.
    GlobalTransform(Communicator const&, TransformLibrary const&, std::uint64_t size, Pages = Pages::usual);

    /// This rank's, elsewhere after each transform.
    [[nodiscard]] Complex* numbers() const { return numbers_; }

    /// Transforms them, not scaled. Collective.
    void run(FftSign);

    /// Seconds of this rank in each part of the last one: transposition, columns, transposition with twiddle factors,
    /// rows, transposition.
    [[nodiscard]] std::array<double, 5> const& parts_s() const { return parts_s_; }

  private:
    /// Columns of the piece that one rank has for another.
    struct PartForRank {
        std::uint64_t step = 0;  ///< from this rank to that one
        std::uint64_t first = 0;
        std::uint64_t columns = 0;
    };
    struct InFlight;

    template <class Twiddle>
    void transpose(FftShape from, Twiddle twiddle);
    template <class Turn>
    void exchange(FftShape from, Turn turn);
    [[nodiscard]] std::vector<PartForRank> parts(FftShape from) const;
    [[nodiscard]] Complex const* numbers_of(std::uint64_t rank) const;
    void plan(TransformLibrary const&);

    struct Plans {
        std::unique_ptr<Transform> columns;
        std::unique_ptr<Transform> rows;
    };

    Communicator comm_;
    FftShape shape_;
    std::array<double, 5> parts_s_{};
    NodeBuffer memory_;
    Complex* numbers_;
    Complex* other_;
    Plans forward_;
    Plans backward_;
    RootsOfUnity roots_;
};

}  // namespace weir
