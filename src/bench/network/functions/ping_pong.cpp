#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// Rank 0 sends a message and receives one back; rank 1 the other way. IMB: time = half a call; bandwidth = X / time.
class PingPong : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "PingPong",
                                         .summary = "a message there and back between two ranks",
                                         .traffic = Traffic::single,
                                         .times_per_call = 2,
                                         .messages = 1};

    explicit PingPong(CallSetting const& setting)
        : NetworkCall(setting), from_any_(setting.choices.source == Source::any) {}

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        if (rank() == 0) {
            send(at);
            receive(at);
        } else {
            receive(at);
            send(at);
        }
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
    }

  private:
    void send(CallPlace const& at) const {
        check(MPI_Send(at.send, message_.count(), message_.type(), next(), 0, comm()));
    }
    void receive(CallPlace const& at) const {
        check(MPI_Recv(at.receive, message_.count(), message_.type(), from_any_ ? MPI_ANY_SOURCE : next(),
                       from_any_ ? MPI_ANY_TAG : 0, comm(), MPI_STATUS_IGNORE));
    }

    bool from_any_;
    MessageType message_{bytes()};
};

FunctionRegistration<PingPong> const ping_pong;

}  // namespace
}  // namespace weir
