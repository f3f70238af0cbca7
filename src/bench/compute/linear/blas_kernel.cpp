#include "bench/compute/linear/blas_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/topology.hpp"

namespace weir {
namespace {

constexpr std::array<std::string_view, 3> avx512_kernels{"skylakex", "cooperlake", "sapphirerapids"};
constexpr std::array<std::string_view, 3> avx2_kernels{"haswell", "zen", "excavator"};

bool has(auto const& names, std::string const& kernel) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return kernel.starts_with(name); });
}

}  // namespace

VectorWidth vector_width() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
        return VectorWidth::avx512;
    }
    if (__builtin_cpu_supports("avx2") != 0) {
        return VectorWidth::avx2;
    }
#endif
    return VectorWidth::other;
}

std::optional<Warning> judge_kernel(std::string const& kernel, VectorWidth width) {
    std::string name = kernel;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) { return std::tolower(letter); });
    auto const wide = has(avx512_kernels, name);
    if (kernel.empty() || width == VectorWidth::other || wide ||
        (width == VectorWidth::avx2 && has(avx2_kernels, name))) {
        return {};
    }
    auto const* const vectors = width == VectorWidth::avx512 ? "AVX-512" : "AVX2";
    auto const* const better = width == VectorWidth::avx512 ? "SKYLAKEX" : "HASWELL";
    return Warning{"slow-blas-kernel", "OpenBLAS uses its kernel for '" + kernel + "' on a processor with " + vectors,
                   "it is older than the processor, or was told to, and may be several times slower than it could be",
                   std::string("Set OPENBLAS_CORETYPE=") + better + " in the environment, or take a newer OpenBLAS."};
}

std::optional<Warning> judge_threads(std::uint64_t threads, std::uint64_t ranks, std::uint64_t cpus) {
    if (threads <= 1 || cpus == 0 || threads * ranks <= cpus) {
        return {};
    }
    return Warning{
        "crowded-threads",
        fmt::format("{} threads of the BLAS share {} CPU{}", threads * ranks, cpus, cpus == 1 ? "" : "s"),
        "they wait for each other",
        fmt::format("Take --threads {}, or bind the ranks to more CPUs.", std::max<std::uint64_t>(cpus / ranks, 1))};
}

Json warnings_of(Blas const& blas, Communicator const& comm) {
    auto const mine = allowed_cpus();
    auto const of_node = comm.node().all_gather(mine);
    auto const ranks = static_cast<std::uint64_t>(std::count(of_node.begin(), of_node.end(), mine));
    std::vector<Warning> warnings;
    for (auto& found :
         {judge_kernel(blas.kernel(), vector_width()), judge_threads(blas.threads(), ranks, cpus_in(mine))}) {
        if (found) {
            warnings.push_back(*found);
        }
    }
    return to_json(warnings);
}

}  // namespace weir
