#include "bench/compute/stream/stream_kernels.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "bench/compute/linear/numbers.hpp"

namespace weir {
namespace {

/// p x + q y, as which each kernel can be written.
struct Sum {
    double const* x;
    double p;
    double const* y;
    double q;
};

#if defined(__x86_64__)
// Past the caches, from the first element on; how many of them, the others do not fill a line of each third. The thirds
// of the vectors side by side, fetched ahead: with more on its way at a time, a core reads more while it writes.

constexpr std::uint64_t line = 8;  ///< of the cache: so many elements
constexpr std::uint64_t thirds = 3;

/// Elements of a third: their beginnings lie apart in a page, so that they do not fall into the same sets of a cache.
std::uint64_t third_of(std::uint64_t size) {
    constexpr std::uint64_t page = 4096 / sizeof(double);
    constexpr auto apart = page / thirds / line * line;
    auto const third = size / (thirds * line) * line;
    return third < page ? third : (third - apart) / page * page + apart;
}

inline void fetch_ahead(Sum const& of, std::uint64_t i) {
    constexpr std::uint64_t ahead = 192;
    __builtin_prefetch(of.x + i + ahead);
    __builtin_prefetch(of.y + i + ahead);
}

std::uint64_t stream_pairs(double* __restrict to, Sum const& of, std::uint64_t size) {
    auto const p = _mm_set1_pd(of.p);
    auto const q = _mm_set1_pd(of.q);
    auto const third = third_of(size);
    for (std::uint64_t i = 0; i < third; i += line) {
        for (auto first = i; first < thirds * third; first += third) {
            fetch_ahead(of, first);
            for (auto at = first; at < first + line; at += 2) {
                auto const part = _mm_mul_pd(q, _mm_load_pd(of.y + at));
                _mm_stream_pd(to + at, _mm_add_pd(_mm_mul_pd(p, _mm_load_pd(of.x + at)), part));
            }
        }
    }
    return thirds * third;
}

/// A line at a time, which a processor with such registers writes faster than in parts.
__attribute__((target("avx512f"))) std::uint64_t stream_lines(double* __restrict to, Sum const& of,
                                                              std::uint64_t size) {
    auto const p = _mm512_set1_pd(of.p);
    auto const q = _mm512_set1_pd(of.q);
    auto const third = third_of(size);
    for (std::uint64_t i = 0; i < third; i += line) {
        for (auto at = i; at < thirds * third; at += third) {
            fetch_ahead(of, at);
            auto const part = _mm512_mul_pd(q, _mm512_load_pd(of.y + at));
            _mm512_stream_pd(to + at, _mm512_fmadd_pd(p, _mm512_load_pd(of.x + at), part));
        }
    }
    return thirds * third;
}
#endif

/// to[i] <- compute(x[i], y[i]), which is p x + q y. Its loop is as plain as the original's: compilers know it.
template <class Compute>
void fill_vector(double* __restrict to, double const* __restrict x, double p, double const* __restrict y, double q,
                 std::uint64_t size, StreamStores stores, Compute compute) {
    std::uint64_t i = 0;
#if defined(__x86_64__)
    if (stores == StreamStores::non_temporal) {
        Sum const of{x, p, y, q};
        i = __builtin_cpu_supports("avx512f") ? stream_lines(to, of, size) : stream_pairs(to, of, size);
        _mm_sfence();
    }
#endif
    for (; i < size; ++i) {
        to[i] = compute(x[i], y[i]);
    }
}

constexpr std::uint64_t two_vectors = 2 * sizeof(double);
constexpr std::uint64_t three_vectors = 3 * sizeof(double);

constexpr std::array<StreamKernel, 4> kernels{
    {{"copy", two_vectors,
      [](StreamVectors const& v, double, StreamStores stores) {
          fill_vector(v.c, v.a, 1, v.a, 0, v.size, stores, [](double a, double) { return a; });
      }},
     {"scale", two_vectors,
      [](StreamVectors const& v, double scalar, StreamStores stores) {
          fill_vector(v.b, v.c, scalar, v.c, 0, v.size, stores, [=](double c, double) { return scalar * c; });
      }},
     {"add", three_vectors,
      [](StreamVectors const& v, double, StreamStores stores) {
          fill_vector(v.c, v.a, 1, v.b, 1, v.size, stores, [](double a, double b) { return a + b; });
      }},
     {"triad", three_vectors, [](StreamVectors const& v, double scalar, StreamStores stores) {
          fill_vector(v.a, v.b, 1, v.c, scalar, v.size, stores, [=](double b, double c) { return b + scalar * c; });
      }}}};

}  // namespace

std::array<StreamKernel, 4> const& stream_kernels() { return kernels; }

void start_stream(StreamVectors const& v) {
    std::fill_n(v.a, v.size, 2.0);
    std::fill_n(v.b, v.size, 0.5);
    std::fill_n(v.c, v.size, 0.0);
}

double stream_error(StreamVectors const& v, double scalar, std::uint64_t rounds) {
    double a = 2.0;
    double b = 0.5;
    double c = 0.0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        c = a;
        b = scalar * c;
        c = a + b;
        a = b + scalar * c;
    }
    auto const mean_error = [&](double const* numbers, double expected) {
        double sum = 0;
        for (std::uint64_t i = 0; i < v.size; ++i) {
            sum += std::abs(numbers[i] - expected);
        }
        return sum / static_cast<double>(v.size) / std::abs(expected);
    };
    return greatest_magnitude(std::array{mean_error(v.a, a), mean_error(v.b, b), mean_error(v.c, c)});
}

}  // namespace weir
