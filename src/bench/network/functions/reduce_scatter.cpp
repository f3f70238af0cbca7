#include <vector>

#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

constexpr BufferSizes sums_in_parts(CallShape const& shape) {
    auto const splits = shape.choices.imb == Imb::v2_3;
    auto const part = (shape.bytes / sizeof(float) + shape.ranks - 1) / shape.ranks * sizeof(float);
    return splits ? BufferSizes{shape.bytes, part} : BufferSizes{shape.all(), shape.bytes};
}

/// MPI_Reduce_scatter: sums of floats of all ranks, a part on each rank. IMB 2.3: of X bytes in all, split as evenly as
/// whole floats allow; IMB 2021: of X bytes a rank, so n times the work on n ranks. IMB: time of a call; no bandwidth.
class ReduceScatter : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{
        .name = "Reduce_scatter",
        .summary = "MPI_Reduce_scatter: sums of all ranks' floats, a part on each rank",
        .element_bytes = sizeof(float),
        .buffers = sums_in_parts,
        .library_copies = 2};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Reduce_scatter, Ireduce_scatter);

    explicit ReduceScatter(CallSetting const& setting)
        : NetworkCall(setting), splits_(setting.choices.imb == Imb::v2_3), counts_(static_cast<std::size_t>(size())) {
        auto const floats = static_cast<std::uint64_t>(float_count(splits_ ? bytes() : all_bytes()));
        auto const ranks = counts_.size();
        for (std::size_t i = 0; i < ranks; ++i) {
            auto const share = floats / ranks + (i < floats % ranks ? 1 : 0);
            counts_[i] = static_cast<ElementCount>(share);
            before_ += static_cast<int>(i) < rank() ? share * sizeof(float) : 0;
        }
    }

    [[nodiscard]] BufferSizes sizes() const override { return {splits_ ? bytes() : all_bytes(), my_bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, at.receive, counts_.data(), MPI_FLOAT, MPI_SUM, comm(), more...);
    }

    void expect(int /*root*/, ExpectedData& expected) const override { expected.sum(0, my_bytes(), before_); }

  private:
    [[nodiscard]] std::uint64_t my_bytes() const {
        return static_cast<std::uint64_t>(counts_[static_cast<std::size_t>(rank())]) * sizeof(float);
    }

    bool splits_;
    std::vector<ElementCount> counts_;
    std::uint64_t before_ = 0;  ///< bytes of the ranks before this one
};

CollectiveRegistration<ReduceScatter> const reduce_scatter;

}  // namespace
}  // namespace weir
