#pragma once

#include <cstdint>
#include <string>

#include "core/json_fwd.hpp"

namespace weir {

/// What the tests of the HPC Challenge need of a BLAS, on column-major matrices of doubles: A is m x k unless a
/// function says otherwise, `ld` is the distance of its columns. The library is loaded at run time, so that Weir is not
/// linked with it (ADR 44): a start of OpenBLAS makes threads, which would disturb all other benchmarks.
class Blas {
  public:
    /// The library of this name or path; "auto" takes the first that is there of OpenBLAS, MKL, BLIS and the system's
    /// BLAS. Loaded once, and set to so many threads each time. Local. Throws Error: cannot_run if there is none, usage
    /// if it has no threads to set.
    static Blas const& load(std::string const& library, std::uint64_t threads);

    /// C <- beta C + alpha A B, of m x n.
    void gemm(std::uint64_t m, std::uint64_t n, std::uint64_t k, double alpha, double const* a, std::uint64_t lda,
              double const* b, std::uint64_t ldb, double beta, double* c, std::uint64_t ldc) const;

    /// The same, where A and B lie row by row.
    void gemm_by_rows(std::uint64_t m, std::uint64_t n, std::uint64_t k, double alpha, double const* a,
                      std::uint64_t lda, double const* b, std::uint64_t ldb, double beta, double* c,
                      std::uint64_t ldc) const;

    /// B <- L^-1 B, of a lower triangle of m x m with a unit diagonal, and B of m x n.
    void solve_unit_lower(std::uint64_t m, std::uint64_t n, double const* l, std::uint64_t ldl, double* b,
                          std::uint64_t ldb) const;

    /// x <- U^-1 x, of an upper triangle of n x n, row by row.
    void solve_upper_by_rows(std::uint64_t n, double const* u, std::uint64_t ldu, double* x) const;

    /// y <- y + alpha A x, of m x n.
    void multiply_add(std::uint64_t m, std::uint64_t n, double alpha, double const* a, std::uint64_t lda,
                      double const* x, double* y) const;

    /// The same, where A lies row by row.
    void multiply_add_by_rows(std::uint64_t m, std::uint64_t n, double alpha, double const* a, std::uint64_t lda,
                              double const* x, double* y) const;

    /// The place of the number of greatest magnitude; the first of equals.
    [[nodiscard]] std::uint64_t greatest(std::uint64_t n, double const* x) const;

    [[nodiscard]] std::string const& library() const { return library_; }  ///< its path
    [[nodiscard]] std::string const& version() const { return version_; }  ///< in its own words; empty if it has none
    [[nodiscard]] std::string const& kernel() const { return kernel_; }    ///< OpenBLAS: the processor it is made for
    [[nodiscard]] std::uint64_t threads() const { return threads_; }

  private:
    explicit Blas(std::string const& name);
    void use_threads(std::uint64_t threads);
    void take_buffers();

    void* handle_ = nullptr;
    std::string library_;
    std::string version_;
    std::string kernel_;
    std::uint64_t threads_ = 1;
    std::uint64_t with_buffers_ = 0;  ///< of these threads
    void* gemm_ = nullptr;
    void* trsm_ = nullptr;
    void* trsv_ = nullptr;
    void* gemv_ = nullptr;
    void* iamax_ = nullptr;
};

/// Which it was, for a sample's details.
Json to_json(Blas const&);

}  // namespace weir
