#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// MPI_Barrier. IMB: time of a call, one after the other; no message.
class Barrier final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Barrier",
                                         .summary = "MPI_Barrier",
                                         .has_message = false,
                                         .starts_together = false};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {}; }
    void call(CallPlace const& /*at*/) override { check(MPI_Barrier(comm())); }
    void expect(int /*root*/, Expectation& /*expectation*/) const override {}
};

FunctionRegistration<Barrier> const barrier;

}  // namespace
}  // namespace weir
