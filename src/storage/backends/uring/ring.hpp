#pragma once

#include <liburing.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/memory.hpp"

namespace weir {

/// A request's file: a descriptor, or an index in the ring's table of registered files.
struct RingFile {
    int descriptor = -1;
    std::optional<int> place;
};

/// The submission and completion queues of one process, for `depth` requests in flight, their buffers and a table of
/// files, both registered with the kernel if it permits. Local.
class Ring {
  public:
    /// `outside`: another buffer that requests may use. Throws Error (usage) if the kernel refuses io_uring.
    Ring(unsigned depth, std::span<std::byte> outside)
        : depth_(depth),
          outside_(outside),
          slot_bytes_((outside.size() + page - 1) / page * page),
          buffers_(slot_bytes_ * depth) {
        set_up();
        register_buffers();
        register_files();
    }

    ~Ring() { io_uring_queue_exit(&ring_); }
    Ring(Ring const&) = delete;
    Ring& operator=(Ring const&) = delete;

    [[nodiscard]] unsigned depth() const { return depth_; }

    /// Why the buffers are not registered; empty if they are.
    [[nodiscard]] std::string const& why_unregistered() const { return why_unregistered_; }

    /// The buffer of one of the `depth` slots, as large as `outside`.
    [[nodiscard]] std::span<std::byte> buffer(unsigned slot) {
        return buffers_.bytes().subspan(slot * slot_bytes_, outside_.size());
    }

    /// Puts a file into the table, if it has room.
    [[nodiscard]] RingFile enter(int descriptor) {
        RingFile file{descriptor, {}};
        if (!free_places_.empty() &&
            io_uring_register_files_update(&ring_, static_cast<unsigned>(free_places_.back()), &descriptor, 1) == 1) {
            file.place = free_places_.back();
            free_places_.pop_back();
        }
        return file;
    }

    void leave(RingFile const& file) {
        if (file.place) {
            int const none = -1;
            io_uring_register_files_update(&ring_, static_cast<unsigned>(*file.place), &none, 1);
            free_places_.push_back(*file.place);
        }
    }

    /// Who moves the bytes of a request: the kernel as it is submitted, where it need not wait for a device; or one of
    /// its threads.
    enum class Mover { submission, thread };

    /// Prepares a request; the next wait() submits it. `data` must stay unchanged until it completes; it is registered
    /// if it lies in the slot's buffer or in `outside`.
    void write(unsigned slot, RingFile const& file, std::span<std::byte const> data, std::uint64_t offset,
               Mover mover) {
        auto* request = next_request();
        auto const target = file.place.value_or(file.descriptor);
        auto const length = static_cast<unsigned>(data.size());
        if (auto const index = buffer_index(slot, data.data())) {
            io_uring_prep_write_fixed(request, target, data.data(), length, offset, *index);
        } else {
            io_uring_prep_write(request, target, data.data(), length, offset);
        }
        address(request, slot, file, mover);
    }

    void read(unsigned slot, RingFile const& file, std::span<std::byte> data, std::uint64_t offset, Mover mover) {
        auto* request = next_request();
        auto const target = file.place.value_or(file.descriptor);
        auto const length = static_cast<unsigned>(data.size());
        if (auto const index = buffer_index(slot, data.data())) {
            io_uring_prep_read_fixed(request, target, data.data(), length, offset, *index);
        } else {
            io_uring_prep_read(request, target, data.data(), length, offset);
        }
        address(request, slot, file, mover);
    }

    /// Submits the prepared requests. Throws as wait().
    void start() {
        while (io_uring_sq_ready(&ring_) > 0) {
            auto const status = io_uring_submit(&ring_);
            if (status < 0 && status != -EINTR) {
                // EBUSY and EAGAIN: completions must be reaped first; wait() submits the rest.
                return status == -EAGAIN || status == -EBUSY ? void() : give_up(-status);
            }
        }
    }

    /// Makes `holder` the owner of requests in flight, which ends them by `end`; those of the previous owner are ended
    /// first.
    void claim(void const* holder, std::function<void()> end) {
        if (holder_ != holder) {
            auto const before = std::exchange(end_, {});
            holder_ = nullptr;
            if (before) {
                before();
            }
            holder_ = holder;
            end_ = std::move(end);
        }
    }

    /// Tells the ring that this owner has no requests in flight.
    void release(void const* holder) {
        if (holder_ == holder) {
            holder_ = nullptr;
            end_ = {};
        }
    }

    /// Submits the prepared requests and waits for a completion. Throws Error if the ring has failed; then nothing is
    /// in flight.
    void wait() {
        while (true) {
            auto const status = io_uring_submit_and_wait(&ring_, 1);
            // EBUSY and EAGAIN: completions must be reaped before more can be submitted; EINTR: a signal, perhaps after
            // some were submitted.
            if (status >= 0 || io_uring_cq_ready(&ring_) > 0) {
                return;
            }
            if (status != -EINTR && status != -EAGAIN && status != -EBUSY) {
                give_up(-status);
            }
        }
    }

    /// Calls `done(slot, result)` for every available completion; the result is a number of bytes or -errno.
    template <class Done>
    void take(Done done) {
        io_uring_cqe* completion = nullptr;
        while (io_uring_peek_cqe(&ring_, &completion) == 0) {
            auto const slot = static_cast<unsigned>(io_uring_cqe_get_data64(completion));
            auto const result = completion->res;
            io_uring_cqe_seen(&ring_, completion);
            --on_their_way_;
            done(slot, result);
        }
    }

  private:
    static constexpr std::size_t page = 4096;
    static constexpr int places_for_files = 64;

    static char const* advice_for_refusal(int error_number) {
        switch (error_number) {
            case EPERM:
            case EACCES:
                return "Ask for it to be allowed (sysctl kernel.io_uring_disabled=0; a container's seccomp profile), "
                       "or "
                       "choose backend = posix.";
            case ENOSYS:
                return "It needs Linux 5.6 and a container that lets it through (seccomp); or choose backend = posix.";
            case ENOMEM:
                return "Raise the limit on locked memory (ulimit -l), or choose a smaller queue_depth.";
            case EMFILE:
            case ENFILE:
                return "Raise the limit on open files (ulimit -n), or use fewer ranks per node.";
            default:
                return "Choose backend = posix.";
        }
    }

    void set_up() {
        // Completions are processed when this process waits for them, not by interrupting it. Linux 6.1.
        auto status = io_uring_queue_init(
            depth_, &ring_, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN);
        if (status == -EINVAL) {
            status = io_uring_queue_init(depth_, &ring_, 0);
        }
        if (status != 0) {
            throw Error({"this machine refuses io_uring", std::strerror(-status), advice_for_refusal(-status),
                         ExitCode::usage});
        }
    }

    void register_buffers() {
        std::vector<iovec> places{{outside_.data(), outside_.size()}};
        for (unsigned slot = 0; slot < depth_; ++slot) {
            auto const place = buffer(slot);
            places.push_back({place.data(), place.size()});
        }
        auto const status = io_uring_register_buffers(&ring_, places.data(), static_cast<unsigned>(places.size()));
        if (status != 0) {
            why_unregistered_ =
                status == -ENOMEM ? "beyond the limit on locked memory (ulimit -l)" : std::strerror(-status);
        }
    }

    void register_files() {
        std::vector<int> const empty(places_for_files, -1);
        if (io_uring_register_files(&ring_, empty.data(), places_for_files) == 0) {
            for (int place = places_for_files; place-- > 0;) {
                free_places_.push_back(place);
            }
        }
    }

    void address(io_uring_sqe* request, unsigned slot, RingFile const& file, Mover mover) {
        io_uring_sqe_set_data64(request, slot);
        if (mover == Mover::thread) {
            request->flags |= IOSQE_ASYNC;
        }
        if (file.place) {
            request->flags |= IOSQE_FIXED_FILE;
        }
        ++on_their_way_;
    }

    [[nodiscard]] std::optional<int> buffer_index(unsigned slot, std::byte const* data) {
        auto const holds = [&](std::span<std::byte> place) {
            return data >= place.data() && data < place.data() + place.size();
        };
        if (!why_unregistered_.empty()) {
            return {};
        }
        if (holds(outside_)) {
            return 0;
        }
        return holds(buffer(slot)) ? std::optional(static_cast<int>(slot) + 1) : std::nullopt;
    }

    [[nodiscard]] io_uring_sqe* next_request() {
        if (broken_) {
            throw Error(*broken_);
        }
        auto* request = io_uring_get_sqe(&ring_);
        expect(request != nullptr, "no more requests than the queue is deep");
        return request;
    }

    [[noreturn]] void give_up(int error_number) {
        // Submitted requests may still use the buffers: wait for them. Unsubmitted ones never will.
        io_uring_cqe* completion = nullptr;
        while (on_their_way_ > io_uring_sq_ready(&ring_)) {
            auto const status = io_uring_wait_cqe(&ring_, &completion);
            if (status == 0) {
                io_uring_cqe_seen(&ring_, completion);
                --on_their_way_;
            } else if (status != -EINTR) {
                break;
            }
        }
        broken_ = system_error("io_uring does not take requests any more", error_number,
                               "Look into the system's log; backend = posix does without it.")
                      .diagnosis();
        throw Error(*broken_);
    }

    unsigned depth_;
    std::span<std::byte> outside_;
    std::size_t slot_bytes_;
    Buffer buffers_;
    io_uring ring_{};
    std::uint64_t on_their_way_ = 0;  ///< prepared or submitted, not completed
    std::string why_unregistered_;
    std::vector<int> free_places_;  ///< in the table of files
    std::optional<Diagnosis> broken_;
    void const* holder_ = nullptr;
    std::function<void()> end_;
};

}  // namespace weir
