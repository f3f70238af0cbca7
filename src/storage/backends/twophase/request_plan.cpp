#include "storage/backends/twophase/request_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "array/exchange/node_memory.hpp"
#include "array/layout/aggregator_placement.hpp"
#include "array/planner/survey.hpp"
#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

std::uint64_t end_of(Piece const& piece) { return piece.offset + piece.length; }

}  // namespace

RequestShape::RequestShape(std::span<Piece const> pieces, std::uint64_t base) : pieces_(pieces.begin(), pieces.end()) {
    for (auto& piece : pieces_) {
        piece.offset -= base;
    }
}

std::optional<std::uint64_t> RequestShape::base_of(std::span<Piece const> pieces) const {
    if (pieces.empty() || pieces.size() != pieces_.size() || pieces.front().offset < pieces_.front().offset) {
        return std::nullopt;
    }
    auto const base = pieces.front().offset - pieces_.front().offset;
    auto const alike = std::ranges::equal(pieces, pieces_, [base](Piece const& asked, Piece const& mine) {
        return asked.offset == base + mine.offset && asked.length == mine.length;
    });
    return alike ? std::optional(base) : std::nullopt;
}

std::vector<Piece> outline(std::span<Piece const> pieces, std::uint64_t gap, std::uint64_t most) {
    std::vector<Piece> rough;
    if (pieces.empty()) {
        return rough;
    }
    // Fewer than `most` gaps are longer than an equal share of the complete range.
    gap = std::max(gap, (end_of(pieces.back()) - pieces.front().offset) / most + 1);
    for (auto const& piece : pieces) {
        if (!rough.empty() && piece.offset < end_of(rough.back()) + gap) {
            rough.back().length = end_of(piece) - rough.back().offset;
        } else {
            rough.push_back(piece);
        }
    }
    return rough;
}

std::size_t bytes_before(std::span<Piece const> pieces, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (auto const& piece : pieces) {
        sum += std::min(piece.length, std::max(end, piece.offset) - piece.offset);
    }
    return sum;
}

std::vector<Piece> united(std::vector<Piece> pieces) {
    std::ranges::sort(pieces, {}, &Piece::offset);
    std::vector<Piece> all;
    for (auto const& piece : pieces) {
        if (!all.empty() && piece.offset <= end_of(all.back())) {
            all.back().length = std::max(end_of(all.back()), end_of(piece)) - all.back().offset;
        } else {
            all.push_back(piece);
        }
    }
    return all;
}

array::Region region_of(std::span<Piece const> pieces, std::uint64_t base) {
    std::vector<Section> sections;
    for (auto const& piece : pieces) {
        Section section;
        auto const first = piece.offset - base;
        section.dim[0] = {first + piece.length, first, piece.length, piece.length, piece.length, 1};
        sections.push_back(section);
    }
    return array::Region(sections);
}

RequestGroup::RequestGroup(Communicator const& file, std::string const& path, array::PlanOptions const& options) {
    // With separate messages, and errors returned.
    auto const all = Communicator::duplicate(file.handle());
    auto const neighbours = all.node();
    auto const mine = ~neighbours.max(~all.rank());  // the lowest rank of this node
    facts = as_errors([&] { return survey_machine(all, neighbours, options, path); });
    facts.two_shares = true;  // each direction has its own slots
    auto const group = sizes_of(facts, options).group;
    ranks = options.method == array::Method::grouped ? all.split(all.rank() / group) : all;
    node = ranks.all_gather(mine);
    facts.ranks = ranks.size();
    facts.nodes = std::set(node.begin(), node.end()).size();
}

namespace {

/// A rank sends others an outline of its pieces: at most this many, separated by gaps of at least this size.
constexpr std::uint64_t most_pieces_sent = 64;
constexpr std::uint64_t least_gap = 64 << 10;

/// Moves each piece between file and data.
template <class Data, class Move>
void each_piece(std::span<Piece const> pieces, Data data, Move move) {
    for (auto const& piece : pieces) {
        throw_if_interrupted();
        if (!move(Operation{piece.offset, piece.length, 0}, data.first(piece.length))) {
            return;
        }
        data = data.subspan(piece.length);
    }
}

std::shared_ptr<array::Share const> share_of(std::span<Piece const> pieces, std::uint64_t base) {
    std::vector<array::LocalPiece> placed;
    std::uint64_t memory = 0;
    for (auto const& piece : pieces) {
        placed.push_back({piece.offset - base, piece.length, static_cast<std::int64_t>(memory)});
        memory += piece.length;
    }
    return std::make_shared<array::Share const>(array::Share{array::PieceList(std::move(placed), 0)});
}

}  // namespace

void RequestPlan::write(DeferredFile& file, std::span<Piece const> pieces, std::span<std::byte const> data) {
    if (!prepare(pieces)) {
        return;
    }
    if (!exchange_) {
        each_piece(pieces, data, [&](Operation const& operation, std::span<std::byte const> one) {
            file.get().write(operation, one);
            return true;
        });
        return;
    }
    PosixSink sink(file, base_);
    FirstFailure nothing;  // the sink keeps its own
    void* const buffer = const_cast<std::byte*>(data.data());
    exchange_->write({&buffer, 1}, &sink, options_.thread, nothing, times_);
    exchange_->finish(times_);
    if (sink.failure()) {
        throw Error(*sink.failure());
    }
    throw_trouble();
}

void RequestPlan::throw_trouble() const {
    if (group_.ranks.has_trouble()) {
        std::optional<Diagnosis> trouble;
        keep_failure(trouble, [&] { group_.ranks.throw_trouble(); });
        group_.ranks.forget_trouble();
        throw Error(*trouble);
    }
}

std::size_t RequestPlan::read(DeferredFile& file, std::span<Piece const> pieces, std::span<std::byte> data) {
    if (!prepare(pieces)) {
        return 0;
    }
    if (!exchange_) {
        std::size_t got = 0;
        each_piece(pieces, data, [&](Operation const& operation, std::span<std::byte> one) {
            auto const there = file.get().read(operation, one);
            got += there;
            return there == one.size();
        });
        return got;
    }
    PosixSink sink(file, base_);
    FirstFailure nothing;
    void* const buffer = data.data();
    exchange_->read({&buffer, 1}, &sink, nothing, times_);
    // Bytes that an aggregator could not read are missing on its ranks.
    bool const failed = sink.failure() || group_.ranks.has_trouble();
    std::array<std::uint64_t, 2> worst{failed ? 1U : 0U, ~sink.missing()};
    group_.ranks.max(worst);
    if (worst[0] != 0) {
        agree(group_.ranks, sink.failure());
    }
    return bytes_before(pieces, ~worst[1]);
}

bool RequestPlan::fits(std::span<Piece const> pieces, std::optional<std::uint64_t> base) const {
    if (!shape_) {
        return false;
    }
    if (pieces.empty()) {
        return shape_->empty();
    }
    auto const asked = options_.align.value;
    return base && (asked == 0 || (*base - planned_) % asked == 0);
}

bool RequestPlan::prepare(std::span<Piece const> pieces) {
    auto const base = shape_ ? shape_->base_of(pieces) : std::nullopt;
    bool const same = fits(pieces, base);
    // Maxima: does any rank request bytes, is the plan unfit on any rank, and the greatest and the least base.
    std::array<std::uint64_t, 4> said{pieces.empty() ? 0U : 1U, same ? 0U : 1U, base ? *base : 0, base ? ~*base : 0};
    group_.ranks.max(said);
    if (said[0] == 0) {
        return false;
    }
    if (said[1] != 0 || said[2] != ~said[3]) {
        plan(pieces);
    } else {
        base_ = said[2];
    }
    ++requests_;
    return true;
}

RequestPlan::Asked RequestPlan::ask(std::span<Piece const> pieces) const {
    // The rank's message: number of pieces, bytes, and the pieces' outline.
    auto mine = outline(pieces, least_gap, most_pieces_sent);
    mine.insert(mine.begin(), {pieces.size(), sum_of_lengths(pieces)});
    std::string const text(reinterpret_cast<char const*>(mine.data()), mine.size() * sizeof(Piece));
    Asked all;
    for (auto const& one : group_.ranks.all_gather(text)) {
        std::vector<Piece> pieces_of_rank(one.size() / sizeof(Piece));
        std::memcpy(pieces_of_rank.data(), one.data(), one.size());
        all.pieces += pieces_of_rank.front().offset;
        all.most_pieces = std::max(all.most_pieces, pieces_of_rank.front().offset);
        all.bytes += pieces_of_rank.front().length;
        all.outline.insert(all.outline.end(), pieces_of_rank.begin() + 1, pieces_of_rank.end());
    }
    all.outline = united(std::move(all.outline));
    return all;
}

void RequestPlan::plan(std::span<Piece const> pieces) {
    exchange_.reset();
    auto const asked = ask(pieces);
    base_ = planned_ = asked.outline.front().offset;
    shape_.emplace(pieces, base_);
    auto facts = group_.facts;
    facts.bytes = asked.bytes;
    facts.write = facts.read = {asked.bytes, asked.pieces, asked.most_pieces};
    choice_ = choose(facts, options_);
    ++plans_;
    if (strategy().method != array::Method::independent) {
        FirstFailure failure;
        exchange_.emplace(exchange_plan(pieces, asked), failure);
        try {
            agree_as_errors(group_.ranks, failure);
        } catch (Error const&) {
            exchange_.reset();
            shape_.reset();  // so that it is not used as a plan
            throw;
        }
    }
}

array::ExchangePlan RequestPlan::exchange_plan(std::span<Piece const> pieces, Asked const& asked) {
    array::ExchangePlan plan{group_.ranks, region_of(asked.outline, base_)};
    bool const one = strategy().method == array::Method::gather || strategy().method == array::Method::grouped;
    plan.by.aggregators =
        one ? std::vector<std::uint64_t>{0} : array::place_aggregators(group_.node, strategy().aggregators);
    plan.by.align = choice_.align;
    plan.by.window = choice_.window;
    plan.slots = choice_.slots;
    plan.by.phase = base_ % choice_.align;
    plan.share = share_of(pieces, base_);
    plan.may_overlap = true;
    plan.memory = memory_for(plan.by.aggregators);
    return plan;
}

std::shared_ptr<NodeMemory> RequestPlan::memory_for(std::vector<std::uint64_t> const& aggregators) {
    constexpr std::uint64_t page = 4096;
    auto const bytes = sizeof(array::ControlBlock) + choice_.slots * (choice_.window + page);
    if (bytes <= memory_bytes_ && std::ranges::includes(aggregators_, aggregators)) {
        return memory_;
    }
    aggregators_ = aggregators;
    memory_bytes_ = bytes;
    memory_.reset();
    bool const messages = options_.exchange == array::Route::messages;
    auto const node = messages ? Communicator() : array::ranks_of_node(group_.ranks, 0);
    bool const mine = std::ranges::binary_search(aggregators, group_.ranks.rank());
    FirstFailure failure;
    memory_ = array::make_node_memory(node, mine ? bytes : 0, failure);
    agree_as_errors(group_.ranks, failure);
    run_together(group_.ranks, [&] {
        if (!memory_ || !memory_->shared()) {
            throw Error({fmt::format("an aggregator cannot have {} for its slots", format_bytes(Bytes{bytes})),
                         "memory is used up", "Lower window or memory, or use fewer ranks per node.",
                         ExitCode::cannot_run});
        }
    });
    return memory_;
}

}  // namespace weir
