#include "bench/network/collective_forms.hpp"
#include "bench/network/rank_counts.hpp"

namespace weir {
namespace {

/// MPI_Gatherv: one message of every rank at the root; X bytes each, or ramped with the same sum. IMB: time of a call;
/// no bandwidth.
class Gatherv : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Gatherv",
                                         .summary = "MPI_Gatherv: all ranks' messages, of any sizes, at the root",
                                         .buffers = buffers_of::a_gather};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Gatherv, Igatherv);

    explicit Gatherv(CallSetting const& setting)
        : NetworkCall(setting), messages_(setting.choices.counts, bytes(), setting.ranks.size()) {}

    [[nodiscard]] BufferSizes sizes() const override { return {messages_.count(rank()), messages_.all()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, static_cast<ElementCount>(messages_.count(rank())), MPI_BYTE, at.receive,
                        messages_.counts.data(), messages_.places.data(), MPI_BYTE, at.root, comm(), more...);
    }

    void expect(int root, ExpectedData& expected) const override {
        for (int other = 0; rank() == root && other < size(); ++other) {
            expected.piece(messages_.place(other), messages_.count(other), static_cast<std::uint64_t>(other), 0);
        }
    }

  private:
    RankCounts messages_;
};

CollectiveRegistration<Gatherv> const gatherv;

}  // namespace
}  // namespace weir
