#include <dlfcn.h>

#include <array>

#include "bench/compute/fft/transform.hpp"
#include "bench/compute/linear/shared_library.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/rank_progress.hpp"

namespace weir {
namespace {

// FFTW's functions, by its manual (fftw.org/fftw3_doc, 4.4.1 Advanced Complex DFTs).
using PlanMany = void*(int rank, int const* n, int howmany, Complex* in, int const* inembed, int istride, int idist,
                       Complex* out, int const* onembed, int ostride, int odist, int sign, unsigned flags);
using ExecuteOn = void(void* plan, Complex* in, Complex* out);
using DestroyPlan = void(void* plan);
using SetTimeLimit = void(double seconds);
constexpr unsigned fftw_measure = 0;
constexpr unsigned fftw_estimate = 1U << 6U;

struct Fftw {
    PlanMany* plan_many = nullptr;
    ExecuteOn* execute = nullptr;
    DestroyPlan* destroy = nullptr;
    SetTimeLimit* set_time_limit = nullptr;
    std::string version;
};

class FftwTransform final : public Transform {
  public:
    FftwTransform(Fftw const& fftw, void* plan) : fftw_(fftw), plan_(plan) {}
    ~FftwTransform() override { fftw_.destroy(plan_); }
    FftwTransform(FftwTransform const&) = delete;
    FftwTransform& operator=(FftwTransform const&) = delete;

    void run(Complex* numbers) const override { fftw_.execute(plan_, numbers, numbers); }

  private:
    Fftw fftw_;
    void* plan_;
};

class FftwLibrary final : public TransformLibrary {
  public:
    FftwLibrary(Fftw fftw, Seconds planning) : fftw_(std::move(fftw)), planning_(planning) {}

    [[nodiscard]] std::unique_ptr<Transform> plan(std::uint64_t size, std::uint64_t count, FftSign sign,
                                                  Complex* numbers) const override {
        throw_if_interrupted();
        note_step();
        auto const n = static_cast<int>(size);
        auto const tries_out = planning_.value > 0 && sign == FftSign::forward;
        if (fftw_.set_time_limit != nullptr && tries_out) {
            fftw_.set_time_limit(planning_.value);
        }
        auto* made = fftw_.plan_many(1, &n, static_cast<int>(count), numbers, nullptr, 1, n, numbers, nullptr, 1, n,
                                     static_cast<int>(sign), tries_out ? fftw_measure : fftw_estimate);
        if (made == nullptr) {
            throw Error({"FFTW cannot plan a transform of " + std::to_string(size) + " numbers", "",
                         "Choose another size, or --library plain.", ExitCode::cannot_run});
        }
        return std::make_unique<FftwTransform>(fftw_, made);
    }

    /// As much as the numbers; and, measured with FFTW 3.3.10 and primes of 1 to 2 million, up to 10 times a large
    /// prime factor.
    [[nodiscard]] std::uint64_t extra_bytes(std::uint64_t size) const override {
        constexpr std::uint64_t of_prime = 12;
        auto const factor = largest_factor(size);
        return sizeof(Complex) * (size + (factor > most_factor ? of_prime * factor : 0));
    }

    [[nodiscard]] std::string name() const override { return fftw_.version; }

  private:
    Fftw fftw_;
    Seconds planning_;
};

void* open_fftw(std::string const& asked) {
    std::string ignored;
    if (asked != "auto" && asked != "fftw") {
        return open_shared_library(asked, ignored);
    }
    for (auto const* name : {"libfftw3.so.3", "libfftw3.so"}) {
        if (auto* found = open_shared_library(name, ignored)) {
            return found;
        }
    }
    return nullptr;
}

std::unique_ptr<TransformLibrary> try_fftw(std::string const& asked, Seconds planning) {
    auto* library = open_fftw(asked);
    if (library == nullptr) {
        return nullptr;
    }
    Fftw fftw;
    fftw.plan_many = reinterpret_cast<PlanMany*>(dlsym(library, "fftw_plan_many_dft"));
    fftw.execute = reinterpret_cast<ExecuteOn*>(dlsym(library, "fftw_execute_dft"));
    fftw.destroy = reinterpret_cast<DestroyPlan*>(dlsym(library, "fftw_destroy_plan"));
    fftw.set_time_limit = reinterpret_cast<SetTimeLimit*>(dlsym(library, "fftw_set_timelimit"));
    auto const* words = static_cast<char const*>(dlsym(library, "fftw_version"));
    fftw.version = words == nullptr ? "FFTW" : words;
    if (fftw.plan_many == nullptr || fftw.execute == nullptr || fftw.destroy == nullptr) {
        return nullptr;
    }
    return std::make_unique<FftwLibrary>(std::move(fftw), planning);
}

}  // namespace

std::unique_ptr<TransformLibrary> TransformLibrary::load(std::string const& asked, Seconds planning) {
    if (asked == "plain") {
        return plain_transforms();
    }
    if (auto found = try_fftw(asked, planning)) {
        return found;
    }
    if (asked == "auto") {
        return plain_transforms();
    }
    throw Error({"FFTW cannot be loaded",
                 "there is no '" + (asked == "fftw" ? "libfftw3.so.3" : asked) + "' with its functions",
                 asked == "fftw" ? "Install it (Debian: libfftw3-double3), or choose --library plain."
                                 : "Give the path of a library of FFTW 3, fftw, or plain.",
                 ExitCode::cannot_run});
}

}  // namespace weir
