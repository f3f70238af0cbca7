#include "bench/network/network_function.hpp"
#include "bench/network/rank_counts.hpp"

namespace weir {
namespace {

/// MPI_Allgatherv: one message of every rank on every rank; X bytes each, or ramped with the same sum. IMB: time of a
/// call; no bandwidth.
class Allgatherv final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Allgatherv",
                                         .summary = "MPI_Allgatherv: all ranks' messages, of any sizes, on every rank"};

    explicit Allgatherv(CallSetting const& setting)
        : NetworkCall(setting), messages_(setting.choices.counts, bytes(), setting.ranks.size()) {}

    [[nodiscard]] BufferSizes sizes() const override { return {messages_.count(rank()), messages_.all()}; }

    void call(CallPlace const& at) override {
        check(MPI_Allgatherv(at.send, static_cast<int>(messages_.count(rank())), MPI_BYTE, at.receive,
                             messages_.counts.data(), messages_.places.data(), MPI_BYTE, comm()));
    }

    void expect(int /*root*/, Expectation& expectation) const override {
        for (int other = 0; other < size(); ++other) {
            expectation.piece(messages_.place(other), messages_.count(other), static_cast<std::uint64_t>(other), 0);
        }
    }

  private:
    RankCounts messages_;
};

FunctionRegistration<Allgatherv> const allgatherv;

}  // namespace
}  // namespace weir
