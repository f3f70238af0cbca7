#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// Two ranks send to each other at the same time: MPI_Isend, MPI_Recv, MPI_Wait. IMB: time of a call; bandwidth = X /
/// time, of one direction.
class PingPing final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "PingPing",
                                         .summary = "two ranks send to each other at the same time",
                                         .traffic = Traffic::single,
                                         .messages = 1};

    explicit PingPing(CallSetting const& setting)
        : NetworkCall(setting), from_any_(setting.choices.source == Source::any) {}

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Isend(at.send, message_.count(), message_.type(), next(), 0, comm(), &request));
        check(MPI_Recv(at.receive, message_.count(), message_.type(), from_any_ ? MPI_ANY_SOURCE : next(),
                       from_any_ ? MPI_ANY_TAG : 0, comm(), MPI_STATUS_IGNORE));
        check(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
    }

  private:
    bool from_any_;
    MessageType message_{bytes()};
};

FunctionRegistration<PingPing> const ping_ping;

}  // namespace
}  // namespace weir
