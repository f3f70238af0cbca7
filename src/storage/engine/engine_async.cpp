// Asynchronous accesses: started, not waited for.

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/random.hpp"
#include "pattern/unwaited.hpp"
#include "storage/engine/engine_state.hpp"
#include "storage/engine/fill_and_verify.hpp"

namespace weir {
namespace {

/// The requests of an access on a rank, as pieces: of a list, a nest or an array together all are one.
std::vector<std::vector<Piece>> requests_of(Access const& access, Rank acting) {
    std::vector<std::vector<Piece>> requests;
    if (access.list_io) {
        if (auto pieces = list_io_pieces(access, acting); !pieces.empty()) {
            requests.push_back(std::move(pieces));
        }
        return requests;
    }
    Operations operations(access, acting);
    for (Operation one; operations.next(one);) {
        requests.push_back({{one.offset, one.length}});
    }
    return requests;
}

void make(PendingRequest& one, OpenFile& file) {
    auto data = one.memory->bytes();
    for (std::size_t i = 0; i < one.pieces.size(); ++i) {
        Operation const piece{one.pieces[i].offset, one.pieces[i].length, i};
        auto const part = data.first(piece.length);
        one.access->verb == Verb::write ? file.begin_write(piece, part) : file.begin_read(piece, part, one.got[i]);
        data = data.subspan(piece.length);
    }
}

void refuse_what_is_short(PendingRequest const& one, std::string const& file_name) {
    for (std::size_t i = 0; i < one.pieces.size(); ++i) {
        if (one.got[i] < one.pieces[i].length) {
            refuse_short_read(file_name, {{one.pieces[i].offset, one.pieces[i].length, i}, one.got[i]});
        }
    }
}

}  // namespace

/// Not all bytes equal, as in the buffer.
std::unique_ptr<RequestMemory> Engine::filled_memory(std::uint64_t bytes) const {
    auto memory = std::make_unique<RequestMemory>(bytes, DataMemory{0, memory_.in_page});
    Stamp(mix(settings_.seed), comm_.rank()).fill(memory->bytes(), 0);
    return memory;
}

/// For what the phase will have in flight, so that making it is not measured.
void Engine::prepare_spare_memory(Phase const& phase) {
    std::uint64_t largest = 0;
    each_access(phase.steps, [&](Access const& access, Loops const&) {
        largest = std::max(largest, access.asynchronous ? largest_request(access) : 0);
    });
    if (largest == 0) {
        return;
    }
    Pattern alone;
    alone.ranks = comm_.size();
    alone.phases = {phase};
    auto const fits = [&](std::unique_ptr<RequestMemory> const& one) { return one->bytes().size() >= largest; };
    auto have = static_cast<std::uint64_t>(std::ranges::count_if(spare_, fits));
    for (auto const wanted = most_unwaited(alone) / largest; have < wanted; ++have) {
        spare_.push_back(filled_memory(largest));
    }
}

std::unique_ptr<RequestMemory> Engine::spare_memory(std::uint64_t bytes) {
    auto const fits = [&](std::unique_ptr<RequestMemory> const& one) { return one->bytes().size() >= bytes; };
    auto const found = std::ranges::find_if(spare_, fits);
    if (found == spare_.end()) {
        return filled_memory(bytes);
    }
    auto memory = std::move(*found);
    spare_.erase(found);
    return memory;
}

/// Each request has its own memory until it completes.
void Engine::begin(Access const& asked, Access const& now, Turns const& turns, State& state) {
    auto& ran = state.ran;
    ran.meter.begin_access(state.layouts.at(&asked).mean_bytes);
    for (auto& pieces : requests_of(now, state.acting)) {
        throw_if_interrupted();
        auto const prepared_from = clock_.now_s();
        auto& one = handles_[now.file].begun.emplace_back();
        one.access = &asked;
        one.turns = turns;
        one.pieces = std::move(pieces);
        one.whole = {one.pieces.front().offset, sum_of_lengths(one.pieces), 0};
        one.memory = spare_memory(one.whole.length);
        one.got.resize(one.pieces.size());
        auto const data = one.memory->bytes().first(one.whole.length);
        if (now.verb == Verb::write && state.source != nullptr) {
            SourcedContents(*state.source, {asked, now.file, one.turns}).fill_pieces(one.pieces, data);
        } else if (now.verb == Verb::write && settings_.stamps) {
            StampedContents(stamp_of(now.file, state.acting), now.file, state.acting, ran.words)
                .fill_pieces(one.pieces, data);
        }
        auto const start = clock_.now_s();
        ran.times.stamp_s += start - prepared_from;
        one.began_s = ran.meter.begin();
        make(one, *handles_[now.file].file);
        ran.times.transfer_s += clock_.now_s() - start;
    }
}

/// Waits for a file's requests in flight, and passes on what was read. Throws the first failure when none is in flight.
void Engine::finish(std::uint64_t file, State& state) {
    auto& handle = handles_[file];
    if (handle.begun.empty()) {
        return;
    }
    auto& ran = state.ran;
    std::optional<Diagnosis> failure;
    auto const start = clock_.now_s();
    keep_failure(failure, [&] { handle.file->wait(); });
    ran.times.transfer_s += clock_.now_s() - start;
    for (auto& one : handle.begun) {
        auto const reads = one.access->verb == Verb::read;
        if (reads && !failure) {
            keep_failure(failure, [&] { refuse_what_is_short(one, handle.name); });
        }
        if (!failure) {
            ran.meter.end(one.began_s, reads ? Direction::read : Direction::write, one.whole);
        }
        if (!failure && reads && state.source != nullptr) {
            auto const began = clock_.now_s();
            SourcedContents taker(*state.source, {*one.access, file, one.turns});
            auto const found = one.memory->bytes().first(one.whole.length);
            keep_failure(failure, [&] { taker.take_pieces(one.pieces, found); });
            ran.times.stamp_s += clock_.now_s() - began;
        }
        spare_.push_back(std::move(one.memory));
    }
    handle.begun.clear();
    ran.meter.end_access();
    throw_kept(failure);
}

void Engine::step(Wait const& wait, Turns const& turns, State& state) {
    if (contains(wait.ranks, state.acting)) {
        finish(file_at(wait, turns), state);
    }
}

}  // namespace weir
