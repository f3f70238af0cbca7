// The two-phase library (weir/array.h): ranks exchange the data of collective requests, so that a few aggregators make
// a few large requests.

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <optional>

#include "array/api/plan.hpp"
#include "comm/collective_error.hpp"
#include "storage/backend.hpp"
#include "storage/backends/twophase/posix_sink.hpp"
#include "storage/backends/twophase/request_plan.hpp"

namespace weir {
namespace {

array::Indices indices(std::vector<std::uint64_t> const& values) { return {values.begin(), values.end()}; }

/// This rank's part, as a box, or as pieces if it has several blocks.
void describe_part(array::Description& description, Section const& section) {
    auto const dims = section.all().first(section.dims - 1);
    if (std::ranges::all_of(dims, &Dim::one_block)) {
        description.distribution = array::Distribution::boxes;
        if (section.bytes() > 0) {
            auto& start = description.starts.emplace_back();
            auto& count = description.counts.emplace_back();
            for (auto const& dim : dims) {
                start.push_back(static_cast<std::int64_t>(dim.first));
                count.push_back(static_cast<std::int64_t>(dim.owned));
            }
        }
        return;
    }
    description.distribution = array::Distribution::pieces;
    std::vector<array::LocalPiece> pieces;
    section.each(0, section.bytes(), [&](Rows const& rows) {
        for (std::uint64_t row = 0; row < rows.rows; ++row) {
            auto const step = static_cast<std::int64_t>(row);
            pieces.push_back({rows.position + row * rows.position_step - section.origin, rows.length,
                              rows.memory + step * rows.memory_step});
        }
    });
    description.pieces = std::make_shared<array::Pieces const>(std::move(pieces));
}

array::Description description_of(PartRequest const& request) {
    auto const& [what, by] = std::tie(request.of.what, request.of.by);
    array::Description description;
    description.element_bytes = what.element.bytes;
    description.shape = what.shape.empty() ? array::Indices{1} : indices(what.shape);
    description.block = array::Indices(description.shape.size(), 0);
    if (request.by_rank && by.is_cartesian() && !what.shape.empty()) {
        description.grid = indices(by.grid);
        description.block = by.block.empty() ? description.block : indices(by.block);
        return description;
    }
    if (!request.section) {
        description.distribution = array::Distribution::boxes;  // no boxes: this rank has no part of the array
        return description;
    }
    auto section = *request.section;
    if (what.shape.empty()) {  // a scalar: one element as a dimension
        section.dim[1] = section.dim[0];
        section.dim[0] = {1, 0, 1, 1, 1, static_cast<std::int64_t>(what.element.bytes)};
        section.dims = 2;
    }
    describe_part(description, section);
    return description;
}

/// Ranks that open files together, and their plans for arrays: made once, used for every array of that shape in every
/// file. Construction is collective, as are destruction and every member that says so.
class ArrayPlans {
  public:
    ArrayPlans(Communicator const& ranks, array::PlanOptions const& options)
        : ranks_(Communicator::duplicate(ranks.handle())), node_(ranks_.node()), options_(options) {}

    /// Are these the same ranks, in the same order? Local.
    [[nodiscard]] bool serves(Communicator const& ranks) const {
        int same = MPI_UNEQUAL;
        MPI_Comm_compare(ranks_.handle(), ranks.handle(), &same);
        return same == MPI_IDENT || same == MPI_CONGRUENT;
    }

    /// The plan for an array that these ranks hold parts of; throws the same Error on all ranks. Collective.
    array::Plan& plan_for(PartRequest const& request) {
        constexpr std::size_t most = 16;
        auto const found =
            std::ranges::find_if(plans_, [&](PlannedArray const& planned) { return planned.fits(request); });
        if (found != plans_.end()) {
            plans_.splice(plans_.begin(), plans_, found);
            return plans_.front().plan;
        }
        if (plans_.size() == most) {
            plans_.pop_back();
        }
        auto options = options_;
        options.offset = Bytes{*request.of.what.offset};
        as_errors([&] {
            plans_.emplace_front(request.of.what, request.by_rank ? request.of.by : Partition{}, ranks_.handle(),
                                 description_of(request), options);
        });
        return plans_.front().plan;
    }

    /// Is this the first rank of its node with `it_is` true? Collective.
    [[nodiscard]] bool first_of_node(bool it_is) const {
        auto const mine = it_is ? ranks_.rank() : ranks_.size();
        auto const first = ~node_.max(~mine);
        return it_is && first == mine;
    }

    [[nodiscard]] Communicator const& ranks() const { return ranks_; }

  private:
    struct PlannedArray {
        Array what;
        Partition by;
        array::Plan plan;

        PlannedArray(Array array, Partition partition, MPI_Comm comm, array::Description description,
                     array::PlanOptions const& options)
            : what(std::move(array)), by(std::move(partition)), plan(comm, {std::move(description)}, options, "", {}) {}

        [[nodiscard]] bool fits(PartRequest const& request) const {
            auto const& array = request.of.what;
            auto const align = plan.choice().align;
            return request.by_rank && what.shape == array.shape && what.element.bytes == array.element.bytes &&
                   by == request.of.by && (align <= 1 || (*array.offset - *what.offset) % align == 0);
        }
    };

    Communicator ranks_;
    Communicator node_;
    array::PlanOptions options_;
    std::list<PlannedArray> plans_;  ///< most recently used first
};

/// A request for contiguous bytes; empty if a rank only takes part.
std::span<Piece const> pieces_of(Piece const& piece) { return {&piece, piece.length > 0 ? 1U : 0U}; }

void describe(Hints& hints, std::string const& direction, RequestPlan const& plan) {
    if (plan.requests() > 0) {
        hints[direction] = plan.explain();
        hints[direction + "_plans"] = fmt::format("{} for {} requests", plan.plans(), plan.requests());
    }
}

/// A shared file. Collective requests go through the two-phase library, arrays with plans that outlive the file; others
/// go directly to a file descriptor. For a file with collective requests rank 0 opens its descriptor at once, the
/// others at first use.
class TwophaseFile final : public OpenFile {
  public:
    /// `plans`: those of the request's ranks, if accesses will be collective; else null. Then also collective over the
    /// request's communicator, and if it fails on one rank, it throws on all.
    TwophaseFile(OpenRequest const& request, array::PlanOptions const& options, ArrayPlans* plans)
        : comm_(request.comm),
          path_(request.path.string()),
          options_(options),
          plans_(plans),
          counter_(request.counter),
          file_(request, plans != nullptr),
          collective_(plans != nullptr) {
        if (plans_ == nullptr) {
            file_.get();
            return;
        }
        run_together(comm_, [&] {
            if (comm_.is_root()) {
                file_.get();
            }
        });
        file_.expect_there();
    }

    void set_collective(bool collective) override { collective_ = collective && plans_ != nullptr; }

    void write(Operation const& operation, std::span<std::byte const> data) override {
        if (collective_) {
            Piece const piece{operation.offset, data.size()};
            collective_requests().writing.write(file_, pieces_of(piece), data);
        } else {
            file_.get().write(operation, data);
        }
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        if (!collective_) {
            return file_.get().read(operation, data);
        }
        Piece const piece{operation.offset, data.size()};
        return collective_requests().reading.read(file_, pieces_of(piece), data);
    }

    /// For independent requests.
    void write_all(Operations& operations, RequestMemory& data, Meter& meter) override {
        file_.get().write_all(operations, data, meter);
    }

    void read_all(Operations& operations, RequestMemory& data, Meter& meter) override {
        file_.get().read_all(operations, data, meter);
    }

    void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) override {
        if (collective_) {
            collective_requests().writing.write(file_, pieces, data);
        } else {
            OpenFile::write_pieces(pieces, data);
        }
    }

    std::size_t read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) override {
        return collective_ ? collective_requests().reading.read(file_, pieces, data)
                           : OpenFile::read_pieces(pieces, data);
    }

    [[nodiscard]] bool takes_parts() const override { return collective_; }

    void write_part(PartRequest const& request, std::span<std::byte const> data) override {
        if (!collective_) {
            write_pieces(request.pieces, data);
            return;
        }
        if (bytes_of(request.of.what) == 0) {
            return;
        }
        auto& plan = plans_->plan_for(request);
        auto const before = plan.times;
        PosixSink sink(file_, *request.of.what.offset);
        FirstFailure failure;
        void* const buffer = const_cast<std::byte*>(data.data());
        plan.write(&sink, {&buffer, 1}, failure, options_.thread);
        plan.finish();
        as_errors([&] { plan.agree(failure); });
        note_messages(before, plan.times);
        if (sink.failure()) {
            throw Error(*sink.failure());
        }
    }

    std::size_t read_part(PartRequest const& request, std::span<std::byte> data) override {
        if (!collective_) {
            return read_pieces(request.pieces, data);
        }
        if (bytes_of(request.of.what) == 0) {
            return 0;
        }
        auto& plan = plans_->plan_for(request);
        auto const before = plan.times;
        PosixSink sink(file_, *request.of.what.offset);
        FirstFailure failure;
        void* const buffer = data.data();
        plan.read(&sink, {&buffer, 1}, failure);
        as_errors([&] { plan.agree(failure); });
        note_messages(before, plan.times);
        // Bytes that an aggregator could not read are missing on its ranks.
        std::array<std::uint64_t, 2> worst{sink.failure() ? 1U : 0U, ~sink.missing()};
        comm_.max(worst);
        if (worst[0] != 0) {
            agree(comm_, sink.failure());
        }
        return ~worst[1] == PosixSink::none || !request.section ? data.size()
                                                                : bytes_before(pieces_of(*request.section), ~worst[1]);
    }

    void preallocate(std::uint64_t bytes) override { file_.get().preallocate(bytes); }

    void sync() override {
        if (plans_ == nullptr) {
            file_.get().sync();
            return;
        }
        // A rank's data may still be in an aggregator's memory until all ranks are here; then one rank per node syncs
        // for all.
        comm_.barrier();
        auto const speaks = plans_->first_of_node(file_.is_open());
        run_together(comm_, [&] {
            if (speaks) {
                file_.get().sync();
            }
        });
    }

    [[nodiscard]] bool syncs_together() const override { return plans_ != nullptr; }
    void close() override { file_.close(); }

    /// The strategy of the last requests of each direction, the number of plans made, and the number of requests.
    [[nodiscard]] Hints hints() const override {
        Hints hints;
        if (requests_) {
            describe(hints, "write", requests_->writing);
            describe(hints, "read", requests_->reading);
        }
        return hints;
    }

  private:
    /// For collective requests other than arrays.
    struct CollectiveRequests {
        RequestGroup group;
        RequestPlan writing, reading;
        CollectiveRequests(Communicator const& comm, std::string const& path, array::PlanOptions const& options)
            : group(comm, path, options),
              writing(group, options, array::Use::write),
              reading(group, options, array::Use::read) {}
    };

    CollectiveRequests& collective_requests() {
        if (!requests_) {
            requests_.emplace(comm_, path_, options_);
        }
        return *requests_;
    }

    /// The messages and time that an array's exchange cost this rank.
    void note_messages(weir_times const& before, weir_times const& now) {
        if (counter_ != nullptr) {
            auto const waited_s = now.wait - before.wait;
            counter_->note_messages(static_cast<std::uint64_t>(now.messages - before.messages),
                                    now.exchange - before.exchange + waited_s, waited_s);
        }
    }

    Communicator comm_;
    std::string path_;
    array::PlanOptions const& options_;
    ArrayPlans* plans_;
    CallCounter* counter_;
    DeferredFile file_;
    std::optional<CollectiveRequests> requests_;
    bool collective_ = false;  ///< are requests collective now?
};

class TwophaseBackend final : public Backend {
  public:
    static constexpr std::string_view name = "twophase";
    static constexpr std::string_view words = "two-phase library";
    static constexpr std::string_view summary =
        "the two-phase library: collective requests through an exchange among ranks, independent ones as posix";
    static constexpr Features features{.stores = true, .collective = true, .hints = false, .pieces = true};

    void declare(OptionSet& options) override {
        plan_.declare_method(options);
        // Unlike the library, where a group of 0 ranks is an error: a study must be able to name the default.
        options.add("group", plan_.group, "ranks of a group, for method = grouped; 0: those of a node");
        plan_.declare_aggregators(options);
    }

    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t) const override {
        auto const choice = choose({}, plan_);
        return choice.slots * choice.window;
    }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        bool const collective = request.collective && request.comm.size() > 1;
        return std::make_unique<TwophaseFile>(request, plan_, collective ? &plans_for(request.comm) : nullptr);
    }

  private:
    /// Collective.
    ArrayPlans& plans_for(Communicator const& ranks) {
        auto const found = std::ranges::find_if(plans_, [&](ArrayPlans const& plans) { return plans.serves(ranks); });
        return found != plans_.end() ? *found : plans_.emplace_back(ranks, plan_);
    }

    array::PlanOptions plan_;
    std::list<ArrayPlans> plans_;  ///< for each set of ranks that opens files together
};

RegisterBackend<TwophaseBackend> const registration;

}  // namespace
}  // namespace weir
