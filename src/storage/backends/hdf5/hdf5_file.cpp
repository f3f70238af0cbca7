#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/datasets.hpp"
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
    validate(request.mode != OpenMode::create || settings.chunk.value <= largest,
             fmt::format("chunks of {} bytes are larger than a dataset of {}", settings.chunk.value, largest),
             "HDF5 keeps a chunk within its dataset", "Choose a smaller chunk, or a larger block.");
    return request;
}

/// The most datasets kept open. An open one costs memory and time to close; a closed one, time to open again.
constexpr std::uint64_t most_open = 8;

Hdf5Handle layout_of(std::uint64_t bytes, Hdf5Settings const& settings) {
    auto layout = whole_layout();
    if (settings.chunk.value > 0) {
        hsize_t const chunk = std::min(settings.chunk.value, bytes);
        H5Pset_chunk(layout.get(), 1, &chunk);
    }
    return layout;
}

std::uint64_t size_of(hid_t dataset) {
    Hdf5Handle const space(H5Dget_space(dataset), H5Sclose);
    return static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space.get()));
}

[[noreturn]] void refuse_short(std::string const& name, std::uint64_t bytes, std::uint64_t wanted) {
    throw Error({fmt::format("the dataset '{}' has {} of {} bytes", name, bytes, wanted),
                 "it was not written with this shape", "Write it first, with the same shape.", ExitCode::cannot_run});
}

/// The datasets of a file; the most recently used ones are open. A failed call leaves its reason in HDF5's error stack.
class Hdf5Datasets {
  public:
    struct Dataset {
        Hdf5Handle data;
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;
    };

    Hdf5Datasets(Datasets shape, Hdf5Settings settings) : shape_(shape), settings_(settings) {}

    /// Switches to the datasets of this file. `are_there`: all exist; otherwise each is created at its first use.
    /// `all_stay`: none is closed before close().
    void use(hid_t file, bool are_there, bool all_stay) {
        file_ = file;
        is_there_.assign(shape_.count(), are_there);
        open_.resize(all_stay ? shape_.count() : std::min(shape_.count(), most_open));
    }

    [[nodiscard]] Datasets const& shape() const { return shape_; }
    /// Can a rank open one without the others?
    [[nodiscard]] bool open_at_any_time() const { return !settings_.collective_metadata; }
    [[nodiscard]] bool all_there() const { return std::all_of(is_there_.begin(), is_there_.end(), std::identity()); }

    /// The dataset; null: the library failed. Collective if the dataset has to be created. Refuses one that is smaller
    /// than the file's shape requires (Error).
    Dataset const* get(std::uint64_t index) {
        auto& place = open_[index % open_.size()];
        if (place.data.open() && place.index == index) [[likely]] {
            return &place;
        }
        auto const wanted = shape_.bytes_of(index);
        auto const is_there = is_there_[index];
        if (place.data.close() < 0) {
            return nullptr;
        }
        Hdf5Handle data(
            is_there ? open_own_dataset(file_, shape_.name_of(index).c_str(), within_file_.get()) : make(index),
            H5Dclose);
        if (!data.open()) {
            return nullptr;
        }
        auto const bytes = is_there ? size_of(data.get()) : wanted;
        if (bytes < wanted) {
            refuse_short(shape_.name_of(index), bytes, wanted);
        }
        is_there_[index] = true;
        place = {std::move(data), index, bytes};
        return &place;
    }

    /// The dataset's dataspace with this part selected; nothing is selected if `bytes` is 0. The same object in every
    /// call.
    hid_t select(Dataset const& dataset, std::uint64_t offset, std::uint64_t bytes) {
        auto const space = space_of(dataset.bytes);
        if (bytes == selected_bytes_ && offset == selected_from_) {
            return space;
        }
        hsize_t const start = offset;
        hsize_t const count = bytes;
        auto const status = bytes == 0 ? H5Sselect_none(space)
                                       : H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
        selected_from_ = offset;
        selected_bytes_ = bytes;
        return status < 0 ? H5I_INVALID_HID : space;
    }

    herr_t close() {
        herr_t worst = 0;
        for (auto& dataset : open_) {
            worst = std::min(worst, dataset.data.close());
        }
        return worst;
    }

  private:
    /// Objects that depend only on the size.
    struct OfSize {
        Hdf5Handle handle;
        std::uint64_t bytes = 0;
    };

    hid_t make(std::uint64_t index) {
        auto const bytes = shape_.bytes_of(index);
        if (layout_.bytes != bytes) {
            layout_ = {layout_of(bytes, settings_), bytes};
        }
        return H5Dcreate2(file_, shape_.name_of(index).c_str(), H5T_STD_U8LE, space_of(bytes), H5P_DEFAULT,
                          layout_.handle.get(), within_file_.get());
    }

    hid_t space_of(std::uint64_t bytes) {
        if (space_.bytes != bytes) {
            hsize_t const size = bytes;
            space_ = {Hdf5Handle(H5Screate_simple(1, &size, nullptr), H5Sclose), bytes};
            selected_from_ = 0;
            selected_bytes_ = bytes;
        }
        return space_.handle.get();
    }

    Datasets shape_;
    Hdf5Settings settings_;
    hid_t file_ = H5I_INVALID_HID;
    Hdf5Handle within_file_ = access_within_file(H5P_DATASET_ACCESS);
    std::vector<bool> is_there_;
    std::vector<Dataset> open_;  ///< direct-mapped: slot = index modulo their number
    OfSize layout_;
    OfSize space_;
    std::uint64_t selected_from_ = 0;
    std::uint64_t selected_bytes_ = 0;
};

/// An HDF5 file of byte datasets, named by Datasets::name_of(), through the library's MPI-IO driver.
class Hdf5File final : public Hdf5OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5File(OpenRequest const& request, Hdf5Settings const& settings)
        : Hdf5OpenFile(without_large_chunks(request, settings), settings),
          out_of_time_(request.out_of_time),
          datasets_(Datasets(request), settings),
          nothing_(no_memory()) {
        finish_opening([&] { find_datasets(request, settings); }, [&] { close_all(); });
    }

    ~Hdf5File() override {
        WriteWatch const watch(lost_);
        close_all();
    }

    void begin(Access const& access, Rank acting) override {
        auto const look = [&] { datasets_.shape().refuse_crossing(access, acting); };
        collective_ ? run_together(comm_, look) : look();
    }

    void set_collective(bool collective) override {
        collective_ = collective;
        if (!collective && comm_.size() > 1 && !(datasets_.all_there() && datasets_.open_at_any_time())) {
            go_through_datasets();
        }
        make_collective(collective);
    }

    void write(Operation const& operation, std::span<std::byte const> data) override {
        auto const transfer = [&](hid_t dataset, hid_t space, hid_t memory, std::uint64_t from = 0) {
            return H5Dwrite(dataset, H5T_NATIVE_UCHAR, memory, space, transfer_.get(), data.data() + from);
        };
        move(IoCall::write, operation.offset, data.size(), transfer);
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        auto const transfer = [&](hid_t dataset, hid_t space, hid_t memory, std::uint64_t from = 0) {
            return H5Dread(dataset, H5T_NATIVE_UCHAR, memory, space, transfer_.get(), data.data() + from);
        };
        auto const& shape = datasets_.shape();
        auto const dataset = shape.holding(operation.offset);
        auto const offset = shape.within(operation.offset);
        auto const end = dataset < shape.count() ? shape.bytes_of(dataset) : 0;
        auto const there = std::min<std::uint64_t>(data.size(), end > offset ? end - offset : 0);
        move(IoCall::read, operation.offset, there, transfer);
        return there;
    }

    // Adjacent pieces are merged, also across the end of a dataset.
    void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) override {
        for (auto const& piece : pieces) {
            throw_if_interrupted();
            datasets_.shape().each_part(piece, [&](std::uint64_t offset, std::uint64_t length) {
                write({offset, length, 0}, data.first(length));
                data = data.subspan(length);
            });
        }
    }

    std::size_t read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) override {
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

    void preallocate(std::uint64_t bytes) override {
        run_together(comm_, [&] {
            if (!datasets_.all_there()) {
                go_through_datasets();
            }
        });
        reserve(bytes);
    }

    void close() override {
        // Datasets that were never written belong to the file too, unless there are many and a time limit.
        if (file_.open() && (!out_of_time_ || datasets_.shape().count() == 1) && !datasets_.all_there()) {
            go_through_datasets();
        }
        attempt(IoCall::close, 0, [&] { return close_all(); });
    }

  private:
    void find_datasets(OpenRequest const& request, Hdf5Settings const& settings) {
        auto const in_step = collective_ || comm_.size() == 1;
        // Collective metadata reads work only if ranks are in step.
        datasets_.use(file_.get(), request.mode != OpenMode::create, settings.collective_metadata && comm_.size() > 1);
        // Ranks that are not in step create or open beforehand the datasets that must be created or opened
        // collectively.
        if (!in_step && (request.mode == OpenMode::create || settings.collective_metadata)) {
            go_through_datasets();
        } else if (request.mode != OpenMode::create && datasets_.shape().count() > 0) {
            attempt("open datasets of", [&] { return datasets_.get(0) == nullptr ? -1 : 0; });
        }
    }

    void go_through_datasets() {
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

    herr_t close_all() {
        auto const closed = datasets_.close();
        return std::min(closed, file_.close());
    }

    /// Selects a part of a dataset and as much memory, and calls `transfer` for it, with an empty selection if `bytes`
    /// is 0; `what` names the operation in messages.
    template <class Transfer>
    void request(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes, Transfer transfer) {
        // The dataset may have to be created: if that fails on this rank, it still continues with the others.
        attempt(what, bytes, [&] {
            auto const* place = datasets_.get(dataset);
            return place == nullptr ? herr_t{-1}
                                    : transfer(place->data.get(), datasets_.select(*place, offset, bytes),
                                               bytes > 0 ? memory_of(bytes) : nothing_.get());
        });
    }

    /// The same at a place of the file.
    template <class Transfer>
    void move(IoCall what, std::uint64_t place, std::uint64_t bytes, Transfer transfer) {
        auto const dataset = datasets_.shape().holding(place);
        auto const offset = datasets_.shape().within(place);
        collective_ ? request_together(what, dataset, offset, bytes, transfer)
                    : request_alone(what, dataset, offset, bytes, transfer);
    }

    /// The same by this rank alone, in pieces that the library accepts; `transfer` gets the offset of each in the data.
    template <class Transfer>
    void request_alone(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                       Transfer transfer) {
        for (std::uint64_t done = 0; done < bytes; done += largest_piece) {
            request(what, dataset, offset + done, std::min(bytes - done, largest_piece),
                    [&](hid_t data, hid_t space, hid_t memory) { return transfer(data, space, memory, done); });
        }
    }

    /// The same as a collective call, each rank with its own part or none.
    template <class Transfer>
    void request_together(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                          Transfer transfer) {
        if (datasets_.shape().count() == 1) {
            request(what, 0, offset, bytes, transfer);
            check_collective();
            return;
        }
        // A collective call is for one dataset: if ranks want different ones, they take turns, and none leaves before
        // all have finished.
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

    [[nodiscard]] hid_t memory_of(std::uint64_t bytes) {
        if (bytes != memory_bytes_) {
            hsize_t const size = bytes;
            memory_ = {H5Screate_simple(1, &size, nullptr), H5Sclose};
            memory_bytes_ = bytes;
        }
        return memory_.get();
    }

    OutOfTime out_of_time_;
    Hdf5Datasets datasets_;
    Hdf5Handle memory_;
    Hdf5Handle nothing_;
    std::uint64_t memory_bytes_ = 0;
};

}  // namespace

std::unique_ptr<OpenFile> open_bytes(OpenRequest const& request, Hdf5Settings const& settings) {
    return std::make_unique<Hdf5File>(request, settings);
}

}  // namespace weir
