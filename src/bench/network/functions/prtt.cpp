#include "bench/network/network_function.hpp"
#include "core/fast_clock.hpp"

namespace weir {
namespace {

/// The parametrised round trip PRTT(n, d, s), from which LogGP's parameters follow without a saturated network: rank 0
/// sends n messages of s bytes, busy for d between two of them; rank 1 receives them, and sends one back. Busy for
/// `pause` before it receives that, rank 0 finds it arrived, and the rest of the call is the overheads of one send and
/// one receive. With rank 1 `late` by as much, a call takes that time if a send returns before it is received, and
/// twice that if it waits. Time of a call; no bandwidth. Source: T. Hoefler, A. Lichei, W. Rehm: Low-Overhead LogGP
/// Parameter Assessment for Modern Interconnection Networks, IPDPS 2007.
class Prtt final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "PRTT",
                                         .summary = "several messages there and one back, with pauses between",
                                         .traffic = Traffic::single};

    explicit Prtt(CallSetting const& setting) : NetworkCall(setting), choices_(setting.choices) {}

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        if (rank() == 0) {
            for (std::uint64_t i = 0; i < choices_.messages; ++i) {
                if (i > 0) {
                    keep_busy(choices_.delay);
                }
                send(at);
            }
            keep_busy(choices_.pause);
            receive(at);
        } else {
            keep_busy(choices_.late);
            for (std::uint64_t i = 0; i < choices_.messages; ++i) {
                receive(at);
            }
            send(at);
        }
    }

    void expect(int /*root*/, ExpectedData& expectation) const override {
        expectation.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
    }

  private:
    void keep_busy(Seconds time) const {
        if (time.value > 0) {
            auto const end_s = clock_.now_s() + time.value;
            while (clock_.now_s() < end_s) {
            }
        }
    }
    void send(CallPlace const& at) const {
        check(MPI_Send(at.send, message_.count(), message_.type(), next(), 0, comm()));
    }
    void receive(CallPlace const& at) const {
        check(MPI_Recv(at.receive, message_.count(), message_.type(), next(), 0, comm(), MPI_STATUS_IGNORE));
    }

    CallChoices choices_;
    FastClock const& clock_ = FastClock::shared();
    MessageType message_{bytes()};
};

FunctionRegistration<Prtt> const prtt;

}  // namespace
}  // namespace weir
