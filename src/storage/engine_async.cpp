// Accesses that a rank begins and does not wait for.

#include <algorithm>

#include "core/interrupt.hpp"
#include "storage/contents.hpp"
#include "storage/engine_state.hpp"

namespace weir {
namespace {

/// The requests of an access on a rank: those of its nest or list, or the pieces of its part of an array.
std::vector<Operation> requests_of(Access const& access, Rank acting) {
    std::vector<Operation> requests;
    if (access.together) {
        for (auto const& piece : pieces_together(access, acting)) {
            requests.push_back({piece.offset, piece.length, requests.size()});
        }
        return requests;
    }
    Operations operations(access, acting);
    for (Operation one; operations.next(one);) {
        requests.push_back(one);
    }
    return requests;
}

}  // namespace

std::unique_ptr<Buffer> Engine::spare_memory(std::uint64_t bytes) {
    auto const fits = [&](std::unique_ptr<Buffer> const& one) { return one->bytes().size() >= bytes; };
    auto const found = std::ranges::find_if(spare_, fits);
    if (found == spare_.end()) {
        return std::make_unique<Buffer>(bytes);
    }
    auto memory = std::move(*found);
    spare_.erase(found);
    return memory;
}

/// Each request has memory of its own, until it is waited for.
void Engine::begin(Access const& asked, Access const& now, Turns const& turns, State& state) {
    auto& handle = handles_[now.file];
    auto& ran = state.ran;
    auto const writes = now.verb == Verb::write;
    ran.meter.begin_access(state.layouts.at(&asked).mean_bytes);
    for (auto const& request : requests_of(now, state.acting)) {
        throw_if_interrupted();
        auto const prepared_from = clock_.now_s();
        auto& one = handle.begun.emplace_back();
        one.access = &asked;
        one.turns = turns;
        one.request = request;
        one.memory = spare_memory(request.length);
        auto const data = one.memory->bytes().first(request.length);
        if (writes && state.source != nullptr) {
            state.source->fill({asked, now.file, one.turns}, request, data);
        } else if (writes && settings_.stamps) {
            stamp_of(now.file, state.acting).fill(data, request.offset);
        }
        auto const start = clock_.now_s();
        ran.times.stamp_s += start - prepared_from;
        one.began_s = ran.meter.begin();
        writes ? handle.file->begin_write(request, data) : handle.file->begin_read(request, data, one.got);
        ran.times.transfer_s += clock_.now_s() - start;
    }
}

/// Waits for what is on its way to a file, and hands on what was read. What fails is thrown when nothing is any more.
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
        if (!failure && reads && one.got < one.request.length) {
            keep_failure(failure, [&] { refuse_short_read(handle.name, {one.request, one.got}); });
        }
        if (!failure) {
            ran.meter.end(one.began_s, reads ? Direction::read : Direction::write, one.request);
        }
        if (!failure && reads && state.source != nullptr) {
            auto const began = clock_.now_s();
            auto const found = one.memory->bytes().first(one.got);
            keep_failure(failure, [&] { state.source->take({*one.access, file, one.turns}, one.request, found); });
            ran.times.stamp_s += clock_.now_s() - began;
        }
        spare_.push_back(std::move(one.memory));
    }
    handle.begun.clear();
    ran.meter.end_access();
    if (failure) {
        throw Error(*failure);
    }
}

void Engine::step(Wait const& wait, Turns const& turns, State& state) {
    if (contains(wait.ranks, state.acting)) {
        finish(file_at(wait, turns), state);
    }
}

}  // namespace weir
