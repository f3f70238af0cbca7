#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weir {

/// How results go to memory: through the caches, which first fetch the line that is written, or past them, which spares
/// that third of the traffic (non-temporal; only on x86-64).
enum class StreamStores { ordinary, non_temporal };
constexpr std::array<std::string_view, 2> enum_names(StreamStores) { return {"ordinary", "non-temporal"}; }

/// Three vectors of one rank, 64-byte aligned.
struct StreamVectors {
    double* a = nullptr;
    double* b = nullptr;
    double* c = nullptr;
    std::uint64_t size = 0;
};

/// The four kernels of STREAM (McCalpin, 1995): c <- a; b <- s c; c <- a + b; a <- b + s c.
struct StreamKernel {
    std::string_view name;
    std::uint64_t bytes;  ///< read and written for each element, as STREAM counts them
    void (*run)(StreamVectors const&, double scalar, StreamStores);
};

std::array<StreamKernel, 4> const& stream_kernels();

/// a = 2, b = 0.5, c = 0.
void start_stream(StreamVectors const&);

/// The greatest of the vectors' mean relative errors after so many rounds of the four kernels, as STREAM checks them:
/// it passes below 1e-13. Local.
double stream_error(StreamVectors const&, double scalar, std::uint64_t rounds);

}  // namespace weir
