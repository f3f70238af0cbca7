#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// MPI_Bcast of X bytes from the root. IMB: time of a call; no bandwidth.
class Bcast final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Bcast", .summary = "MPI_Bcast: the root's message to all ranks"};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        auto* const buffer = rank() == at.root ? at.send : at.receive;
        check(MPI_Bcast(buffer, message_.count(), message_.type(), at.root, comm()));
    }

    void expect(int root, Expectation& expectation) const override {
        if (rank() != root) {
            expectation.piece(0, bytes(), static_cast<std::uint64_t>(root), 0);
        }
    }

  private:
    MessageType message_{bytes()};
};

FunctionRegistration<Bcast> const bcast;

}  // namespace
}  // namespace weir
