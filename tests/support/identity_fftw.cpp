// A library with FFTW's functions that transforms nothing: forward leaves the numbers, backward multiplies them by
// their count, so that the inverse of each transform is right. Its functions are declared as in FFTW's manual.

#include <complex>

namespace {

struct Plan {
    long numbers;
    bool forward;
};

}  // namespace

extern "C" {

extern char const fftw_version[];
char const fftw_version[] = "identity";

void* fftw_plan_many_dft(int /*rank*/, int const* n, int howmany, std::complex<double>* /*in*/, int const* /*inembed*/,
                         int /*istride*/, int /*idist*/, std::complex<double>* /*out*/, int const* /*onembed*/,
                         int /*ostride*/, int /*odist*/, int sign, unsigned /*flags*/) {
    return new Plan{static_cast<long>(*n) * howmany, sign < 0};
}

void fftw_execute_dft(void* plan, std::complex<double>* in, std::complex<double>* /*out*/) {
    auto const* const made = static_cast<Plan*>(plan);
    for (long i = 0; i < made->numbers && !made->forward; ++i) {
        in[i] *= static_cast<double>(made->numbers);
    }
}

void fftw_destroy_plan(void* plan) { delete static_cast<Plan*>(plan); }
}
