#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// MPI_Reduce: the sum of X bytes of floats of all ranks, at the root. IMB: time of a call; no bandwidth.
class Reduce final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Reduce",
                                         .summary = "MPI_Reduce: sums of all ranks' floats at the root",
                                         .element_bytes = sizeof(float)};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        check(MPI_Reduce(at.send, at.receive, count_, MPI_FLOAT, MPI_SUM, at.root, comm()));
    }

    void expect(int root, Expectation& expectation) const override {
        if (rank() == root) {
            expectation.sum(0, bytes(), 0);
        }
    }

  private:
    int count_ = float_count(bytes());
};

FunctionRegistration<Reduce> const reduce;

}  // namespace
}  // namespace weir
