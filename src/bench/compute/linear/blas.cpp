#include "bench/compute/linear/blas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <cstdlib>
#include <map>
#include <vector>

#include "bench/compute/linear/shared_library.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

// The standard C interface of BLAS (BLAS Technical Forum, annex B): its constants, and integers of 32 bits.
enum CblasWord {
    row_major = 101,
    column_major = 102,
    plain = 111,
    transposed = 112,
    upper = 121,
    lower = 122,
    non_unit = 131,
    unit = 132,
    left = 141
};
using Gemm = void(int, int, int, int, int, int, double, double const*, int, double const*, int, double, double*, int);
using Trsm = void(int, int, int, int, int, int, int, double, double const*, int, double*, int);
using Trsv = void(int, int, int, int, int, double const*, int, double*, int);
using Gemv = void(int, int, int, int, double, double const*, int, double const*, int, double, double*, int);

constexpr std::array known_libraries{"libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libmkl_rt.so.1",
                                     "libblis.so.4",     "libblas.so.3",   "libblas.so"};

[[noreturn]] void refuse_blas(std::string const& asked, std::string reason) {
    auto problem = asked == "auto" ? std::string("no BLAS was found") : "the BLAS '" + asked + "' cannot be used";
    throw Error({std::move(problem), std::move(reason),
                 "Install one (Debian: libopenblas0-pthread), or give the path of another with --blas.",
                 ExitCode::cannot_run});
}

void* open_library(std::string const& asked) {
    // OpenBLAS starts its threads as it is loaded, and as many as the machine has cores unless it is told.
    setenv("OPENBLAS_NUM_THREADS", "1", 0);  // NOLINT(concurrency-mt-unsafe)
    std::string why_not;
    if (asked != "auto") {
        if (auto* found = open_shared_library(asked, why_not)) {
            return found;
        }
        refuse_blas(asked, why_not);
    }
    std::string names;
    std::string first_reason;
    for (auto const* name : known_libraries) {
        if (auto* found = open_shared_library(name, why_not)) {
            return found;
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
        first_reason = first_reason.empty() ? why_not : first_reason;
    }
    refuse_blas(asked, fmt::format("none of these can be loaded: {}; the first: {}", names, first_reason));
}

template <class Function>
Function* function_of(void* symbol) {
    return reinterpret_cast<Function*>(symbol);
}

int narrow(std::uint64_t size) { return static_cast<int>(size); }

}  // namespace

Json to_json(Blas const& blas) {
    return {{"library", blas.library()},
            {"version", blas.version()},
            {"kernel", blas.kernel()},
            {"threads", blas.threads()}};
}

Blas const& Blas::load(std::string const& library, std::uint64_t threads) {
    static std::map<std::string, Blas> loaded;
    auto found = loaded.find(library);
    if (found == loaded.end()) {
        found = loaded.emplace(library, Blas(library)).first;
    }
    found->second.use_threads(threads);
    found->second.take_buffers();
    return found->second;
}

Blas::Blas(std::string const& name) {
    auto* library = open_library(name);
    handle_ = library;
    auto const need = [&](char const* symbol) {
        auto* found = dlsym(library, symbol);
        if (found == nullptr) {
            refuse_blas(name, std::string("it has no ") + symbol);
        }
        return found;
    };
    gemm_ = need("cblas_dgemm");
    trsm_ = need("cblas_dtrsm");
    trsv_ = need("cblas_dtrsv");
    gemv_ = need("cblas_dgemv");
    iamax_ = need("cblas_idamax");
    Dl_info where{};
    library_ = dladdr(gemm_, &where) != 0 && where.dli_fname != nullptr ? where.dli_fname : name;
    if (auto* words = dlsym(library, "openblas_get_config")) {
        version_ = function_of<char*()>(words)();
    }
    if (auto* words = dlsym(library, "openblas_get_corename")) {
        kernel_ = function_of<char*()>(words)();
    }
}

/// Each library has a function of its own for this; a BLAS without one has no threads.
void Blas::use_threads(std::uint64_t threads) {
    constexpr std::array names{"openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads"};
    threads_ = 1;
    for (auto const* name : names) {
        if (auto* found = dlsym(handle_, name)) {
            function_of<void(int)>(found)(static_cast<int>(threads));
            threads_ = threads;
            break;
        }
    }
    if (auto* found = dlsym(handle_, "openblas_get_num_threads")) {
        threads_ = static_cast<std::uint64_t>(function_of<int()>(found)());
    }
    validate(threads_ == threads, "the BLAS " + library_ + " does not take so many threads",
             "a rank was to have " + std::to_string(threads) + ", and has " + std::to_string(threads_),
             "take fewer --threads, or another BLAS");
}

/// OpenBLAS maps 128 MiB for each thread at its first product that is not small, and where it cannot, it tries for
/// ever: so the first one is made here, where an error can be told and nothing is measured.
void Blas::take_buffers() {
    if (threads_ <= with_buffers_) {
        return;
    }
    constexpr auto of_thread = std::uint64_t{160} << 20U;
    auto const left = address_space_left();
    if (left && left->value < threads_ * of_thread) {
        throw Error({"the BLAS " + library_ + " has no room for its buffers",
                     fmt::format("it may take {} MiB, and the limit of the address space (ulimit -v) leaves {} MiB",
                                 (threads_ * of_thread) >> 20U, left->value >> 20U),
                     "Raise the limit.", ExitCode::cannot_run});
    }
    constexpr std::uint64_t order = 128;
    std::vector<double> const zeros(order * order);
    std::vector<double> product(order * order);
    gemm(order, order, order, 1.0, zeros.data(), order, zeros.data(), order, 0.0, product.data(), order);
    with_buffers_ = threads_;
}

void Blas::gemm(std::uint64_t m, std::uint64_t n, std::uint64_t k, double alpha, double const* a, std::uint64_t lda,
                double const* b, std::uint64_t ldb, double beta, double* c, std::uint64_t ldc) const {
    if (m > 0 && n > 0) {
        function_of<Gemm>(gemm_)(column_major, plain, plain, narrow(m), narrow(n), narrow(k), alpha, a, narrow(lda), b,
                                 narrow(ldb), beta, c, narrow(ldc));
    }
}

void Blas::gemm_by_rows(std::uint64_t m, std::uint64_t n, std::uint64_t k, double alpha, double const* a,
                        std::uint64_t lda, double const* b, std::uint64_t ldb, double beta, double* c,
                        std::uint64_t ldc) const {
    if (m > 0 && n > 0) {
        function_of<Gemm>(gemm_)(column_major, transposed, transposed, narrow(m), narrow(n), narrow(k), alpha, a,
                                 narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
    }
}

void Blas::solve_unit_lower(std::uint64_t m, std::uint64_t n, double const* l, std::uint64_t ldl, double* b,
                            std::uint64_t ldb) const {
    if (m > 0 && n > 0) {
        function_of<Trsm>(trsm_)(column_major, left, lower, plain, unit, narrow(m), narrow(n), 1.0, l, narrow(ldl), b,
                                 narrow(ldb));
    }
}

void Blas::solve_upper_by_rows(std::uint64_t n, double const* u, std::uint64_t ldu, double* x) const {
    if (n > 0) {
        function_of<Trsv>(trsv_)(row_major, upper, plain, non_unit, narrow(n), u, narrow(ldu), x, 1);
    }
}

void Blas::multiply_add(std::uint64_t m, std::uint64_t n, double alpha, double const* a, std::uint64_t lda,
                        double const* x, double* y) const {
    if (m > 0 && n > 0) {
        function_of<Gemv>(gemv_)(column_major, plain, narrow(m), narrow(n), alpha, a, narrow(lda), x, 1, 1.0, y, 1);
    }
}

void Blas::multiply_add_by_rows(std::uint64_t m, std::uint64_t n, double alpha, double const* a, std::uint64_t lda,
                                double const* x, double* y) const {
    if (m > 0 && n > 0) {
        function_of<Gemv>(gemv_)(row_major, plain, narrow(m), narrow(n), alpha, a, narrow(lda), x, 1, 1.0, y, 1);
    }
}

std::uint64_t Blas::greatest(std::uint64_t n, double const* x) const {
    return function_of<std::size_t(int, double const*, int)>(iamax_)(narrow(n), x, 1);
}

}  // namespace weir
