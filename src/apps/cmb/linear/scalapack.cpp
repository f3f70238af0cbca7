// ScaLAPACK: the only code that is linked with it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "apps/cmb/model/linear.hpp"
#include "core/error.hpp"
#include "core/rank_progress.hpp"

// Of the BLACS (their C interface) and ScaLAPACK 2; Fortran hands over the lengths of its words behind all else.
extern "C" {
int Csys2blacs_handle(MPI_Comm);
void Cfree_blacs_system_handle(int);
void Cblacs_gridinit(int* context, char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void Cpdgemr2d(int m, int n, double const* a, int ia, int ja, int const* desc_a, double* b, int ib, int jb,
               int const* desc_b, int context);
void pdpotrf_(char const*, int const* n, double* a, int const* ia, int const* ja, int const* desc, int* info,
              std::size_t);
void pdpotri_(char const*, int const* n, double* a, int const* ia, int const* ja, int const* desc, int* info,
              std::size_t);
void pdgemm_(char const*, char const*, int const* m, int const* n, int const* k, double const* alpha, double const* a,
             int const* ia, int const* ja, int const* desc_a, double const* b, int const* ib, int const* jb,
             int const* desc_b, double const* beta, double* c, int const* ic, int const* jc, int const* desc_c);
void pdtran_(int const* m, int const* n, double const* alpha, double const* a, int const* ia, int const* ja,
             int const* desc_a, double const* beta, double* c, int const* ic, int const* jc, int const* desc_c);
}

namespace weir::cmb {
namespace {

using Descriptor = std::array<int, 9>;
constexpr int first = 1;

/// Ranks as a grid, row by row.
class Grid {
  public:
    Grid(Communicator const& ranks, std::uint64_t side)
        : system_(Csys2blacs_handle(ranks.handle())), context_(system_) {
        std::array<char, 2> order{"R"};
        Cblacs_gridinit(&context_, order.data(), static_cast<int>(side), static_cast<int>(side));
    }
    ~Grid() {
        Cblacs_gridexit(context_);
        Cfree_blacs_system_handle(system_);
    }
    Grid(Grid const&) = delete;
    Grid& operator=(Grid const&) = delete;

    [[nodiscard]] int context() const { return context_; }

  private:
    int system_;
    int context_;
};

Descriptor descriptor(int context, Shape const& shape, std::size_t local_rows) {
    auto const n = static_cast<int>(shape.pixels);
    auto const block = static_cast<int>(shape.block);
    return {1, context, n, n, block, block, 0, 0, static_cast<int>(std::max<std::size_t>(1, local_rows))};
}

class ScaLapack final : public Linear {
  public:
    ScaLapack(Communicator const& all, Communicator const& gang, Shape const& shape)
        : all_(all),
          shape_(shape),
          rank_{all.rank()},
          part_(shape, Among::all, rank_),
          grid_(all, shape.side(Among::all)),
          gang_grid_(gang, shape.side(Among::gang)),
          n_(static_cast<int>(shape.pixels)),
          of_all_(descriptor(grid_.context(), shape, part_.rows.size())),
          of_gang_(descriptor(gang_grid_.context(), shape,
                              shape.along(Among::gang).count(shape.row_of(Among::gang, rank_)))) {}

    void invert(std::span<double> a, std::span<double> work) override {
        int info = 0;
        pdpotrf_("L", &n_, a.data(), &first, &first, of_all_.data(), &info, 1);
        refuse(info);
        note_step();
        pdpotri_("L", &n_, a.data(), &first, &first, of_all_.data(), &info, 1);
        refuse(info);
        // What lies above the diagonal is not set.
        transposed(a.data(), work.data(), of_all_);
        part_.each([&](std::size_t place, std::uint64_t row, std::uint64_t column) {
            a[place] = row < column ? work[place] : a[place];
        });
    }

    void hand_over(std::span<double const> whole, std::uint64_t gang, std::span<double> part) override {
        auto to = of_gang_;
        if (shape_.gang_of(rank_) != gang) {
            to[1] = -1;  // no context: it takes no part there
        }
        Cpdgemr2d(n_, n_, whole.data(), first, first, of_all_.data(), part.data(), first, first, to.data(),
                  grid_.context());
    }

    /// In panels of columns, so that no call takes long: a rank that tells nothing for a while is taken for stalled.
    void multiply(std::span<double const> a, std::span<double const> b, std::span<double> c) override {
        constexpr double one = 1;
        constexpr double none = 0;
        constexpr double operations_of_a_panel = 1e10;
        auto const grid_block = static_cast<int>(shape_.block * shape_.side(Among::gang));
        auto const columns =
            operations_of_a_panel * static_cast<double>(shape_.ranks_of(Among::gang)) / (2.0 * n_ * n_);
        auto const panel = grid_block * static_cast<int>(1 + std::min(columns, static_cast<double>(n_)) / grid_block);
        for (int column = first; column <= n_; column += panel) {
            auto const width = std::min(panel, n_ + first - column);
            pdgemm_("N", "N", &n_, &width, &n_, &one, a.data(), &first, &first, of_gang_.data(), b.data(), &first,
                    &column, of_gang_.data(), &none, c.data(), &first, &column, of_gang_.data());
            note_step();
        }
    }

    void transpose(std::span<double const> a, std::span<double> t) override {
        transposed(a.data(), t.data(), of_gang_);
    }

  private:
    void transposed(double const* a, double* t, Descriptor const& of) const {
        constexpr double one = 1;
        constexpr double none = 0;
        pdtran_(&n_, &n_, &one, a, &first, &first, of.data(), &none, t, &first, &first, of.data());
    }

    void refuse(int info) const {
        if (all_.max(static_cast<std::uint64_t>(info != 0)) != 0) {
            throw Error({"the covariance of the data cannot be inverted",
                         fmt::format("ScaLAPACK's Cholesky factorisation fails (info = {})", info),
                         "Choose fewer bins, or check the memory and ScaLAPACK.", ExitCode::cannot_run});
        }
    }

    Communicator all_;
    Shape shape_;
    Rank rank_;
    MatrixPart part_;
    Grid grid_, gang_grid_;
    int n_;
    Descriptor of_all_, of_gang_;
};

[[maybe_unused]] bool const is_offered = [] {
    offer_linear([](Communicator const& all, Communicator const& gang, Shape const& shape) {
        return std::unique_ptr<Linear>(std::make_unique<ScaLapack>(all, gang, shape));
    });
    return true;
}();

}  // namespace
}  // namespace weir::cmb
