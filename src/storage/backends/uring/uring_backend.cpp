// io_uring: many requests of one rank in flight, with registered buffers and files.

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/posix_io.hpp"
#include "core/rank_progress.hpp"
#include "storage/backends/posix/posix_file.hpp"
#include "storage/backends/uring/ring.hpp"

namespace weir {
namespace {

/// A file descriptor whose requests go through a ring, with up to its depth in flight. When a member function has
/// returned or thrown, only requests of begin_write() and begin_read() are in flight.
class UringFile final : public OpenFile {
  public:
    UringFile(OpenRequest const& request, bool direct, std::shared_ptr<Ring> ring)
        : file_(request, direct),
          mover_(direct ? Ring::Mover::submission : Ring::Mover::thread),
          counter_(request.counter),
          ring_(std::move(ring)),
          place_(ring_->enter(file_.descriptor())),
          requests_(ring_->depth()) {
        free_all();
    }

    ~UringFile() override {
        try {
            drain();
        } catch (Error const&) {  // the ring has failed, and nothing is in flight
        }
        ring_->release(this);
        ring_->leave(place_);
    }

    void write(Operation const& operation, std::span<std::byte const> data) override {
        carry_out([&, given = false](RingRequest& request, unsigned) mutable {
            request = {Direction::write, operation, data, {}};
            return !std::exchange(given, true);
        });
        raise();
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        carry_out([&, given = false](RingRequest& request, unsigned) mutable {
            request = {Direction::read, operation, {}, data};
            return !std::exchange(given, true);
        });
        auto const end = std::exchange(short_read_, std::nullopt);
        raise();
        return end ? end->got : data.size();
    }

    void write_all(Operations& operations, RequestMemory& data, Meter& meter) override {
        carry_out(
            [&](RingRequest& request, unsigned) {
                auto const more = !stop_requested.load(std::memory_order_relaxed) && operations.next(request.operation);
                auto const part = data.next(more ? request.operation.length : 0);
                request = {Direction::write, request.operation, part, {}};
                return more;
            },
            &meter);
        raise();
        throw_if_interrupted();
    }

    /// Reads into the buffers of the ring: requests in flight must not share one.
    void read_all(Operations& operations, RequestMemory&, Meter& meter) override {
        carry_out(
            [&](RingRequest& request, unsigned slot) {
                auto const more = !stop_requested.load(std::memory_order_relaxed) && operations.next(request.operation);
                auto const part = ring_->buffer(slot).first(more ? request.operation.length : 0);
                request = {Direction::read, request.operation, {}, part};
                return more;
            },
            &meter);
        raise();
        throw_if_interrupted();
    }

    /// Pieces have separate places in `data`, so they can be in flight together.
    void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) override {
        carry_out([&, piece = pieces.begin()](RingRequest& request, unsigned) mutable {
            if (piece == pieces.end() || stop_requested.load(std::memory_order_relaxed)) {
                return false;
            }
            request = {Direction::write, {piece->offset, piece->length, 0}, data.first(piece->length), {}};
            data = data.subspan(piece->length);
            ++piece;
            return true;
        });
        raise();
        throw_if_interrupted();
    }

    std::size_t read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) override {
        std::size_t started = 0;
        carry_out([&, piece = pieces.begin()](RingRequest& request, unsigned) mutable {
            if (piece == pieces.end() || stop_requested.load(std::memory_order_relaxed)) {
                return false;
            }
            auto const part = data.subspan(started, piece->length);
            request = {Direction::read, {piece->offset, piece->length, 0}, {}, part};
            started += piece->length;
            ++piece;
            return true;
        });
        if (std::exchange(short_read_, std::nullopt) && !failure_) {
            // Completions are unordered, so only one piece at a time shows where the file ends.
            return OpenFile::read_pieces(pieces, data);
        }
        raise();
        throw_if_interrupted();
        return started;
    }

    void begin_write(Operation const& operation, std::span<std::byte const> data) override {
        begin({.direction = Direction::write, .operation = operation, .source = data, .target = {}, .mover = mover_});
    }

    void begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) override {
        got = 0;
        begin({.direction = Direction::read,
               .operation = operation,
               .source = {},
               .target = data,
               .got = &got,
               .mover = mover_});
    }

    void wait() override {
        drain();
        raise();
    }

    void preallocate(std::uint64_t bytes) override { file_.preallocate(bytes); }
    void sync() override { file_.sync(); }

    void close() override {
        wait();
        ring_->release(this);
        ring_->leave(std::exchange(place_, {}));
        file_.close();
    }

    /// The queue depth, the most requests that were in flight, and whether the kernel has registered the buffers.
    [[nodiscard]] Hints hints() const override {
        auto const& why = ring_->why_unregistered();
        return {{"queue_depth", fmt::format("{}", ring_->depth())},
                {"most_on_their_way", fmt::format("{}", most_on_their_way_)},
                {"buffers", why.empty() ? "registered" : "not registered: " + why}};
    }

  private:
    /// A request in flight.
    struct RingRequest {
        Direction direction = Direction::write;
        Operation operation;
        std::span<std::byte const> source;  ///< for a write
        std::span<std::byte> target;        ///< for a read
        double began_s = 0;
        std::size_t done = 0;
        double submitted_s = 0;
        std::size_t* got = nullptr;  ///< for a started read
        Ring::Mover mover = Ring::Mover::submission;
    };

    /// Puts the requests of `next(request, slot)` into free slots until it returns false, and waits for all of them;
    /// keeps the first failure.
    template <class Next>
    void carry_out(Next next, Meter* meter = nullptr) {
        ring_->claim(this, [this] { drain(); });
        try {
            for (bool more = true;;) {
                while (more && !free_.empty() && !failure_ && !short_read_) {
                    auto const slot = free_.back();
                    more = next(requests_[slot], slot);
                    if (more) {
                        requests_[slot].began_s = meter != nullptr ? meter->begin() : 0;
                        start(slot, meter);
                    }
                }
                auto const on_their_way = requests_.size() - free_.size();
                if (on_their_way == 0) {
                    return;
                }
                most_on_their_way_ = std::max(most_on_their_way_, on_their_way);
                ring_->wait();
                note_step();
                ring_->take([&](unsigned slot, int result) { complete(slot, result, meter); });
            }
        } catch (Error const&) {
            // The ring has failed, and nothing is in flight.
            free_all();
            throw;
        }
    }

    void begin(RingRequest const& request) {
        ring_->claim(this, [this] { drain(); });
        while (free_.empty()) {
            ring_->wait();
            ring_->take([&](unsigned slot, int result) { complete(slot, result, nullptr); });
        }
        auto const slot = free_.back();
        requests_[slot] = request;
        start(slot, nullptr);
        ring_->start();
        most_on_their_way_ = std::max(most_on_their_way_, requests_.size() - free_.size());
    }

    void drain() {
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

    /// Puts the request in the last free slot on its way; one without bytes is none, since the kernel would answer it
    /// as it does where a disk is full or a file ends.
    void start(unsigned slot, Meter* meter) {
        auto const& request = requests_[slot];
        if (request.operation.length > 0) {
            free_.pop_back();
            submit(slot);
        } else if (meter != nullptr) {
            meter->end(request.began_s, request.direction, request.operation);
        }
    }

    void submit(unsigned slot) {
        auto& request = requests_[slot];
        request.submitted_s = counter_ == nullptr ? 0 : counter_->now_s();
        auto const offset = request.operation.offset + request.done;
        auto const length = std::min<std::size_t>(request.operation.length - request.done, most_at_once);
        if (request.direction == Direction::write) {
            ring_->write(slot, place_, request.source.subspan(request.done, length), offset, request.mover);
        } else {
            ring_->read(slot, place_, request.target.subspan(request.done, length), offset, request.mover);
        }
    }

    void complete(unsigned slot, int result, Meter* meter) {
        auto& request = requests_[slot];
        auto const writes = request.direction == Direction::write;
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
                meter->end(request.began_s, request.direction, request.operation);
            }
            free_.push_back(slot);
        } else if (failure_ || short_read_ || ended) {
            free_.push_back(slot);
        } else {
            submit(slot);
        }
    }

    void free_all() {
        free_.resize(ring_->depth());
        std::iota(free_.rbegin(), free_.rend(), 0U);
    }

    void raise() {
        auto const failure = std::exchange(failure_, std::nullopt);
        auto const short_read = std::exchange(short_read_, std::nullopt);
        throw_kept(failure);
        if (short_read) {
            throw ShortRead(*short_read);
        }
    }

    PosixFile file_;
    /// Of requests in flight: what the page cache takes or has would be copied at once, and computing would wait for
    /// it.
    Ring::Mover mover_;
    CallCounter* counter_;
    std::shared_ptr<Ring> ring_;
    RingFile place_;
    std::vector<RingRequest> requests_;  ///< by slot
    std::vector<unsigned> free_;         ///< slots
    std::size_t most_on_their_way_ = 0;
    std::optional<Diagnosis> failure_;
    std::optional<ShortRead> short_read_;
};

class UringBackend final : public Backend {
  public:
    static constexpr std::string_view name = "uring";
    static constexpr std::string_view words = "io_uring";
    static constexpr std::string_view summary = "io_uring: many requests of a rank in flight, with registered buffers";
    static constexpr Features features{.stores = true, .collective = false, .hints = false, .asynchronous = true};

    void declare(OptionSet& options) override {
        options.add("direct", direct_, "open with O_DIRECT: bypass the page cache, with aligned requests");
        options.add("queue_depth", depth_, "requests of a rank in flight, unless one waits for another",
                    {std::uint64_t{1}, std::uint64_t{1000}});
    }

    void prepare(std::span<std::byte> buffer) override {
        ring_ = std::make_shared<Ring>(static_cast<unsigned>(depth_), buffer);
    }

    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t buffer_bytes) const override {
        return depth_ * buffer_bytes;
    }

    void check_files(Pattern const& files) const override {
        if (direct_) {
            refuse_direct_arrays(files);
        }
    }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        expect(ring_ != nullptr, "a back-end is prepared before it opens files");
        return std::make_unique<UringFile>(request, direct_, ring_);
    }

    [[nodiscard]] std::optional<CacheAvoidance> avoids_caches() const override {
        return direct_ ? std::optional(CacheAvoidance::direct) : std::nullopt;
    }

  private:
    bool direct_ = false;
    std::uint64_t depth_ = 32;
    std::shared_ptr<Ring> ring_;
};

RegisterBackend<UringBackend> const registration;

}  // namespace
}  // namespace weir
