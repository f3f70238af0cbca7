#include "storage/backends/uring/ring.hpp"

#include <fmt/format.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::size_t page = 4096;
constexpr int places_for_files = 64;

char const* advice_for_refusal(int error_number) {
    switch (error_number) {
        case EPERM:
        case EACCES:
            return "Ask for it to be allowed (sysctl kernel.io_uring_disabled=0; a container's seccomp profile), or "
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

}  // namespace

Ring::Ring(unsigned depth, std::span<std::byte> outside)
    : depth_(depth),
      outside_(outside),
      slot_bytes_((outside.size() + page - 1) / page * page),
      buffers_(slot_bytes_ * depth) {
    set_up();
    register_buffers();
    register_files();
}

Ring::~Ring() { io_uring_queue_exit(&ring_); }

void Ring::set_up() {
    // Completions are processed when this process waits for them, not by interrupting it. Linux 6.1.
    auto status = io_uring_queue_init(
        depth_, &ring_, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN);
    if (status == -EINVAL) {
        status = io_uring_queue_init(depth_, &ring_, 0);
    }
    if (status != 0) {
        throw Error(
            {"this machine refuses io_uring", std::strerror(-status), advice_for_refusal(-status), ExitCode::usage});
    }
}

void Ring::register_buffers() {
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

void Ring::register_files() {
    std::vector<int> const empty(places_for_files, -1);
    if (io_uring_register_files(&ring_, empty.data(), places_for_files) == 0) {
        for (int place = places_for_files; place-- > 0;) {
            free_places_.push_back(place);
        }
    }
}

std::span<std::byte> Ring::buffer(unsigned slot) {
    return buffers_.bytes().subspan(slot * slot_bytes_, outside_.size());
}

RingFile Ring::enter(int descriptor) {
    RingFile file{descriptor, {}};
    if (!free_places_.empty() &&
        io_uring_register_files_update(&ring_, static_cast<unsigned>(free_places_.back()), &descriptor, 1) == 1) {
        file.place = free_places_.back();
        free_places_.pop_back();
    }
    return file;
}

void Ring::leave(RingFile const& file) {
    if (file.place) {
        int const none = -1;
        io_uring_register_files_update(&ring_, static_cast<unsigned>(*file.place), &none, 1);
        free_places_.push_back(*file.place);
    }
}

std::optional<int> Ring::buffer_index(unsigned slot, std::byte const* data) {
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

void Ring::address(io_uring_sqe* request, unsigned slot, RingFile const& file) {
    io_uring_sqe_set_data64(request, slot);
    if (file.place) {
        request->flags |= IOSQE_FIXED_FILE;
    }
    ++on_their_way_;
}

io_uring_sqe* Ring::next_request() {
    if (broken_) {
        throw Error(*broken_);
    }
    auto* request = io_uring_get_sqe(&ring_);
    expect(request != nullptr, "no more requests than the queue is deep");
    return request;
}

void Ring::write(unsigned slot, RingFile const& file, std::span<std::byte const> data, std::uint64_t offset) {
    auto* request = next_request();
    auto const target = file.place.value_or(file.descriptor);
    auto const length = static_cast<unsigned>(data.size());
    if (auto const index = buffer_index(slot, data.data())) {
        io_uring_prep_write_fixed(request, target, data.data(), length, offset, *index);
    } else {
        io_uring_prep_write(request, target, data.data(), length, offset);
    }
    address(request, slot, file);
}

void Ring::read(unsigned slot, RingFile const& file, std::span<std::byte> data, std::uint64_t offset) {
    auto* request = next_request();
    auto const target = file.place.value_or(file.descriptor);
    auto const length = static_cast<unsigned>(data.size());
    if (auto const index = buffer_index(slot, data.data())) {
        io_uring_prep_read_fixed(request, target, data.data(), length, offset, *index);
    } else {
        io_uring_prep_read(request, target, data.data(), length, offset);
    }
    address(request, slot, file);
}

void Ring::start() {
    while (io_uring_sq_ready(&ring_) > 0) {
        auto const status = io_uring_submit(&ring_);
        if (status < 0 && status != -EINTR) {
            // EBUSY and EAGAIN: completions must be reaped first; wait() submits the rest.
            return status == -EAGAIN || status == -EBUSY ? void() : give_up(-status);
        }
    }
}

void Ring::claim(void const* holder, std::function<void()> end) {
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

void Ring::release(void const* holder) {
    if (holder_ == holder) {
        holder_ = nullptr;
        end_ = {};
    }
}

void Ring::wait() {
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

void Ring::give_up(int error_number) {
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

}  // namespace weir
