#include "bench/network/collective_forms.hpp"
#include "bench/network/rank_counts.hpp"

namespace weir {
namespace {

/// MPI_Allgatherv: one message of every rank on every rank; X bytes each, or ramped with the same sum. IMB: time of a
/// call; no bandwidth.
class Allgatherv : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Allgatherv",
                                         .summary = "MPI_Allgatherv: all ranks' messages, of any sizes, on every rank",
                                         .buffers = buffers_of::a_gather};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Allgatherv, Iallgatherv);

    explicit Allgatherv(CallSetting const& setting)
        : NetworkCall(setting), messages_(setting.choices.counts, bytes(), setting.ranks.size()) {}

    [[nodiscard]] BufferSizes sizes() const override { return {messages_.count(rank()), messages_.all()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, static_cast<ElementCount>(messages_.count(rank())), MPI_BYTE, at.receive,
                        messages_.counts.data(), messages_.places.data(), MPI_BYTE, comm(), more...);
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        for (int other = 0; other < size(); ++other) {
            expected.piece(messages_.place(other), messages_.count(other), static_cast<std::uint64_t>(other), 0);
        }
    }

  private:
    RankCounts messages_;
};

CollectiveRegistration<Allgatherv> const allgatherv;

}  // namespace
}  // namespace weir
