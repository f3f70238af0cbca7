#include "storage/backends/twophase/twophase_file.hpp"

#include <fmt/format.h>

#include "comm/agreement.hpp"

namespace weir {
namespace {

/// A request for contiguous bytes; of none where a rank only takes part.
std::span<Piece const> pieces_of(Piece const& piece) { return {&piece, piece.length > 0 ? 1U : 0U}; }

void describe(Hints& hints, std::string const& direction, RequestPlan const& plan) {
    if (plan.requests() > 0) {
        hints[direction] = plan.explain();
        hints[direction + "_plans"] = fmt::format("{} for {} requests", plan.plans(), plan.requests());
    }
}

}  // namespace

TwophaseFile::Together::Together(OpenRequest const& request, array::PlanOptions const& options)
    : crew(request.comm, request.path.string(), options),
      writing(crew, options, RequestPlan::Use::write),
      reading(crew, options, RequestPlan::Use::read) {}

TwophaseFile::TwophaseFile(OpenRequest const& request, array::PlanOptions const& options) : comm_(request.comm) {
    if (!request.collective || comm_.size() == 1) {
        file_.emplace(request, false);
        return;
    }
    run_together(comm_, [&] { file_.emplace(request, false); });
    together_.emplace(request, options);
    collective_ = true;
}

void TwophaseFile::set_collective(bool collective) { collective_ = collective && together_.has_value(); }

void TwophaseFile::write(Operation const& operation, std::span<std::byte const> data) {
    if (collective_) {
        Piece const piece{operation.offset, data.size()};
        together_->writing.write(*file_, pieces_of(piece), data);
    } else {
        file_->write(operation, data);
    }
}

std::size_t TwophaseFile::read(Operation const& operation, std::span<std::byte> data) {
    if (!collective_) {
        return file_->read(operation, data);
    }
    Piece const piece{operation.offset, data.size()};
    return together_->reading.read(*file_, pieces_of(piece), data);
}

void TwophaseFile::write_all(Operations& operations, std::span<std::byte const> data, Meter& meter) {
    file_->write_all(operations, data, meter);
}

void TwophaseFile::read_all(Operations& operations, std::span<std::byte> data, Meter& meter) {
    file_->read_all(operations, data, meter);
}

void TwophaseFile::write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
    if (collective_) {
        together_->writing.write(*file_, pieces, data);
    } else {
        OpenFile::write_pieces(pieces, data);
    }
}

std::size_t TwophaseFile::read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
    return collective_ ? together_->reading.read(*file_, pieces, data) : OpenFile::read_pieces(pieces, data);
}

void TwophaseFile::sync() {
    if (!together_) {
        file_->sync();
        return;
    }
    // What a rank has written may be in another one's hands until all are here; then one of each node speaks for it.
    comm_.barrier();
    run_together(comm_, [&] {
        if (together_->crew.speaks_for_node) {
            file_->sync();
        }
    });
}

Hints TwophaseFile::hints() const {
    Hints hints;
    if (together_) {
        describe(hints, "write", together_->writing);
        describe(hints, "read", together_->reading);
    }
    return hints;
}

}  // namespace weir
