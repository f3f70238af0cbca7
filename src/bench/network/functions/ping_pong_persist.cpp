#include "bench/network/persistent_pair.hpp"

namespace weir {
namespace {

/// PingPong by requests that are made once, MPI_Send_init and MPI_Recv_init, and started in each call. Not in IMB; time
/// and bandwidth as of its PingPong: half a call, X / time.
class PingPongPersist final : public PersistentPair {
  public:
    static constexpr FunctionFacts facts{.name = "PingPong_persist",
                                         .summary = "a message there and back, by persistent requests",
                                         .traffic = Traffic::single,
                                         .times_per_call = 2,
                                         .messages = 1,
                                         .keeps_place = true};

    explicit PingPongPersist(CallSetting const& setting)
        : PersistentPair(setting), from_any_(setting.choices.source == Source::any) {}

    void attach(std::span<std::byte> out, std::span<std::byte> in) override {
        check(MPI_Send_init(out.data(), message_.count(), message_.type(), next(), 0, comm(), &send()));
        check(MPI_Recv_init(in.data(), message_.count(), message_.type(), from_any_ ? MPI_ANY_SOURCE : next(),
                            from_any_ ? MPI_ANY_TAG : 0, comm(), &receive()));
    }

    void call(CallPlace const& /*at*/) override {
        auto& first = rank() == 0 ? send() : receive();
        auto& second = rank() == 0 ? receive() : send();
        start(first);
        wait(first);
        start(second);
        wait(second);
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
    }

  private:
    bool from_any_;
    MessageType message_{bytes()};
};

FunctionRegistration<PingPongPersist> const ping_pong_persist;

}  // namespace
}  // namespace weir
