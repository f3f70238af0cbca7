#include "bench/network/collective_forms.hpp"
#include "bench/network/rank_counts.hpp"

namespace weir {
namespace {

/// MPI_Alltoallv: one message from every rank to every rank; X bytes each, or in proportion to the receiver's rank + 1
/// with the same sum. IMB: time of a call; no bandwidth.
class Alltoallv : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{
        .name = "Alltoallv",
        .summary = "MPI_Alltoallv: a message of any size from every rank to every rank",
        .buffers = buffers_of::an_exchange};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Alltoallv, Ialltoallv);

    explicit Alltoallv(CallSetting const& setting)
        : NetworkCall(setting),
          outgoing_(setting.choices.counts, bytes(), setting.ranks.size()),
          incoming_(Counts::equal, outgoing_.count(rank()), setting.ranks.size()) {}

    [[nodiscard]] BufferSizes sizes() const override { return {outgoing_.all(), incoming_.all()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, outgoing_.counts.data(), outgoing_.places.data(), MPI_BYTE, at.receive,
                        incoming_.counts.data(), incoming_.places.data(), MPI_BYTE, comm(), more...);
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        for (int other = 0; other < size(); ++other) {
            expected.piece(incoming_.place(other), incoming_.count(other), static_cast<std::uint64_t>(other),
                           outgoing_.place(rank()));
        }
    }

  private:
    RankCounts outgoing_;
    RankCounts incoming_;
};

CollectiveRegistration<Alltoallv> const alltoallv;

}  // namespace
}  // namespace weir
