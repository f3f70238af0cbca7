#include "bench/network/persistent_pair.hpp"

namespace weir {
namespace {

/// Sendrecv by requests that are made once, MPI_Send_init and MPI_Recv_init, and started together in each call. Not in
/// IMB; time and bandwidth as of its Sendrecv: a call, 2 X / time.
class SendrecvPersist final : public PersistentPair {
  public:
    static constexpr FunctionFacts facts{.name = "Sendrecv_persist",
                                         .summary = "a ring: each rank sends to the next, by persistent requests",
                                         .traffic = Traffic::parallel,
                                         .messages = 2,
                                         .keeps_place = true};

    using PersistentPair::PersistentPair;

    void attach(std::span<std::byte> out, std::span<std::byte> in) override {
        check(MPI_Send_init(out.data(), message_.count(), message_.type(), next(), 0, comm(), &send()));
        check(MPI_Recv_init(in.data(), message_.count(), message_.type(), previous(), MPI_ANY_TAG, comm(), &receive()));
    }

    void call(CallPlace const& /*at*/) override {
        start_both();
        wait_for_both();
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(previous()), 0);
    }

  private:
    MessageType message_{bytes()};
};

FunctionRegistration<SendrecvPersist> const sendrecv_persist;

}  // namespace
}  // namespace weir
