#include "bench/network/window_call.hpp"

namespace weir {
namespace {

/// The neighbours in the ring, which on two ranks are one.
std::vector<int> neighbours(CallSetting const& setting) {
    auto const size = static_cast<int>(setting.ranks.size());
    auto const rank = static_cast<int>(setting.ranks.rank());
    auto const previous = (rank + size - 1) % size;
    auto const next = (rank + 1) % size;
    return previous == next ? std::vector{next} : std::vector{previous, next};
}

/// Each rank puts X bytes into the windows of both neighbours in a ring. IMB-RMA: time of a call, completed by a flush
/// of each neighbour; no bandwidth.
class ExchangePut final : public WindowCall {
  public:
    static constexpr FunctionFacts facts{.name = "Exchange_put",
                                         .summary = "MPI_Put of each rank to both neighbours in a ring",
                                         .starts_together = false,
                                         .one_sided = true,
                                         .buffers = buffers_of::two_messages};

    explicit ExchangePut(CallSetting const& setting)
        : WindowCall(setting, Exposed::receive, neighbours(setting), neighbours(setting)) {}

    [[nodiscard]] BufferSizes sizes() const override { return {2 * bytes(), 2 * bytes()}; }

    void call(CallPlace const& at) override {
        epoch([&] {
            put(at, previous(), 0);
            put(at, next(), bytes());
        });
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
        expected.piece(bytes(), bytes(), static_cast<std::uint64_t>(previous()), bytes());
    }

  private:
    void put(CallPlace const& at, int target, std::uint64_t place) {
        check(MPI_Put(at.send + place, message_.count(), message_.type(), target, displacement(at.receive + place),
                      message_.count(), message_.type(), window()));
    }

    MessageType message_{bytes()};
};

FunctionRegistration<ExchangePut> const exchange_put;

}  // namespace
}  // namespace weir
