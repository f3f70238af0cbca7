#include <cstring>
#include <numeric>

#include "bench/network/window_call.hpp"

namespace weir {
namespace {

std::vector<int> all_if(bool some, CallSetting const& setting) {
    std::vector<int> ranks(some ? setting.ranks.size() : 0);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// MPI_Accumulate: every rank, rank 0 too, adds X bytes of floats to rank 0's receive buffer. IMB-EXT: time of a call,
/// which in version 2021 is fence, accumulate, fence, before that accumulate, fence; no bandwidth.
class Accumulate final : public WindowCall {
  public:
    static constexpr FunctionFacts facts{.name = "Accumulate",
                                         .summary = "MPI_Accumulate: all ranks add their floats to those of rank 0",
                                         .element_bytes = sizeof(float),
                                         .starts_together = false,
                                         .one_sided = true};

    explicit Accumulate(CallSetting const& setting)
        : WindowCall(setting, Exposed::receive, {0}, all_if(setting.ranks.is_root(), setting)),
          opens_(setting.choices.imb == Imb::v2021 ? Opens::yes : Opens::no) {}

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override {
        epoch(
            [&] {
                check(WEIR_MPI_COUNTED(Accumulate)(at.send, count_, MPI_FLOAT, 0, displacement(at.receive), count_,
                                                   MPI_FLOAT, MPI_SUM, window()));
            },
            opens_);
    }

    void prepare_check(CallPlace const& at) override {
        std::memset(at.receive, 0, bytes());
        WindowCall::prepare_check(at);
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        if (rank() == 0) {
            expected.sum(0, bytes(), 0);
        }
    }

  private:
    Opens opens_;
    ElementCount count_ = float_count(bytes());
};

FunctionRegistration<Accumulate> const accumulate;

}  // namespace
}  // namespace weir
