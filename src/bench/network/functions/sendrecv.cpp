#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// A ring: each rank sends to the next one and receives from the one before. IMB: time of a call; bandwidth = 2 X /
/// time, of the messages that leave and reach a rank.
class Sendrecv final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{
        .name = "Sendrecv",
        .summary = "a ring: each rank sends to the next and receives from the one before",
        .traffic = Traffic::parallel,
        .messages = 2};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        check(MPI_Sendrecv(at.send, message_.count(), message_.type(), next(), 0, at.receive, message_.count(),
                           message_.type(), previous(), MPI_ANY_TAG, comm(), MPI_STATUS_IGNORE));
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(previous()), 0);
    }

  private:
    MessageType message_{bytes()};
};

FunctionRegistration<Sendrecv> const sendrecv;

}  // namespace
}  // namespace weir
