#include "bench/compute/stream/stream_kernels.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace weir {
namespace {

/// to[i] <- compute(x[i], y[i])
template <class Compute>
void fill_vector(double* __restrict to, double const* __restrict x, double const* __restrict y, std::uint64_t size,
                 StreamStores stores, Compute compute) {
    std::uint64_t i = 0;
#if defined(__x86_64__)
    if (stores == StreamStores::non_temporal) {
        constexpr std::uint64_t pair = 2;
        for (; i + pair <= size; i += pair) {
            _mm_stream_pd(to + i, compute(_mm_load_pd(x + i), _mm_load_pd(y + i)));
        }
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
    {{"copy", two_vectors, 0,
      [](StreamVectors const& v, double, StreamStores stores) {
          fill_vector(v.c, v.a, v.a, v.size, stores, [](auto a, auto) { return a; });
      }},
     {"scale", two_vectors, 1,
      [](StreamVectors const& v, double scalar, StreamStores stores) {
          fill_vector(v.b, v.c, v.c, v.size, stores, [scalar](auto c, auto) { return scalar * c; });
      }},
     {"add", three_vectors, 1,
      [](StreamVectors const& v, double, StreamStores stores) {
          fill_vector(v.c, v.a, v.b, v.size, stores, [](auto a, auto b) { return a + b; });
      }},
     {"triad", three_vectors, 2, [](StreamVectors const& v, double scalar, StreamStores stores) {
          fill_vector(v.a, v.b, v.c, v.size, stores, [scalar](auto b, auto c) { return b + scalar * c; });
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
    return std::max({mean_error(v.a, a), mean_error(v.b, b), mean_error(v.c, c)});
}

}  // namespace weir
