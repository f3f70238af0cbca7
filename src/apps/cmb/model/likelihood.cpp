#include "apps/cmb/model/likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.hpp"

namespace weir::cmb {

std::vector<double> solve_definite(std::vector<double> a, std::vector<double> b) {
    auto const n = b.size();
    auto const at = [&](std::size_t i, std::size_t j) -> double& { return a[i * n + j]; };
    for (std::size_t j = 0; j < n; ++j) {  // A = L L^T, then L y = b
        for (std::size_t k = 0; k < j; ++k) {
            for (std::size_t i = j; i < n; ++i) {
                at(i, j) -= at(i, k) * at(j, k);
            }
            b[j] -= at(j, k) * b[k];
        }
        if (!(at(j, j) > 0)) {
            throw Error({"the spectrum's correction has no solution", "its curvature is not positive definite",
                         "Choose fewer bins, or more pixels.", ExitCode::cannot_run});
        }
        auto const diagonal = std::sqrt(at(j, j));
        for (std::size_t i = j; i < n; ++i) {
            at(i, j) /= diagonal;
        }
        b[j] /= diagonal;
    }
    for (std::size_t j = n; j-- > 0;) {  // L^T x = y
        for (std::size_t i = j + 1; i < n; ++i) {
            b[j] -= at(i, j) * b[i];
        }
        b[j] /= at(j, j);
    }
    return b;
}

Likelihood::Likelihood(Shape const& shape, Communicator const& all, LinearMaker make, Clock& clock)
    : PhaseSource(clock),
      shape_(shape),
      all_(all),
      gang_(all.split(shape.gang_of(Rank{all.rank()}))),
      linear_(make(all_, gang_, shape_)),
      of_all_(shape_, Among::all, Rank{all.rank()}),
      of_gang_(shape_, Among::gang, Rank{all.rank()}),
      sums_(shape.bins) {}

std::uint64_t Likelihood::memory_bytes(Shape const& s) {
    auto const whole = s.elements(Among::all, Rank{0});
    auto const part = s.elements(Among::gang, Rank{0});
    auto const once = s.gangs > 1 ? 3 * part + s.gangs * whole : 3 * part;
    return sizeof(double) * (std::max(4 * whole, whole + once) + 3 * s.pixels + s.bins * s.bins);
}

void Likelihood::begin(Stage stage) {
    PhaseSource::begin(stage);
    stage_ = stage;
    reads_ = row_ = kept_ = 0;
    auto const whole = shape_.elements(Among::all, Rank{all_.rank()});
    auto const part = shape_.elements(Among::gang, Rank{all_.rank()});
    switch (stage) {
        case Stage::signal:
            column_ = {};
            read_ = {};
            derivatives_.emplace(random_directions(shape_.pixels), of_all_);
            signal_.assign(whole, 0);
            made_.assign(whole, 0);
            sums_ = BinSums(shape_.bins);
            break;
        case Stage::inverse:
            derivatives_.reset();
            inverse_.assign(part, 0);
            break;
        case Stage::product:
            signal_ = {};
            made_.assign(part, 0);
            read_.assign(shape_.gangs * whole, 0);
            operand_.assign(shape_.gangs > 1 ? part : 0, 0);
            break;
        case Stage::correction:
            inverse_ = {};
            read_.assign(part, 0);
            made_ = {};
            column_.assign(part, 0);
            break;
    }
}

void Likelihood::fill(CurrentAccess const&, Operation const&, std::span<std::byte> data) {
    expect(data.size() == made_.size() * sizeof(double), "a request is a rank's part of a matrix");
    std::memcpy(data.data(), made_.data(), data.size());
}

void Likelihood::take(CurrentAccess const&, Operation const&, std::span<std::byte const> data) {
    auto const slots = stage_ == Stage::product ? shape_.gangs : 1;
    auto const slot = std::as_writable_bytes(std::span(read_)).subspan(reads_++ % slots * data.size(), data.size());
    std::memcpy(slot.data(), data.data(), data.size());
}

void Likelihood::work(Compute const&) {
    switch (stage_) {
        case Stage::signal:
            return add_derivative();
        case Stage::inverse:
            return invert();
        case Stage::product:
            return multiply();
        case Stage::correction:
            return kept_ < shape_.rounds() ? correlate() : solve();
    }
}

void Likelihood::add_derivative() {
    derivatives_->next(made_);
    for (std::size_t i = 0; i < signal_.size(); ++i) {
        signal_[i] += made_[i];
    }
}

void Likelihood::invert() {
    of_all_.each([&](std::size_t place, std::uint64_t row, std::uint64_t column) {
        signal_[place] += row == column ? 1.0 : 0.0;
    });
    linear_->invert(signal_, made_);
    solution_.assign(shape_.pixels, 0);
    of_all_.each([&](std::size_t place, std::uint64_t row, std::uint64_t) { solution_[row] += signal_[place]; });
    sum_over_ranks(solution_);
    if (shape_.gangs == 1) {
        inverse_ = signal_;
        return;
    }
    for (std::uint64_t gang = 0; gang < shape_.gangs; ++gang) {
        linear_->hand_over(signal_, gang, inverse_);
    }
}

void Likelihood::multiply() {
    if (shape_.gangs == 1) {
        linear_->multiply(inverse_, read_, made_);
        return;
    }
    auto const whole = shape_.elements(Among::all, Rank{all_.rank()});
    for (std::uint64_t gang = 0; gang < shape_.gangs; ++gang) {
        linear_->hand_over(std::span(read_).subspan(gang * whole, whole), gang, operand_);
    }
    linear_->multiply(inverse_, operand_, made_);
}

/// The gang's own matrix of this round of rows, and then those of the other gangs, with the kept one.
void Likelihood::correlate() {
    auto const own = shape_.gang_of(Rank{all_.rank()});
    auto const column = kept_ * shape_.gangs + own;
    if (row_ == kept_) {
        keep_column(column);
    }
    for (std::uint64_t turn = 0; turn < shape_.gangs; ++turn) {
        auto const row = row_ * shape_.gangs + (own + turn) % shape_.gangs;
        auto const entry = trace_with_column() / 2;
        sums_.curvature[row * shape_.bins + column] += entry;
        if (row_ != kept_) {
            sums_.curvature[column * shape_.bins + row] += entry;
        }
        if (turn + 1 < shape_.gangs) {
            pass_on();
        }
    }
    if (++row_ == shape_.rounds()) {
        row_ = ++kept_;
    }
}

void Likelihood::keep_column(std::uint64_t bin) {
    linear_->transpose(read_, column_);
    double sum = 0;
    of_gang_.each([&](std::size_t place, std::uint64_t row, std::uint64_t column) {
        sum += read_[place] * (solution_[column] - (row == column ? 1.0 : 0.0));
    });
    sums_.gradient[bin] += sum / 2;
}

double Likelihood::trace_with_column() const {
    double sum = 0;
    for (std::size_t i = 0; i < read_.size(); ++i) {
        sum += read_[i] * column_[i];
    }
    return sum;
}

/// To the gang before; all gangs' parts are alike.
void Likelihood::pass_on() {
    auto const apart = shape_.ranks_of(Among::gang);
    auto const to = (all_.rank() + shape_.ranks - apart) % shape_.ranks;
    auto const from = (all_.rank() + apart) % shape_.ranks;
    all_.exchange(std::as_bytes(std::span(read_)), to, std::as_writable_bytes(std::span(operand_)), from);
    read_.swap(operand_);
}

void Likelihood::solve() {
    sum_over_ranks(sums_.gradient);
    sum_over_ranks(sums_.curvature);
    correction_ = solve_definite(sums_.curvature, sums_.gradient);
}

void Likelihood::sum_over_ranks(std::span<double> values) const {
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, all_.handle()),
        "ranks cannot add up");
}

}  // namespace weir::cmb
