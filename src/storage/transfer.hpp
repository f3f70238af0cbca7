#pragma once

#include <optional>

#include "core/clock.hpp"
#include "core/memory.hpp"
#include "storage/backend.hpp"
#include "storage/phase_result.hpp"
#include "storage/stamp.hpp"

namespace weir {

/// How one rank is to carry out one access.
struct TransferPlan {
    Access const& access;
    Rank acting;                        ///< the rank whose part is done
    std::optional<std::uint64_t> most;  ///< requests, where an earlier phase limits them
    std::optional<double> deadline_s;   ///< no request begins later
    bool wear_out = false;
    bool collective = false;
    std::optional<Stamp> stamp;  ///< write or compare these; nothing: the buffer goes as it is
};

/// Carries out one access on one rank: the loop that is measured.
class Transfer {
  public:
    Transfer(OpenFile& file, Buffer& buffer, Communicator const& comm, Clock const& clock)
        : file_(file), buffer_(buffer.bytes()), comm_(comm), clock_(clock) {}

    /// Adds to times and words. A failure is kept until every rank has made its collective calls, and then thrown.
    void run(TransferPlan const&, RankTimes&, WrongWords&);

  private:
    void run_alone(TransferPlan const&, Operations&);
    void run_together(TransferPlan const&, Operations&);
    void request(TransferPlan const&, Operation const&);
    void read(TransferPlan const&, Operation const&, std::span<std::byte> data);
    void write_with_care(TransferPlan const&, Operation const&, std::span<std::byte> data);
    void check(TransferPlan const&, Operation const&, std::size_t got);
    void take_part(TransferPlan const&, Operation const&);

    OpenFile& file_;
    std::span<std::byte> buffer_;
    Communicator const& comm_;
    Clock const& clock_;
    RankTimes* times_ = nullptr;
    WrongWords* words_ = nullptr;
    std::uint64_t made_ = 0;
};

}  // namespace weir
