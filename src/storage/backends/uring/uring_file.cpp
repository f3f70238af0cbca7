#include "storage/backends/uring/uring_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/posix_io.hpp"

namespace weir {
UringFile::UringFile(OpenRequest const& request, bool direct, std::shared_ptr<Ring> ring)
    : file_(request, direct),
      counter_(request.counter),
      ring_(std::move(ring)),
      place_(ring_->enter(file_.descriptor())),
      requests_(ring_->depth()) {
    free_all();
}

UringFile::~UringFile() {
    try {
        drain();
    } catch (Error const&) {  // the ring has failed, and nothing is in flight
    }
    ring_->release(this);
    ring_->leave(place_);
}

void UringFile::free_all() {
    free_.resize(ring_->depth());
    std::iota(free_.rbegin(), free_.rend(), 0U);
}

void UringFile::write(Operation const& operation, std::span<std::byte const> data) {
    carry_out(
        [&, given = false](Request& request, unsigned) mutable {
            request = {operation, data, {}};
            return !std::exchange(given, true);
        },
        nullptr);
    raise();
}

std::size_t UringFile::read(Operation const& operation, std::span<std::byte> data) {
    carry_out(
        [&, given = false](Request& request, unsigned) mutable {
            request = {operation, {}, data};
            return !std::exchange(given, true);
        },
        nullptr);
    auto const end = std::exchange(short_read_, std::nullopt);
    raise();
    return end ? end->got : data.size();
}

void UringFile::write_all(Operations& operations, std::span<std::byte const> data, Meter& meter) {
    carry_out(
        [&](Request& request, unsigned) {
            auto const more = !stop_requested.load(std::memory_order_relaxed) && operations.next(request.operation);
            request = {request.operation, data.first(more ? request.operation.length : 0), {}};
            return more;
        },
        &meter);
    raise();
    throw_if_interrupted();
}

void UringFile::read_all(Operations& operations, std::span<std::byte>, Meter& meter) {
    carry_out(
        [&](Request& request, unsigned slot) {
            auto const more = !stop_requested.load(std::memory_order_relaxed) && operations.next(request.operation);
            request = {request.operation, {}, ring_->buffer(slot).first(more ? request.operation.length : 0)};
            return more;
        },
        &meter);
    raise();
    throw_if_interrupted();
}

void UringFile::write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
    carry_out(
        [&, piece = pieces.begin()](Request& request, unsigned) mutable {
            if (piece == pieces.end() || stop_requested.load(std::memory_order_relaxed)) {
                return false;
            }
            request = {{piece->offset, piece->length, 0}, data.first(piece->length), {}};
            data = data.subspan(piece->length);
            ++piece;
            return true;
        },
        nullptr);
    raise();
    throw_if_interrupted();
}

std::size_t UringFile::read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
    std::size_t started = 0;
    carry_out(
        [&, piece = pieces.begin()](Request& request, unsigned) mutable {
            if (piece == pieces.end() || stop_requested.load(std::memory_order_relaxed)) {
                return false;
            }
            request = {{piece->offset, piece->length, 0}, {}, data.subspan(started, piece->length)};
            started += piece->length;
            ++piece;
            return true;
        },
        nullptr);
    if (std::exchange(short_read_, std::nullopt) && !failure_) {
        // Completions are unordered, so only one piece at a time shows where the file ends.
        return OpenFile::read_pieces(pieces, data);
    }
    raise();
    throw_if_interrupted();
    return started;
}

void UringFile::begin_write(Operation const& operation, std::span<std::byte const> data) {
    begin({.operation = operation, .source = data, .target = {}});
}

void UringFile::begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) {
    got = 0;
    begin({.operation = operation, .source = {}, .target = data, .got = &got});
}

void UringFile::begin(Request const& request) {
    ring_->claim(this, [this] { drain(); });
    while (free_.empty()) {
        ring_->wait();
        ring_->take([&](unsigned slot, int result) { complete(slot, result, nullptr); });
    }
    auto const slot = free_.back();
    free_.pop_back();
    requests_[slot] = request;
    submit(slot);
    ring_->start();
    most_on_their_way_ = std::max(most_on_their_way_, requests_.size() - free_.size());
}

void UringFile::wait() {
    drain();
    raise();
}

void UringFile::drain() {
    while (free_.size() < requests_.size()) {
        try {
            ring_->wait();
        } catch (Error const&) {
            free_all();
            throw;
        }
        ring_->take([&](unsigned slot, int result) { complete(slot, result, nullptr); });
    }
}

template <class Next>
void UringFile::carry_out(Next next, Meter* meter) {
    ring_->claim(this, [this] { drain(); });
    try {
        for (bool more = true;;) {
            while (more && !free_.empty() && !failure_ && !short_read_) {
                auto const slot = free_.back();
                more = next(requests_[slot], slot);
                if (more) {
                    free_.pop_back();
                    requests_[slot].began_s = meter != nullptr ? meter->begin() : 0;
                    submit(slot);
                }
            }
            auto const on_their_way = requests_.size() - free_.size();
            if (on_their_way == 0) {
                return;
            }
            most_on_their_way_ = std::max(most_on_their_way_, on_their_way);
            ring_->wait();
            ring_->take([&](unsigned slot, int result) { complete(slot, result, meter); });
        }
    } catch (Error const&) {
        // The ring has failed, and nothing is in flight.
        free_all();
        throw;
    }
}

void UringFile::submit(unsigned slot) {
    auto& request = requests_[slot];
    request.submitted_s = counter_ == nullptr ? 0 : counter_->now_s();
    auto const offset = request.operation.offset + request.done;
    auto const length = std::min<std::size_t>(request.operation.length - request.done, most_at_once);
    if (request.target.empty()) {
        ring_->write(slot, place_, request.source.subspan(request.done, length), offset);
    } else {
        ring_->read(slot, place_, request.target.subspan(request.done, length), offset);
    }
}

void UringFile::complete(unsigned slot, int result, Meter* meter) {
    auto& request = requests_[slot];
    auto const writes = request.target.empty();
    auto ended = false;
    auto const try_again = result == -EINTR || result == -EAGAIN;
    if (counter_ != nullptr) {  // several are in flight, each with its own time
        Moved const moved{result > 0 ? static_cast<std::uint64_t>(result) : 0, 1, 0};
        counter_->note(writes ? IoCall::write : IoCall::read, moved, counter_->now_s() - request.submitted_s);
    }
    if (result > 0) {
        request.done += static_cast<std::size_t>(result);
    } else if (result == 0 && !writes && request.got == nullptr) {
        short_read_ = short_read_ ? short_read_ : ShortRead{request.operation, request.done};
    } else if (result == 0 && !writes) {
        ended = true;  // whoever waits for it checks how many bytes it moved
    } else if (!try_again) {
        // A write of 0 bytes means a full disk.
        auto const error_number = result == 0 ? ENOSPC : -result;
        failure_ = failure_ ? failure_
                            : transfer_error(writes ? "write" : "read", file_.path(),
                                             request.operation.offset + request.done, error_number)
                                  .diagnosis();
    }
    if (request.got != nullptr) {
        *request.got = request.done;
    }
    if (request.done == request.operation.length) {
        if (meter != nullptr) {
            meter->end(request.began_s, writes ? Direction::write : Direction::read, request.operation);
        }
        free_.push_back(slot);
    } else if (failure_ || short_read_ || ended) {
        free_.push_back(slot);
    } else {
        submit(slot);
    }
}

void UringFile::raise() {
    auto const failure = std::exchange(failure_, std::nullopt);
    auto const short_read = std::exchange(short_read_, std::nullopt);
    throw_kept(failure);
    if (short_read) {
        throw ShortRead(*short_read);
    }
}

void UringFile::close() {
    wait();
    ring_->release(this);
    ring_->leave(std::exchange(place_, {}));
    file_.close();
}

Hints UringFile::hints() const {
    auto const& why = ring_->why_unregistered();
    return {{"queue_depth", fmt::format("{}", ring_->depth())},
            {"most_on_their_way", fmt::format("{}", most_on_their_way_)},
            {"buffers", why.empty() ? "registered" : "not registered: " + why}};
}

}  // namespace weir
