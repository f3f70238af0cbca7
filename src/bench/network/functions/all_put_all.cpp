#include "bench/network/window_call.hpp"

namespace weir {
namespace {

/// All ranks but this one, those after it first.
std::vector<int> others(CallSetting const& setting) {
    std::vector<int> ranks;
    for (std::uint64_t i = 1; i < setting.ranks.size(); ++i) {
        ranks.push_back(static_cast<int>((setting.ranks.rank() + i) % setting.ranks.size()));
    }
    return ranks;
}

/// Each rank puts X bytes into the windows of all others. IMB-RMA: time of a call; no bandwidth. There all messages to
/// a rank end in the same place, and only the last call is completed, by a flush; here each message has a place of its
/// own, so that it can be checked, and each call is completed.
class AllPutAll final : public WindowCall {
  public:
    static constexpr FunctionFacts facts{.name = "All_put_all",
                                         .summary = "MPI_Put of each rank to all others",
                                         .starts_together = false,
                                         .one_sided = true,
                                         .buffers = buffers_of::a_gather};

    explicit AllPutAll(CallSetting const& setting)
        : WindowCall(setting, Exposed::receive, others(setting), others(setting)), others_(others(setting)) {}

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), all_bytes()}; }

    void call(CallPlace const& at) override {
        epoch([&] {
            auto const place = displacement(at.receive + static_cast<std::uint64_t>(rank()) * bytes());
            for (auto const target : others_) {
                check(MPI_Put(at.send, message_.count(), message_.type(), target, place, message_.count(),
                              message_.type(), window()));
            }
        });
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        for (auto const other : others_) {
            auto const origin = static_cast<std::uint64_t>(other);
            expected.piece(origin * bytes(), bytes(), origin, 0);
        }
    }

  private:
    std::vector<int> others_;
    MessageType message_{bytes()};
};

FunctionRegistration<AllPutAll> const all_put_all;

}  // namespace
}  // namespace weir
