#include "bench/network/collective_forms.hpp"
#include "bench/network/rank_counts.hpp"

namespace weir {
namespace {

/// MPI_Scatterv: one message from the root to every rank; X bytes each, or ramped with the same sum. IMB: time of a
/// call; no bandwidth.
class Scatterv : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{
        .name = "Scatterv",
        .summary = "MPI_Scatterv: a message of its own, of any size, from the root to every rank",
        .buffers = buffers_of::a_scatter};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Scatterv, Iscatterv);

    explicit Scatterv(CallSetting const& setting)
        : NetworkCall(setting), messages_(setting.choices.counts, bytes(), setting.ranks.size()) {}

    [[nodiscard]] BufferSizes sizes() const override { return {messages_.all(), messages_.count(rank())}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, messages_.counts.data(), messages_.places.data(), MPI_BYTE, at.receive,
                        static_cast<ElementCount>(messages_.count(rank())), MPI_BYTE, at.root, comm(), more...);
    }

    void expect(int root, ExpectedData& expected) const override {
        expected.piece(0, messages_.count(rank()), static_cast<std::uint64_t>(root), messages_.place(rank()));
    }

  private:
    RankCounts messages_;
};

CollectiveRegistration<Scatterv> const scatterv;

}  // namespace
}  // namespace weir
