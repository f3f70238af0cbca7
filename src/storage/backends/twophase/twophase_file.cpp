#include "storage/backends/twophase/twophase_file.hpp"

#include <fmt/format.h>

#include "comm/collective_error.hpp"
#include "storage/backends/twophase/as_errors.hpp"

namespace weir {
namespace {

/// A request for contiguous bytes; empty if a rank only takes part.
std::span<Piece const> pieces_of(Piece const& piece) { return {&piece, piece.length > 0 ? 1U : 0U}; }

void describe(Hints& hints, std::string const& direction, RequestPlan const& plan) {
    if (plan.requests() > 0) {
        hints[direction] = plan.explain();
        hints[direction + "_plans"] = fmt::format("{} for {} requests", plan.plans(), plan.requests());
    }
}

}  // namespace

TwophaseFile::CollectiveRequests::CollectiveRequests(Communicator const& comm, std::string const& path,
                                                     array::PlanOptions const& options)
    : group(comm, path, options),
      writing(group, options, array::Use::write),
      reading(group, options, array::Use::read) {}

TwophaseFile::TwophaseFile(OpenRequest const& request, array::PlanOptions const& options, ArrayPlans* plans)
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

void TwophaseFile::set_collective(bool collective) { collective_ = collective && plans_ != nullptr; }

TwophaseFile::CollectiveRequests& TwophaseFile::collective_requests() {
    if (!requests_) {
        requests_.emplace(comm_, path_, options_);
    }
    return *requests_;
}

void TwophaseFile::write(Operation const& operation, std::span<std::byte const> data) {
    if (collective_) {
        Piece const piece{operation.offset, data.size()};
        collective_requests().writing.write(file_, pieces_of(piece), data);
    } else {
        file_.get().write(operation, data);
    }
}

std::size_t TwophaseFile::read(Operation const& operation, std::span<std::byte> data) {
    if (!collective_) {
        return file_.get().read(operation, data);
    }
    Piece const piece{operation.offset, data.size()};
    return collective_requests().reading.read(file_, pieces_of(piece), data);
}

void TwophaseFile::write_all(Operations& operations, std::span<std::byte const> data, Meter& meter) {
    file_.get().write_all(operations, data, meter);
}

void TwophaseFile::read_all(Operations& operations, std::span<std::byte> data, Meter& meter) {
    file_.get().read_all(operations, data, meter);
}

void TwophaseFile::write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
    if (collective_) {
        collective_requests().writing.write(file_, pieces, data);
    } else {
        OpenFile::write_pieces(pieces, data);
    }
}

std::size_t TwophaseFile::read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
    return collective_ ? collective_requests().reading.read(file_, pieces, data) : OpenFile::read_pieces(pieces, data);
}

/// The messages and time that an array's exchange cost this rank.
void TwophaseFile::note_messages(weir_times const& before, weir_times const& now) {
    if (counter_ != nullptr) {
        auto const waited_s = now.wait - before.wait;
        counter_->note_messages(static_cast<std::uint64_t>(now.messages - before.messages),
                                now.exchange - before.exchange + waited_s, waited_s);
    }
}

void TwophaseFile::write_part(PartRequest const& request, std::span<std::byte const> data) {
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

std::size_t TwophaseFile::read_part(PartRequest const& request, std::span<std::byte> data) {
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

void TwophaseFile::sync() {
    if (plans_ == nullptr) {
        file_.get().sync();
        return;
    }
    // A rank's data may still be in an aggregator's memory until all ranks are here; then one rank per node syncs for
    // all.
    comm_.barrier();
    auto const speaks = plans_->first_of_node(file_.is_open());
    run_together(comm_, [&] {
        if (speaks) {
            file_.get().sync();
        }
    });
}

Hints TwophaseFile::hints() const {
    Hints hints;
    if (requests_) {
        describe(hints, "write", requests_->writing);
        describe(hints, "read", requests_->reading);
    }
    return hints;
}

}  // namespace weir
