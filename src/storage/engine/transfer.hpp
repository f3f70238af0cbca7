#pragma once

#include <optional>
#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "storage/array_times.hpp"
#include "storage/backend.hpp"
#include "storage/engine/fill_and_verify.hpp"
#include "storage/engine/phase_result.hpp"
#include "storage/meter.hpp"

namespace weir {

/// One rank's plan for one access.
struct TransferPlan {
    Access const& access;
    std::string const& file_name;         ///< for messages
    Rank acting;                          ///< the rank whose part is done
    std::optional<std::uint64_t> most{};  ///< requests, if an earlier phase or failure limits them
    std::optional<double> deadline_s{};   ///< no request begins later
    bool wear_out = false;
    std::optional<double> tail_deadline_s{};  ///< wearing out ends no later than this
    bool collective = false;
    Contents* fills = nullptr;        ///< makes what is written; null: the buffer is written unchanged
    Contents* takes = nullptr;        ///< takes what is read; null: discarded
    std::uint64_t mean_bytes = 0;     ///< of this rank's requests
    std::span<Piece const> pieces{};  ///< if all of them are one request: list_io_pieces() of the access
    bool by_rank = false;             ///< does each rank access its own part?
    bool by_all = false;              ///< have all ranks the file open?
    ArrayTimes* spent = nullptr;      ///< of the array that is written; null: not kept
};

/// Carries out one access on one rank: the measured loop.
///
/// Ranks run independently, or in step if their calls are collective: then each round is one request of every rank, and
/// a rank that has failed or has nothing left takes part with an empty one, so that no rank waits forever.
class Transfer {
  public:
    /// `memory` is for the data of requests; `many` for those of a batch, if their contents are made or taken.
    Transfer(OpenFile& file, RequestMemory& memory, std::span<std::byte> many, Communicator const& comm, Clock& clock,
             Meter& meter)
        : file_(file), memory_(memory), many_(many), comm_(comm), clock_(clock), meter_(meter) {}

    /// Adds to the times. A failure is kept until every rank has made its collective calls, and then thrown.
    void run(TransferPlan const&, RankTimes&);

  private:
    void run_alone(TransferPlan const&, Operations&);
    void run_in_step(TransferPlan const&, Operations&);
    /// Records the time limit of a time-limited access; `more`: whether requests were left.
    void note_limit(TransferPlan const&, bool more);
    void wear_out(TransferPlan const&, Operations&);

    /// Makes requests until none is left, one fails, or the deadline has passed.
    void request_until(std::optional<double> deadline_s, TransferPlan const&, Operations&);
    [[nodiscard]] bool late(std::optional<double> deadline_s) const {
        return deadline_s && clock_.now_s() > *deadline_s;
    }
    void request(TransferPlan const&, Operation const&, Direction);
    void request_all(TransferPlan const&, Operations&);
    void write(TransferPlan const&, Operation const&);
    void read(TransferPlan const&, Operation const&);
    void take_part(TransferPlan const&, Operation const&, Direction);
    /// Pauses before the next request, if there is a pace; at most until `until`.
    void keep_pace(TransferPlan const&, std::optional<double> until);
    [[nodiscard]] std::uint64_t rounds_between_questions(TransferPlan const&) const;

    // Many small requests, whose contents are made before the first of them, or taken after the last.
    [[nodiscard]] bool comes_in_batches(TransferPlan const&) const;
    void request_batches(TransferPlan const&, Operations&);
    void write_batch(TransferPlan const&, std::span<Operation const>);
    void read_batch(TransferPlan const&, std::span<Operation const>);

    // All pieces of a rank as one request.
    [[nodiscard]] std::vector<Piece> pieces_of_part(TransferPlan const&) const;
    void run_pieces(TransferPlan const&);
    void find_parts(TransferPlan const&);
    [[nodiscard]] PartRequest request_of(TransferPlan const&, std::span<Piece const>) const;
    void request_pieces(TransferPlan const&, std::span<Piece const>, std::uint64_t bytes);
    /// Makes what is written, or finds where it is in strided memory.
    void provide(TransferPlan const&, std::span<Piece const>, std::span<std::byte> data);
    /// Returns the number of bytes written, or available to read.
    std::size_t move_timed(TransferPlan const&, std::span<Piece const>, Direction, std::span<std::byte> data);
    std::size_t move_pieces(TransferPlan const&, std::span<Piece const>, Direction, std::span<std::byte> data);

    void fill(TransferPlan const&, Operation const&, std::span<std::byte> data);
    void take(TransferPlan const&, Operation const&, std::span<std::byte const> found);
    void sync();

    /// Runs work that does not count as transfer time.
    template <class Work>
    void aside(Work work) {
        auto const start = clock_.now_s();
        work();
        times_->stamp_s += clock_.now_s() - start;
    }

    /// Runs work; keeps its failure, unless there was an earlier one.
    template <class Work>
    void attempt(Work work) {
        keep_failure(failure_, work);
    }

    OpenFile& file_;
    RequestMemory& memory_;
    std::span<std::byte> many_;
    Communicator const& comm_;
    Clock& clock_;
    Meter& meter_;
    double start_s_ = 0;
    RankTimes* times_ = nullptr;
    std::optional<Diagnosis> failure_;
    std::vector<Section> sections_;         ///< of the current access to an array, of this rank
    std::optional<StridedMemory> strided_;  ///< where the data of the current request are; none: packed
};

}  // namespace weir
