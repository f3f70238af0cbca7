#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// Each rank exchanges messages with both neighbours in a ring: MPI_Isend to both, MPI_Recv from both. IMB: time of a
/// call; bandwidth = 4 X / time, of the messages that leave and reach a rank. Both receives use the same memory, as in
/// IMB, but where data are checked.
class Exchange final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Exchange",
                                         .summary = "each rank exchanges messages with both neighbours in a ring",
                                         .traffic = Traffic::parallel,
                                         .messages = 4,
                                         .buffers = buffers_of::two_messages};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {2 * bytes(), 2 * bytes()}; }

    void call(CallPlace const& at) override {
        MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        check(MPI_Isend(at.send, message_.count(), message_.type(), next(), to_next, comm(), &requests[0]));
        check(MPI_Isend(at.send + bytes(), message_.count(), message_.type(), previous(), to_previous, comm(),
                        &requests[1]));
        check(MPI_Recv(at.receive, message_.count(), message_.type(), previous(), to_next, comm(), MPI_STATUS_IGNORE));
        check(MPI_Recv(at.receive + second_, message_.count(), message_.type(), next(), to_previous, comm(),
                       MPI_STATUS_IGNORE));
        check(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }

    void prepare_check(CallPlace const& /*at*/) override { second_ = bytes(); }
    void finish_check() override { second_ = 0; }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(previous()), 0);
        expected.piece(bytes(), bytes(), static_cast<std::uint64_t>(next()), bytes());
    }

  private:
    static constexpr int to_next = 1;
    static constexpr int to_previous = 2;
    std::uint64_t second_ = 0;  ///< where the second message goes
    MessageType message_{bytes()};
};

FunctionRegistration<Exchange> const exchange;

}  // namespace
}  // namespace weir
