#include <fmt/format.h>

#include "bench/network/mpi_forms.hpp"
#include "bench/network/persistent_pair.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

/// PingPong of a message in equal partitions, each of which is handed over by itself: MPI_Psend_init and MPI_Precv_init
/// once; in each call MPI_Start, MPI_Pready for each partition, MPI_Wait. Not in IMB; time and bandwidth as of its
/// PingPong: half a call, X / time.
class PingPongPartitioned final : public PersistentPair {
  public:
    static constexpr FunctionFacts facts{.name = "PingPong_partitioned",
                                         .summary = "a message there and back, handed over in partitions",
                                         .traffic = Traffic::single,
                                         .times_per_call = 2,
                                         .messages = 1,
                                         .keeps_place = true,
                                         .set_up_by_all = true,
                                         .unavailable = WEIR_MPI_PARTITIONED != 0 ? "" : "partitioned calls"};

    explicit PingPongPartitioned(CallSetting const& setting)
        : PersistentPair(setting), partitions_(static_cast<int>(setting.choices.partitions)) {
        validate(bytes() % setting.choices.partitions == 0,
                 fmt::format("{} bytes do not make {} partitions", bytes(), partitions_), "they are equal",
                 "choose partitions that divide the bytes");
    }

#if WEIR_MPI_PARTITIONED
    void attach(std::span<std::byte> out, std::span<std::byte> in) override {
        auto const part = static_cast<MPI_Count>(bytes()) / partitions_;
        check(MPI_Psend_init(out.data(), partitions_, part, MPI_BYTE, next(), 0, comm(), MPI_INFO_NULL, &send()));
        check(MPI_Precv_init(in.data(), partitions_, part, MPI_BYTE, next(), 0, comm(), MPI_INFO_NULL, &receive()));
    }

    void call(CallPlace const& /*at*/) override {
        if (rank() == 0) {
            send_parts();
            receive_parts();
        } else {
            receive_parts();
            send_parts();
        }
    }
#else
    void call(CallPlace const& /*at*/) override {}
#endif

    void expect(int /*root*/, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
    }

  private:
#if WEIR_MPI_PARTITIONED
    void send_parts() {
        start(send());
        for (int partition = 0; partition < partitions_; ++partition) {
            check(MPI_Pready(partition, send()));
        }
        wait(send());
    }
    void receive_parts() {
        start(receive());
        wait(receive());
    }
#endif

    int partitions_;
};

FunctionRegistration<PingPongPartitioned> const ping_pong_partitioned;

}  // namespace
}  // namespace weir
