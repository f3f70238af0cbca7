#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// MPI_Allreduce: the sum of X bytes of floats of all ranks, on every rank. IMB: time of a call; no bandwidth.
class Allreduce final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Allreduce",
                                         .summary = "MPI_Allreduce: sums of all ranks' floats on every rank",
                                         .element_bytes = sizeof(float)};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        check(MPI_Allreduce(at.send, at.receive, count_, MPI_FLOAT, MPI_SUM, comm()));
    }

    void expect(int /*root*/, Expectation& expectation) const override { expectation.sum(0, bytes(), 0); }

  private:
    int count_ = float_count(bytes());
};

FunctionRegistration<Allreduce> const allreduce;

}  // namespace
}  // namespace weir
