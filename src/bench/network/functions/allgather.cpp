#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// MPI_Allgather: X bytes of every rank, on every rank. IMB: time of a call; no bandwidth.
class Allgather final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Allgather",
                                         .summary = "MPI_Allgather: all ranks' messages on every rank"};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), all_bytes()}; }

    void call(CallPlace const& at) override {
        check(MPI_Allgather(at.send, message_.count(), message_.type(), at.receive, message_.count(), message_.type(),
                            comm()));
    }

    void expect(int /*root*/, Expectation& expectation) const override { expect_of_all(expectation); }

  private:
    MessageType message_{bytes()};
};

FunctionRegistration<Allgather> const allgather;

}  // namespace
}  // namespace weir
