#include "storage/backends/hdf5/hdf5_file.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/hints.hpp"

namespace weir {
namespace {

/// The first and last dataset that any rank requests.
struct Wanted {
    std::uint64_t first;
    std::uint64_t last;
    bool any;
};

Wanted wanted_by_all(Communicator const& comm, std::optional<std::uint64_t> mine) {
    // Minimum and maximum in one reduction: the minimum as the maximum of (top - value).
    constexpr auto top = std::numeric_limits<std::uint64_t>::max();
    std::array<std::uint64_t, 2> ends{mine ? *mine + 1 : 0, mine ? top - *mine : 0};
    comm.max(ends);
    return {top - ends[1], ends[0] - 1, ends[0] > 0};
}

/// Checks a request before the file is created from it; returns it.
OpenRequest const& without_large_chunks(OpenRequest const& request, Hdf5Settings const& settings) {
    auto const largest = Datasets(request).largest();
    validate(request.mode != OpenMode::create || settings.chunk <= largest,
             fmt::format("chunks of {} bytes are larger than a dataset of {}", settings.chunk, largest),
             "HDF5 keeps a chunk within its dataset", "Choose a smaller chunk, or a larger block.");
    return request;
}

}  // namespace

Hdf5File::Hdf5File(OpenRequest const& request, Hdf5Settings const& settings)
    : Hdf5OpenFile(without_large_chunks(request, settings), settings),
      out_of_time_(request.out_of_time),
      datasets_(Datasets(request), settings),
      nothing_(no_memory()) {
    try {
        run_together(comm_, [&] { find_datasets(request, settings); });
    } catch (Error const&) {
        WriteWatch const watch(lost_);
        close_all();
        throw;
    }
}

void Hdf5File::find_datasets(OpenRequest const& request, Hdf5Settings const& settings) {
    auto const in_step = collective_ || comm_.size() == 1;
    // Collective metadata reads work only if ranks are in step.
    datasets_.use(file_.get(), request.mode != OpenMode::create, settings.collective_metadata && comm_.size() > 1);
    // Ranks that are not in step create or open beforehand the datasets that must be created or opened collectively.
    if (!in_step && (request.mode == OpenMode::create || settings.collective_metadata)) {
        go_through_datasets();
    } else if (request.mode != OpenMode::create && datasets_.shape().count() > 0) {
        attempt("open datasets of", [&] { return datasets_.get(0) == nullptr ? -1 : 0; });
    }
}

void Hdf5File::go_through_datasets() {
    // All of them in one attempt: a rank on which a write fails must continue with the others.
    std::uint64_t reached = 0;
    attempt("make or open datasets of", [&] {
        auto failed = false;
        reached = datasets_.shape().go_through(comm_, out_of_time_, [&](std::uint64_t dataset) {
            failed = failed || datasets_.get(dataset) == nullptr;
            return !failed;
        });
        return failed ? -1 : 0;
    });
    datasets_.shape().refuse_late(reached);
}

void Hdf5File::begin(Access const& access, Rank acting) {
    auto const look = [&] { datasets_.shape().refuse_crossing(access, acting); };
    collective_ ? run_together(comm_, look) : look();
}

void Hdf5File::set_collective(bool collective) {
    collective_ = collective;
    if (!collective && comm_.size() > 1 && !(datasets_.all_there() && datasets_.open_at_any_time())) {
        go_through_datasets();
    }
    make_collective(collective);
}

hid_t Hdf5File::memory_of(std::uint64_t bytes) {
    if (bytes != memory_bytes_) {
        hsize_t const size = bytes;
        memory_ = {H5Screate_simple(1, &size, nullptr), H5Sclose};
        memory_bytes_ = bytes;
    }
    return memory_.get();
}

template <class Transfer>
void Hdf5File::request(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                       Transfer transfer) {
    // The dataset may have to be created: if that fails on this rank, it still continues with the others.
    attempt(what, bytes, [&] {
        auto const* place = datasets_.get(dataset);
        return place == nullptr ? herr_t{-1}
                                : transfer(place->data.get(), datasets_.select(*place, offset, bytes),
                                           bytes > 0 ? memory_of(bytes) : nothing_.get());
    });
}

template <class Transfer>
void Hdf5File::request_alone(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                             Transfer transfer) {
    for (std::uint64_t done = 0; done < bytes; done += largest_piece) {
        request(what, dataset, offset + done, std::min(bytes - done, largest_piece),
                [&](hid_t data, hid_t space, hid_t memory) { return transfer(data, space, memory, done); });
    }
}

template <class Transfer>
void Hdf5File::request_together(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                                Transfer transfer) {
    if (datasets_.shape().count() == 1) {
        request(what, 0, offset, bytes, transfer);
        check_collective();
        return;
    }
    // A collective call is for one dataset: if ranks want different ones, they take turns, and none leaves before all
    // have finished.
    std::optional<Diagnosis> failure;
    auto mine = bytes > 0 ? std::optional(dataset) : std::nullopt;
    while (true) {
        auto const wanted = wanted_by_all(comm_, mine);
        if (!wanted.any) {
            break;
        }
        auto const my_turn = mine == wanted.first;
        keep_failure(failure, [&] {
            request(what, wanted.first, offset, my_turn ? bytes : 0, transfer);
            check_collective();
        });
        if (wanted.first == wanted.last) {
            break;
        }
        if (my_turn) {
            mine.reset();
        }
    }
    throw_kept(failure);
}

void Hdf5File::write(Operation const& operation, std::span<std::byte const> data) {
    auto const transfer = [&](hid_t dataset, hid_t space, hid_t memory, std::uint64_t from = 0) {
        return H5Dwrite(dataset, H5T_NATIVE_UCHAR, memory, space, transfer_.get(), data.data() + from);
    };
    auto const& shape = datasets_.shape();
    auto const dataset = shape.holding(operation.offset);
    auto const offset = shape.within(operation.offset);
    if (collective_) {
        request_together(IoCall::write, dataset, offset, data.size(), transfer);
    } else {
        request_alone(IoCall::write, dataset, offset, data.size(), transfer);
    }
}

std::size_t Hdf5File::read(Operation const& operation, std::span<std::byte> data) {
    auto const transfer = [&](hid_t dataset, hid_t space, hid_t memory, std::uint64_t from = 0) {
        return H5Dread(dataset, H5T_NATIVE_UCHAR, memory, space, transfer_.get(), data.data() + from);
    };
    auto const& shape = datasets_.shape();
    auto const dataset = shape.holding(operation.offset);
    auto const offset = shape.within(operation.offset);
    auto const end = dataset < shape.count() ? shape.bytes_of(dataset) : 0;
    auto const there = std::min<std::uint64_t>(data.size(), end > offset ? end - offset : 0);
    if (collective_) {
        request_together(IoCall::read, dataset, offset, there, transfer);
    } else {
        request_alone(IoCall::read, dataset, offset, there, transfer);
    }
    return there;
}

// Adjacent pieces are merged, also across the end of a dataset.
void Hdf5File::write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
    for (auto const& piece : pieces) {
        throw_if_interrupted();
        datasets_.shape().each_part(piece, [&](std::uint64_t offset, std::uint64_t length) {
            write({offset, length, 0}, data.first(length));
            data = data.subspan(length);
        });
    }
}

std::size_t Hdf5File::read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
    std::size_t got = 0;
    for (auto const& piece : pieces) {
        throw_if_interrupted();
        datasets_.shape().each_part(piece, [&](std::uint64_t offset, std::uint64_t length) {
            got += read({offset, length, 0}, data.first(length));
            data = data.subspan(length);
        });
    }
    return got;
}

void Hdf5File::preallocate(std::uint64_t bytes) {
    run_together(comm_, [&] {
        if (!datasets_.all_there()) {
            go_through_datasets();
        }
    });
    reserve(bytes);
}

herr_t Hdf5File::close_all() {
    auto const closed = datasets_.close();
    return std::min(closed, file_.close());
}

void Hdf5File::close() {
    // Datasets that were never written belong to the file too, unless there is a time limit.
    if (file_.open() && !out_of_time_ && !datasets_.all_there()) {
        go_through_datasets();
    }
    attempt(IoCall::close, 0, [&] { return close_all(); });
}

Hdf5File::~Hdf5File() {
    WriteWatch const watch(lost_);
    close_all();
}

}  // namespace weir
