#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// MPI_Alltoall: X bytes from every rank to every rank. IMB: time of a call; no bandwidth.
class Alltoall final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Alltoall",
                                         .summary = "MPI_Alltoall: a message from every rank to every rank"};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {all_bytes(), all_bytes()}; }

    void call(CallPlace const& at) override {
        check(MPI_Alltoall(at.send, message_.count(), message_.type(), at.receive, message_.count(), message_.type(),
                           comm()));
    }

    void expect(int /*root*/, Expectation& expectation) const override {
        expect_of_all(expectation, static_cast<std::uint64_t>(rank()) * bytes());
    }

  private:
    MessageType message_{bytes()};
};

FunctionRegistration<Alltoall> const alltoall;

}  // namespace
}  // namespace weir
